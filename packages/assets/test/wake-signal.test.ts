import { expect, test } from 'vitest';
import { WakeSignal } from '../src/coordinator/wake-signal.js';
import { createTestEngine, linesImporter } from './engine.js';

test('all that wait are woken, and who waits afterwards waits for the next time', async () => {
  const signal = new WakeSignal();
  signal.wake();
  const woken: number[] = [];
  const wait = (who: number): Promise<void> => signal.wait().then(() => void woken.push(who));
  const both = [wait(1), wait(2)];
  expect(woken).toEqual([]);
  signal.wake();
  const third = wait(3);
  await Promise.all(both);
  expect(woken).toEqual([1, 2]);
  signal.wake();
  await third;
  expect(woken).toEqual([1, 2, 3]);
});

test('a coordinator that is drained by several at once ends for each of them', async () => {
  const files = { '/a.lines': 'use /b.lines', '/b.lines': 'b' };
  const { coordinator } = createTestEngine({ files, importers: [linesImporter()] });
  void coordinator.enqueue('/a.lines');
  const ends = new AbortController();
  const aborted = coordinator.drain(ends.signal);
  const drained = [coordinator.drain(), coordinator.drain()];
  ends.abort(new Error('That was long enough'));
  await expect(aborted).rejects.toThrow('That was long enough');
  await Promise.all(drained);
  expect(coordinator.pending).toBe(0);
});
