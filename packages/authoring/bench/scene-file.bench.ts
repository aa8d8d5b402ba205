// Saving and loading 10,000 entities of four components, against JSON.parse of the same file.
//   node --import ../../scripts/ts-source-hooks.mjs --conditions=@ecliptic/source bench/scene-file.bench.ts
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
const fresh = (): Scene => new Scene({ name: 'loaded' });
let into = fresh();
const running = fresh();
loadScene(running, parseScene(file), { components });

/** Milliseconds of one run each, in turns. */
const candidates: readonly [string, () => unknown][] = [
  ['JSON.parse of the file', () => JSON.parse(file)],
  ['parseScene', () => parseScene(file)],
  [
    'parseScene and loadScene into a new scene',
    () => loadScene(into, parseScene(file), { components }),
  ],
  [
    'parseScene and loadScene over 10,000 others',
    () => loadScene(running, parseScene(file), { components }),
  ],
  [
    'decodeScene (binary) and loadScene',
    async () => loadScene(into, await decodeScene(binary), { components }),
  ],
  ['captureScene and formatScene', () => formatScene(captureScene(scene))],
  [
    'captureScene and encodeScene (binary)',
    () => encodeScene(captureScene(scene, { numbers: 'exact' })),
  ],
];
const times = candidates.map((): number[] => []);
for (let round = -3; round < ROUNDS; round++) {
  for (const [i, [, run]] of candidates.entries()) {
    into = fresh();
    const start = performance.now();
    await run();
    const time = performance.now() - start;
    into.dispose();
    if (round >= 0) times[i]?.push(time);
  }
}
const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
const base = median(times[0] ?? []);
console.log(
  `${ENTITIES} entities, 4 components each: ${file.length} bytes of JSON, ${binary.length} bytes in binary`,
);
for (const [i, [name]] of candidates.entries()) {
  const all = times[i] ?? [];
  console.log(
    `  ${name.padEnd(46)} min ${Math.min(...all).toFixed(1)} ms, median ${median(all).toFixed(1)} ms, ${(median(all) / base).toFixed(2)}×`,
  );
}
