import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { EventLog } from '@ecliptic/core';
import { VFSContext, type VFSBackendChange } from '@ecliptic/vfs';
import { diskBackend, VFSFileWatcher } from '@ecliptic/vfs/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanUpFolders, folderWith, put, scanAll, withoutRepeats } from './disk-fixtures.js';

cleanUpFolders();

const workers: Worker[] = [];
const started = (worker: Worker): void => {
  workers.push(worker);
};
const open: { close(): Promise<void> }[] = [];
beforeEach(() => void process.on('worker', started));
afterEach(async () => {
  process.off('worker', started);
  workers.length = 0;
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Ends the newest worker as a crash would: nobody asked its owner. */
async function kill(): Promise<void> {
  await workers.at(-1)?.terminate();
}

async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < 3_000 && !done(); i++) await new Promise((go) => setTimeout(go, 10));
  expect(done()).toBe(true);
}

const show = ({ kind, path, from }: VFSBackendChange): string =>
  `${kind} ${from ? `${from.text} > ` : ''}${path.text}`;

describe('a watcher whose worker dies', () => {
  async function watching(root: string): Promise<{ seen: string[]; events: string[] }> {
    const seen: string[] = [];
    const events: string[] = [];
    const log = new EventLog('vfs');
    log.warn = log.error = (event) => void events.push(event);
    const watcher = new VFSFileWatcher(root, (all) => seen.push(...all.map(show)), { log });
    open.push(watcher);
    await watcher.start();
    return { seen, events };
  }

  it('goes on with another one, and reports what may have happened in between', async () => {
    const root = folderWith({ '/a': 'a', '/gone': '', '/old/x': '', '/d/b': 'b', '/kind': '' });
    const { seen, events } = await watching(root);
    // What happened before it died is remembered, too.
    put(root, '/late', 'x');
    renameSync(join(root, 'old'), join(root, 'new'));
    await until(() => seen.includes('created /late') && seen.includes('renamed /old/x > /new/x'));
    const before = [...workers];
    seen.length = 0;
    const dead = kill();
    put(root, '/made', 'm');
    rmSync(join(root, 'gone'));
    rmSync(join(root, 'kind'));
    put(root, '/kind/file', '');
    rmSync(join(root, 'd'), { recursive: true });
    await dead;
    await until(() => seen.includes('modified /a'));
    expect(withoutRepeats(seen).sort()).toEqual([
      'created /kind',
      'created /kind/file',
      'created /made',
      'modified /a',
      'modified /late',
      'modified /new/x',
      'removed /d',
      'removed /d/b',
      'removed /gone',
      'removed /kind',
    ]);
    expect(seen.indexOf('removed /d/b')).toBeLessThan(seen.indexOf('removed /d'));
    expect(workers).toHaveLength(before.length + 1);
    expect(events).toEqual(['tree_worker_died', 'watch_restarted']);
    seen.length = 0;
    put(root, '/a', 'changed afterwards');
    await until(() => seen.includes('modified /a'));
    expect(withoutRepeats(seen)).toEqual(['modified /a']);
  });

  it('gives up, and says so, when that goes on', async () => {
    const { seen, events } = await watching(folderWith({ '/a': 'a' }));
    for (let i = 0; i < 5; i++) {
      seen.length = 0;
      await kill();
      await until(() => seen.includes('modified /a'));
    }
    await kill();
    await until(() => events.includes('watch_ended'));
    expect(events.filter((event) => event === 'watch_restarted')).toHaveLength(5);
    expect(workers).toHaveLength(6);
  });

  it('is not started again once it was closed', async () => {
    const { seen } = await watching(folderWith({ '/a': 'a' }));
    const dead = kill();
    await open[0]?.close();
    await dead;
    const count = workers.length;
    await new Promise((go) => setTimeout(go, 50));
    expect(workers).toHaveLength(count);
    expect(seen).toEqual([]);
  });

  it('tells who starts it when the first worker dies at once', async () => {
    process.once('worker', (worker) => void worker.terminate());
    const watcher = new VFSFileWatcher(folderWith(), () => {});
    open.push(watcher);
    await expect(watcher.start()).rejects.toMatchObject({ code: 'vfs/io' });
  });

  it('leads whoever listens to a context to what is on disk', async () => {
    const root = folderWith({ '/a': 'one', '/b': 'one', '/c': 'one' });
    const vfs = new VFSContext({ quiet: 10 });
    vfs.mount('/game', diskBackend(root), { owned: true });
    open.push({ close: () => vfs.dispose() });
    const dirty = new Set<string>();
    const subscription = vfs.watch('/game', ({ path }) => void dirty.add(path.text));
    await subscription.ready;
    // As hot reload does: what was read is read again when it is reported.
    const loaded = new Map<string, string | undefined>([
      ['/game/a', 'one'],
      ['/game/b', 'one'],
      ['/game/c', 'one'],
    ]);
    const dead = kill();
    put(root, '/a', 'two');
    rmSync(join(root, 'b'));
    put(root, '/d', 'new');
    await dead;
    const wanted = new Map([
      ['/game/a', 'two'],
      ['/game/c', 'one'],
      ['/game/d', 'new'],
    ]);
    const isRight = (): boolean =>
      loaded.size === wanted.size && [...wanted].every(([at, text]) => loaded.get(at) === text);
    for (let i = 0; i < 3_000 && !isRight(); i++) {
      await new Promise((go) => setTimeout(go, 10));
      vfs.tick();
      for (const path of dirty) {
        dirty.delete(path);
        if (await vfs.exists(path)) loaded.set(path, await vfs.readText(path));
        else loaded.delete(path);
      }
    }
    expect(loaded).toEqual(wanted);
  });

  it('a scan whose worker dies is told, and the next one has a new worker', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`/d${i}/a`, '']));
    const backend = diskBackend(folderWith(files));
    open.push({ close: async () => backend.dispose?.() });
    process.once('worker', (worker) => void worker.terminate());
    const scan = scanAll(backend, { ignore: [] });
    await expect(scan).rejects.toMatchObject({ code: 'vfs/io' });
    expect(await scanAll(backend, { ignore: [] })).toHaveLength(600);
  });
});
