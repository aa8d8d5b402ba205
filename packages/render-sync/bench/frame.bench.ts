// Where a frame of 50,000 moving entities spends its time on the simulation's thread, by phase.
import { defineComponent, query, read, Scene, vec3, write } from '@ecliptic/ecs';
import { Camera, Mesh, Transform } from '@ecliptic/ecs/components';
import { ReliableSender } from '../src/queue/reliable-queue.js';
import {
  createMailbox,
  frameStateFormat,
  loadPoseKernel,
  memoryLinks,
  openMailbox,
  RenderSync,
} from '../src/index.js';

const ENTITIES = 50_000;
const FRAMES = 300;
const WARM_UP = 60;
const STEP = 1 / 60;

const Velocity = defineComponent('Velocity', { value: vec3() });

const budget = { instances: ENTITIES };
const format = frameStateFormat(budget);
const { writer, handle } = createMailbox(format);
const reader = openMailbox(handle, format);
const [near, far] = memoryLinks();
far.listen(() => undefined);
const scene = new Scene({ name: 'bench' });
const backend = process.argv[2] === 'wasm' ? 'wasm' : 'javascript';
const sync = new RenderSync({
  scene,
  frames: writer,
  messages: new ReliableSender(near),
  budget,
  kernel: await loadPoseKernel({ backend }),
});
sync.setTarget({ width: 16, height: 16, pixelRatio: 1 });
scene.createEntity([Transform, { position: [0, 0, 60] }], [Camera, { isMain: true, far: 500 }]);
for (let i = 0; i < ENTITIES; i++) {
  scene.createEntity(
    [Transform, { position: [Math.sin(i) * 40, Math.cos(i * 7) * 40, Math.sin(i * 3) * 40] }],
    [Velocity, { value: [Math.sin(i * 5), Math.cos(i * 3), Math.sin(i)] }],
    [Mesh, { meshUuid: `00000000-0000-4000-8000-0000000000${String(10 + (i % 20))}` }],
  );
}
const rows = scene.query(query(write(Transform), read(Velocity)));

const move = (): void => {
  for (const table of rows.tables()) {
    const { position } = table.column(Transform);
    const { value } = table.column(Velocity);
    const end = table.count * 3;
    for (let i = 0; i < end; i++)
      position[i] = (position[i] as number) + (value[i] as number) * STEP;
  }
};

const phases: readonly (readonly [string, () => void])[] = [
  ['systems: position += velocity · dt', move],
  ['hierarchy: Transform.world', () => void sync.hierarchy.updateWorld()],
  ['snapshot', () => scene.snapshotTransforms()],
  ['transform sync', () => sync.transformSync.update()],
  [
    'light, camera, deform sync',
    () => {
      sync.lightSync.update();
      sync.cameraSync.update();
      sync.deformSync.update();
    },
  ],
  [
    'publish',
    () => void sync.publish({ tick: 0, tickTime: 0, stepDuration: 1e15, alpha: 0.5, frameTime: 0 }),
  ],
];

const times = phases.map((): number[] => []);
const whole: number[] = [];
/** Milliseconds of processor time by phase: right on average, however busy the machine is. */
const used = phases.map(() => 0);
for (let frame = -WARM_UP; frame < FRAMES; frame++) {
  let sum = 0;
  for (const [i, [, run]] of phases.entries()) {
    const before = process.threadCpuUsage();
    const start = performance.now();
    run();
    const time = performance.now() - start;
    const { user, system } = process.threadCpuUsage(before);
    sum += time;
    if (frame < 0) continue;
    times[i]?.push(time);
    used[i] = (used[i] ?? 0) + (user + system) / 1_000 / FRAMES;
  }
  if (frame >= 0) whole.push(sum);
  if (frame % 2 === 0) reader.take();
}
const show = (name: string, all: number[], mean: number): void => {
  const sorted = all.toSorted((a, b) => a - b);
  const [best, median] = [sorted[0] ?? NaN, sorted[sorted.length >> 1] ?? NaN];
  const each = ((best * 1e6) / ENTITIES).toFixed(1);
  console.log(
    `  ${name.padEnd(36)} ${best.toFixed(2)} ms (${each} ns an entity), median ${median.toFixed(2)}, processor time ${mean.toFixed(2)}`,
  );
};
console.log(
  `${ENTITIES} moving entities, one fixed step a frame, ${backend} kernel: shortest, median, mean processor time`,
);
for (const [i, [name]] of phases.entries()) show(name, times[i] ?? [], used[i] ?? NaN);
const total = used.reduce((a, b) => a + b, 0);
show('all', whole, total);
