// Saving and loading 10,000 entities of four components, against JSON.parse of the same file.
//   node --import ../../scripts/ts-source-hooks.mjs --conditions=@ecliptic/source bench/scene-file.bench.ts
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { color, defineComponent, entity, f32, oneOf, Scene, text, vec3 } from '@ecliptic/ecs';
import { Mesh, Name, Transform, Uuid } from '@ecliptic/ecs/components';
import {
  captureScene,
  decodeScene,
  encodeScene,
  formatScene,
  loadScene,
  parseScene,
} from '../src/index.js';

const ENTITIES = 10_000;
const ROUNDS = 15;

// Each run begins without the young garbage of the one before: otherwise it would pay for that. Collecting all would throw away
// the engine's code for objects that are no longer there, and with it what this measures.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void;

const Glow = defineComponent('Glow', {
  kind: oneOf('point', 'spot'),
  tint: color(),
  strength: f32({ default: 1, min: 0 }),
  label: text(32),
  target: entity(),
  offset: vec3(),
});
const components = [Transform, Mesh, Name, Glow];

let seed = 1;
const random = (): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};
const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

const scene = new Scene({ name: 'bench' });
const ids: number[] = [];
for (let n = 1; n <= ENTITIES; n++) {
  const position = [random() * 100, random() * 100, random() * 100] as const;
  const id = scene.createEntity(
    [Uuid, { value: uuid(n) }],
    [Transform, { position }],
    [Mesh, { meshUuid: uuid(n % 100) }],
    [Name, { value: `entity ${n}` }],
    [Glow, { tint: [random(), random(), random(), 1], strength: random(), label: 'glow' }],
  );
  if (n % 10 !== 0) scene.setComponent(id, Glow, { target: ids.at(-1) ?? 0 });
  if (n % 4 === 0) scene.setParent(id, ids.at(-3) ?? 0);
  ids.push(id);
}

const file = formatScene(captureScene(scene));
const binary = await encodeScene(captureScene(scene, { numbers: 'exact' }));
const document = captureScene(scene);
/** Each run's own, and two that are loaded again and again: one is emptied before, one has what the run before loaded. */
let fresh = new Scene({ name: 'fresh' });
const emptied = new Scene({ name: 'emptied' });
const running = new Scene({ name: 'running' });
loadScene(running, parseScene(file), { components });
const everything = emptied.query(Uuid);

/** Milliseconds of one run each, in turns. */
const candidates: readonly [string, () => unknown][] = [
  ['JSON.parse of the file', () => JSON.parse(file)],
  ['parseScene', () => parseScene(file)],
  [
    'parseScene and loadScene into an emptied scene',
    () => loadScene(emptied, parseScene(file), { components }),
  ],
  [
    'parseScene and loadScene over 10,000 others',
    () => loadScene(running, parseScene(file), { components }),
  ],
  [
    'parseScene and loadScene into a new scene',
    () => loadScene(fresh, parseScene(file), { components }),
  ],
  [
    'decodeScene (binary) and loadScene, emptied',
    async () => loadScene(emptied, await decodeScene(binary), { components }),
  ],
  ['JSON.stringify of the document', () => JSON.stringify(document)],
  ['captureScene', () => captureScene(scene)],
  ['captureScene and formatScene', () => formatScene(captureScene(scene))],
  [
    'captureScene and encodeScene (binary)',
    () => encodeScene(captureScene(scene, { numbers: 'exact' })),
  ],
];
const times = candidates.map((): number[] => []);
for (let round = -8; round < ROUNDS; round++) {
  for (const [i, [, run]] of candidates.entries()) {
    fresh.dispose();
    fresh = new Scene({ name: 'fresh' });
    for (const entity of everything.entities) {
      if (emptied.isAlive(entity)) emptied.destroyEntity(entity);
    }
    collectGarbage({ type: 'minor' });
    const start = performance.now();
    await run();
    const time = performance.now() - start;
    if (round >= 0) times[i]?.push(time);
  }
}
const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
const least = (list: readonly number[]): number => Math.min(...list);
const base = times[0] ?? [];
console.log(
  `${ENTITIES} entities, 4 components each: ${file.length} bytes of JSON, ${binary.length} bytes in binary`,
);
for (const [i, [name]] of candidates.entries()) {
  const all = times[i] ?? [];
  console.log(
    `  ${name.padEnd(46)} min ${least(all).toFixed(1)} ms ${(least(all) / least(base)).toFixed(2)}×, ` +
      `median ${median(all).toFixed(1)} ms ${(median(all) / median(base)).toFixed(2)}×`,
  );
}
