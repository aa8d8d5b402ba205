/** Measures all contenders by turns, in whichever thread calls it. */
import { bare, ecliptic, woven } from './contenders.mjs';

const ROUNDS = 25;
const SIZES = {
  heavy: [1, 100, 1_000, 10_000, 100_000],
  light: [100, 1_000, 10_000, 100_000, 1_000_000],
};
const BATCH_MS = 8;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Long enough for code to be compiled. */
const WARM_MS = 100;
/** Long enough for a worker to be awake, as it is between the waves of a tick. */
const WAKE_MS = 1;

async function run(tick, milliseconds) {
  const until = performance.now() + milliseconds;
  do await tick();
  while (performance.now() < until);
}

async function timed(tick, ticks) {
  await run(tick, WAKE_MS);
  const start = performance.now();
  for (let i = 0; i < ticks; i++) {
    const pending = tick();
    if (pending !== undefined) await pending;
  }
  return ((performance.now() - start) * 1_000) / ticks;
}

/** Warm, and long enough for the clock. */
async function ticksFor(tick) {
  await run(tick, WARM_MS);
  let ticks = 2;
  while ((await timed(tick, ticks)) * ticks < BATCH_MS * 1_000 && ticks < 20_000) ticks *= 2;
  await timed(tick, ticks);
  return ticks;
}

/**
 * @param create - makes a worker by its name: `bare`, `systems`; has `path(name)` where `woven` can run
 * @param report - called with medians in microseconds a tick, and how much faster than `one` each way is: the median of the ratios within a
 *   round, because the speed of a core changes from second to second
 */
export async function measure(create, report) {
  for (const [kernel, sizes] of Object.entries(SIZES)) {
    for (const rows of sizes) {
      const contenders = { bare, ecliptic, ...(create.path && { woven }) };
      for (const [name, make] of Object.entries(contenders)) {
        const made = await make(kernel, rows, create);
        if (made === undefined) continue;
        const { dispose, ...ways } = made;
        const entries = Object.entries(ways);
        const counts = [];
        for (const [, tick] of entries) counts.push(await ticksFor(tick));
        const times = entries.map(() => []);
        for (let round = 0; round < ROUNDS; round++) {
          for (const [i, [, tick]] of entries.entries())
            times[i].push(await timed(tick, counts[i]));
        }
        const medians = Object.fromEntries(entries.map(([way], i) => [way, median(times[i])]));
        const speedUps = Object.fromEntries(
          entries.map(([way], i) => {
            return [way, median(times[i].map((time, round) => times[0][round] / time))];
          }),
        );
        report({ name, kernel, rows, ...medians, speedUps });
        await dispose();
      }
    }
  }
}
