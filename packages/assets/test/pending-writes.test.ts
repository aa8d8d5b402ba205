import { setImmediate } from 'node:timers/promises';
import { memoryBackend, VFSContext, type VFSBackend } from '@ecliptic/vfs';
import { expect, test } from 'vitest';
import { PendingWrites } from '../src/coordinator/pending-writes.js';
import { createTestEngine, linesImporter } from './engine.js';

const FILES = {
  '/a.lines': 'use /b.lines\nread c.txt',
  '/b.lines': 'b',
  '/c.txt': 'c',
  '/d.lines': 'refuse',
};

/**
 * Files whose every call takes several turns of the event loop.
 *
 * @param onCall - told of each call that begins, by its number
 * @param onChange - told of each write and removal that ends
 */
function slowBackend(
  inner: VFSBackend,
  onCall: (call: number) => void,
  onChange: () => void,
): VFSBackend {
  let calls = 0;
  const slowly = async <T>(call: () => Promise<T>): Promise<T> => {
    await setImmediate();
    onCall(calls++);
    await setImmediate();
    return call();
  };
  const changing = async (call: () => Promise<void>): Promise<void> => {
    await slowly(call);
    onChange();
  };
  return {
    name: 'slow',
    capabilities: { ...inner.capabilities, watch: false },
    stat: (path, options) => slowly(() => inner.stat(path, options)),
    list: (path, options) => slowly(() => inner.list(path, options)),
    read: (path, options) => slowly(() => inner.read(path, options)),
    write: (path, bytes, options) => changing(() => inner.write(path, bytes, options)),
    createFolder: (path, options) => changing(() => inner.createFolder(path, options)),
    remove: (path, options) => changing(() => inner.remove(path, options)),
    rename: (from, to, options) => changing(() => inner.rename(from, to, options)),
  };
}

test.each([
  ['new', false],
  ['known', true],
])(
  'a coordinator that ends at any call to the files of a %s project writes nothing once it is settled',
  async (_, isKnown) => {
    let hasEnded = true;
    let changes = 0;
    for (let last = 0; hasEnded; last++) {
      expect(last).toBeLessThan(200);
      hasEnded = false;
      const memory = memoryBackend({ files: FILES, now: () => 1_000 });
      const clean = new VFSContext();
      clean.mount('/', memory);
      if (isKnown) {
        const before = createTestEngine({ vfs: clean, importers: [linesImporter()] });
        for (const path of ['/a.lines', '/d.lines']) void before.coordinator.enqueue(path);
        await before.coordinator.drain();
        // What was imported, but not noted.
        await clean.remove('/b.lines.meta');
      }
      let isSettled = false;
      const late: string[] = [];
      const vfs = new VFSContext();
      const onCall = (call: number): void => {
        if (call !== last) return;
        hasEnded = true;
        coordinator.dispose();
      };
      const onChange = (): void => {
        changes++;
        if (isSettled) late.push(`call ${last}`);
      };
      vfs.mount('/', slowBackend(memory, onCall, onChange));
      const { coordinator } = createTestEngine({ vfs, importers: [linesImporter()] });
      for (const path of ['/a.lines', '/d.lines']) void coordinator.enqueue(path);
      await coordinator.drain();
      coordinator.dispose();
      await coordinator.settled();
      isSettled = true;
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      expect(late).toEqual([]);
    }
    expect(changes).toBeGreaterThan(20);
  },
);

test('what fails while it is waited for is its caller’s', async () => {
  const writes = new PendingWrites();
  let fail: (error: Error) => void = () => undefined;
  const { signal } = new AbortController();
  const running = writes.run(signal, () => new Promise((_, reject) => (fail = reject)));
  const settled = writes.settled();
  fail(new Error('The disk is full'));
  await expect(running).rejects.toThrow('The disk is full');
  await settled;
  await writes.settled();
  const aborted = AbortSignal.abort(new Error('over'));
  await expect(writes.run(aborted, () => Promise.resolve())).rejects.toThrow('over');
});
