// What a schedule costs that does nothing, next to calling the same functions in a loop.
import { Commands, Scene } from '@ecliptic/ecs';
import { defineSystem, WorldTick } from '@ecliptic/scheduler';

const SYSTEMS = 64;
const TICKS = 5_000;
const ROUNDS = 15;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Nanoseconds a system, the median of all rounds. */
function measure(tick: () => void): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < TICKS; i++) tick();
    times.push(((performance.now() - start) * 1e6) / TICKS / SYSTEMS);
  }
  return median(times);
}

let sum = 0;
const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
const commands = new Commands(scene);
const bodies = Array.from({ length: SYSTEMS }, (_, i) => (): void => void (sum += i));
const chain = new WorldTick(scene, { development: false });
const wide = new WorldTick(scene, { development: false });
for (const [i, update] of bodies.entries()) {
  chain.registerSystem(
    defineSystem({ name: `s${i}`, ...(i > 0 && { after: [`s${i - 1}`] }), update }),
  );
  wide.registerSystem(defineSystem({ name: `s${i}`, update }));
}
chain.commit();
wide.commit();

const rows = [
  ['a loop over 64 functions', measure(() => bodies.forEach((body) => body()))],
  ['64 systems in one wave', measure(() => void wide.tick(1 / 60, commands))],
  ['64 systems in 64 waves', measure(() => void chain.tick(1 / 60, commands))],
  [
    'reading the clock, which each system does once',
    measure(() => {
      for (let i = 0; i < SYSTEMS; i++) sum += performance.now();
    }),
  ],
] as const;
console.log('Nanoseconds a system, of a schedule whose systems do nothing:');
for (const [label, time] of rows) console.log(`  ${time.toFixed(0).padStart(6)}  ${label}`);
if (sum === 0) throw new Error('nothing ran');
