/** Measures all contenders by turns, in whichever thread calls it. */
import { bare, ecliptic, woven } from './contenders.mjs';

const ROUNDS = 9;
const SIZES = {
  heavy: [1, 100, 1_000, 10_000, 100_000],
  light: [100, 1_000, 10_000, 100_000, 1_000_000],
};
const BATCH_MS = 8;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function timed(tick, ticks) {
  const start = performance.now();
  for (let i = 0; i < ticks; i++) {
    const pending = tick();
    if (pending !== undefined) await pending;
  }
  return ((performance.now() - start) * 1_000) / ticks;
}

/** Warm, and long enough for the clock. */
async function ticksFor(tick) {
  let ticks = 2;
  while ((await timed(tick, ticks)) * ticks < BATCH_MS * 1_000 && ticks < 20_000) ticks *= 2;
  await timed(tick, ticks);
  return ticks;
}

/**
 * @param create - makes a worker by its name: `bare`, `systems`; has `path(name)` where `woven` can run
 * @returns medians in microseconds a tick, and ratios of the medians
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
        report({ name, kernel, rows, ...medians });
        await dispose();
      }
    }
  }
}
