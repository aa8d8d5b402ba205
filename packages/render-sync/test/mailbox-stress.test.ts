import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createSharedMailbox, SharedMailboxReader } from '../src/index.js';
import { BrokenReader } from './fixtures/broken-mailbox.js';
import { numbersFormat } from './fixtures/numbers-format.js';

const WORDS = 512;

interface Outcome {
  taken: number;
  torn: number;
  backwards: number;
}

/**
 * A thread publishes as fast as it can; this one takes `takes` new states and checks each for words of
 * two states, and for a number that isn't larger than the last. Stops early on a fault.
 */
async function stress(broken: boolean, takes: number): Promise<Outcome> {
  const format = numbersFormat(WORDS);
  const handle = createSharedMailbox(format);
  const flags = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(new URL('./fixtures/publisher.worker.ts', import.meta.url), {
    workerData: { handle, flags, broken },
  });
  const exited = once(worker, 'exit');
  await once(worker, 'online');
  const reader = broken ? new BrokenReader(handle) : new SharedMailboxReader(handle, format);
  const outcome: Outcome = { taken: 0, torn: 0, backwards: 0 };
  let seen = 0;
  while (outcome.taken < takes && outcome.torn === 0 && outcome.backwards === 0) {
    const state = reader.take();
    if (state === undefined) continue;
    const first = state[0] ?? 0;
    outcome.taken++;
    for (let word = 1; word < WORDS; word++) if (state[word] !== first) outcome.torn++;
    if (broken ? first < seen : first <= seen) outcome.backwards++;
    seen = first;
  }
  Atomics.store(flags, 0, 1);
  expect(await exited).toEqual([0]);
  return outcome;
}

test('on real threads no state is torn and none comes after a newer one', async () => {
  const takes = 100_000;
  expect(await stress(false, takes)).toEqual({ taken: takes, torn: 0, backwards: 0 });
}, 60_000);

test('the stress test catches a protocol whose reader does not claim its slot', async () => {
  const { torn, backwards } = await stress(true, 50_000_000);
  expect(torn + backwards).toBeGreaterThan(0);
}, 60_000);
