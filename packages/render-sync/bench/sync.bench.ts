import { systemClock } from '@ecliptic/core';
import { read, Scene, write } from '@ecliptic/ecs';
import { Mesh, Transform } from '@ecliptic/ecs/components';
import { createInlineRender, NullBackend } from '../src/index.js';
import { compare } from './measure.js';

const ENTITIES = 50_000;

const scene = new Scene({ maxEntities: 65_536 });
const { sync } = createInlineRender({
  scene,
  clock: systemClock(),
  backend: new NullBackend(),
  budget: { instances: ENTITIES },
});
const meshUuid = '00000000-0000-4000-8000-000000000001';
for (let n = 0; n < ENTITIES; n++) {
  scene.createEntity([Transform, { position: [n, 0, 0] }], [Mesh, { meshUuid }]);
}
const movers = scene.query(write(Transform));
const readers = scene.query(read(Transform));
const copy = new Float32Array(ENTITIES * 24);

const step = (count: number): void => {
  for (const table of movers.tables()) {
    const { position } = table.column(Transform);
    for (let row = 0; row < Math.min(count, table.count); row++) {
      position[row * 3] = (position[row * 3] as number) + 1;
    }
  }
  scene.snapshotTransforms();
};
/** Brings everything into the steady state of so many movers, then makes one more step. */
const steady = (count: number): void => {
  for (let n = 0; n < 2; n++) {
    step(count);
    sync.sync();
  }
  step(count);
};
const report = compare(
  `${ENTITIES.toLocaleString('en')} entities with a mesh: what a frame costs`,
  [
    {
      name: 'a plain pass over the pairs, copied',
      prepare: () => step(0),
      run: () => {
        for (const table of readers.tables()) {
          const { currentPosition, currentRotation, currentScale } = table.column(Transform);
          copy.set(currentPosition.subarray(0, ENTITIES * 3), 0);
          copy.set(currentRotation.subarray(0, ENTITIES * 4), ENTITIES * 3);
          copy.set(currentScale.subarray(0, ENTITIES * 3), ENTITIES * 7);
        }
      },
    },
    { name: 'sync, nothing moves', prepare: () => steady(0), run: () => sync.sync() },
    { name: 'sync, 1 % moves', prepare: () => steady(ENTITIES / 100), run: () => sync.sync() },
    { name: 'sync, everything moves', prepare: () => steady(ENTITIES), run: () => sync.sync() },
    {
      name: 'Transform.world, everything moves',
      prepare: () => step(ENTITIES),
      run: () => sync.hierarchy.updateWorld(),
    },
  ],
  20,
);
if (report.some(Number.isNaN)) process.exitCode = 1;
