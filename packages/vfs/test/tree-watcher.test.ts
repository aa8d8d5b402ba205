import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@ecliptic/core';
import { describe, expect, it } from 'vitest';
import { diskLister, type FolderLister } from '../src/node/watch/folder-lister.js';
import type { NativeWatch, Notify } from '../src/node/watch/native-watch.js';
import { TreeWatcher } from '../src/node/watch/tree-watcher.js';
import type { TreeWatcherOptions } from '../src/node/watch/tree-watcher-options.js';
import { cleanUpFolders, folderWith, put } from './disk-fixtures.js';

cleanUpFolders();
const MS = 1_000_000;

/** Events by hand, so that a test decides which are lost. */
class FakeNative implements NativeWatch {
  readonly recursive: boolean;
  readonly folders = new Map<string, Set<{ notify: Notify; failed: (error: Error) => void }>>();
  refuse: ((folder: string) => string | undefined) | undefined;

  constructor(recursive = false) {
    this.recursive = recursive;
  }

  watch(folder: string, notify: Notify, failed: (error: Error) => void): { close: () => void } {
    const code = this.refuse?.(folder);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const one = { notify, failed };
    const all = this.folders.get(folder) ?? new Set();
    this.folders.set(folder, all.add(one));
    return {
      close: () => {
        all.delete(one);
        if (all.size === 0) this.folders.delete(folder);
      },
    };
  }

  tell(folder: string, name?: string): void {
    for (const { notify } of this.folders.get(folder) ?? []) notify(name);
  }
}

interface Watched {
  readonly root: string;
  readonly native: FakeNative;
  readonly watcher: TreeWatcher;
  readonly warnings: string[];
  /** Lets so many milliseconds pass, and gives what was reported. */
  readonly pass: (milliseconds: number) => string[];
}

async function watched(
  files: Record<string, string>,
  options: Partial<TreeWatcherOptions> & {
    fake?: FakeNative;
    prepare?: (root: string) => void;
  } = {},
): Promise<Watched> {
  const root = folderWith(files);
  options.prepare?.(root);
  const native = options.fake ?? new FakeNative();
  const clock = new ManualClock();
  const started = Date.now();
  const seen: string[] = [];
  const warnings: string[] = [];
  const watcher = new TreeWatcher({
    root,
    lister: diskLister(root, true),
    native,
    clock,
    // Well after the files were made: what is young is looked at twice.
    now: () => started + 5_000 + clock.now() / MS,
    ignored: () => false,
    pollInterval: 1_000,
    rescanInterval: 60_000,
    overflowAt: 100,
    changed: (changes) => {
      for (const { kind, path, from } of changes) {
        seen.push(`${kind} ${from === undefined ? '' : `${from} > `}${path}`);
      }
    },
    warned: (event) => warnings.push(event),
    ...options,
  });
  await watcher.start();
  return {
    root,
    native,
    watcher,
    warnings,
    pass(milliseconds) {
      clock.advance(milliseconds * MS);
      return seen.splice(0);
    },
  };
}

describe('a watcher of a tree', () => {
  it('reports nothing of what was there, and believes no event', async () => {
    const { root, native, pass } = await watched({ '/a': 'a', '/d/b': 'b' });
    native.tell(root, 'a');
    native.tell(join(root, 'd'), 'nothing');
    expect(pass(200)).toEqual([]);
  });

  it('reports what was written a moment before it was listed once too often rather than never', async () => {
    const now = (): number => Date.now();
    const { root, native, pass } = await watched({}, { now });
    put(root, '/a', 'a');
    native.tell(root, 'a');
    const first = pass(20);
    // As a second write in the same tick of the disk's clock: no number tells it from the first.
    native.tell(root, 'a');
    expect([...first, ...pass(200)]).toEqual(['created /a', 'modified /a']);
  });

  it('lists a folder that an event marks, and only that', async () => {
    const { root, native, pass } = await watched({ '/d/a': 'a', '/e/a': 'a' });
    put(root, '/d/a', 'aa');
    put(root, '/e/a', 'aa');
    native.tell(join(root, 'd'), 'a');
    expect(pass(200)).toEqual(['modified /d/a']);
  });

  it('watches first, then scans: what is made in between is not lost (62)', async () => {
    const fake = new FakeNative();
    const watch = fake.watch.bind(fake);
    let raced = 0;
    fake.watch = (folder, ...rest) => {
      const result = watch(folder, ...rest);
      // Made after the watch began and before the folder is listed.
      writeFileSync(join(folder, `raced-${raced++}`), '');
      return result;
    };
    const { root, native, pass } = await watched({ '/d/a': 'a' }, { fake });
    expect(raced).toBe(2);
    native.tell(root, 'raced-0');
    native.tell(join(root, 'd'), 'raced-1');
    expect(pass(200)).toEqual([]); // They were in the first listing.
    put(root, '/n/m/x', '');
    native.tell(root, 'n');
    const created = pass(200).sort();
    expect(created).toEqual([
      'created /n',
      'created /n/m',
      'created /n/m/raced-3',
      'created /n/m/x',
      'created /n/raced-2',
    ]);
  });

  it('pairs a move between folders, whichever half is seen first', async () => {
    const { root, native, pass } = await watched({ '/d/a': 'a', '/d/b': 'b', '/e/c': 'c' });
    renameSync(join(root, 'd/a'), join(root, 'e/a'));
    native.tell(join(root, 'd'), 'a');
    expect(pass(30)).toEqual([]);
    native.tell(join(root, 'e'), 'a');
    expect(pass(200)).toEqual(['renamed /d/a > /e/a']);
    renameSync(join(root, 'd/b'), join(root, 'e/b'));
    native.tell(join(root, 'e'), 'b');
    expect(pass(200)).toEqual(['renamed /d/b > /e/b']);
  });

  it('reports a removal when nothing turns up elsewhere', async () => {
    const { root, native, pass } = await watched({ '/d/a': 'a' });
    rmSync(join(root, 'd/a'));
    native.tell(join(root, 'd'), 'a');
    expect(pass(30)).toEqual([]);
    expect(pass(100)).toEqual(['removed /d/a']);
  });

  it('follows a folder that was renamed and written to afterwards', async () => {
    const { root, native, pass } = await watched({ '/d/e/a': 'a' });
    renameSync(join(root, 'd'), join(root, 'f'));
    native.tell(root, 'd');
    native.tell(root, 'f');
    expect(pass(200)).toEqual([
      'renamed /d > /f',
      'renamed /d/e > /f/e',
      'renamed /d/e/a > /f/e/a',
    ]);
    expect([...native.folders.keys()].sort()).toEqual([root, join(root, 'f'), join(root, 'f/e')]);
    put(root, '/f/e/a', 'aa');
    native.tell(join(root, 'f/e'), 'a');
    expect(pass(200)).toEqual(['modified /f/e/a']);
  });

  it('reports what was moved out of the tree as removed, and what was moved in as created', async () => {
    const outside = folderWith({ '/in/x': 'x' });
    const { root, native, pass } = await watched({ '/d/a': 'a' });
    renameSync(join(root, 'd'), join(outside, 'd'));
    renameSync(join(outside, 'in'), join(root, 'in'));
    native.tell(root, 'd');
    expect(pass(200).sort()).toEqual([
      'created /in',
      'created /in/x',
      'removed /d',
      'removed /d/a',
    ]);
    expect([...native.folders.keys()].sort()).toEqual([root, join(root, 'in')]);
  });

  it('an overflow becomes one rescan that finds every change (62)', async () => {
    const { root, native, watcher, warnings, pass } = await watched({
      '/a/x': '',
      '/b/x': '',
      '/c/x': '',
    });
    for (const folder of ['a', 'b', 'c']) put(root, `/${folder}/x`, 'changed');
    rmSync(join(root, 'c'), { recursive: true });
    put(root, '/new/y', 'y');
    // The system tells of one folder only, and very often.
    for (let i = 0; i < 150; i++) native.tell(join(root, 'a'), 'x');
    expect(pass(1_000).sort()).toEqual([
      'created /new',
      'created /new/y',
      'modified /a/x',
      'modified /b/x',
      'removed /c',
      'removed /c/x',
    ]);
    expect(warnings).toEqual(['watch_overflow']);
    expect(watcher.stats.rescans).toBe(1);
    native.tell(join(root, 'a'), 'x');
    pass(1_000);
    expect(watcher.stats.rescans).toBe(1);
  });

  it('finds by itself, in time, what no event told', async () => {
    const { root, pass } = await watched({ '/d/a': 'a' });
    put(root, '/d/a', 'aa');
    expect(pass(59_000)).toEqual([]);
    expect(pass(2_000)).toEqual(['modified /d/a']);
  });

  it('polls the folders for which there are no watches left, and says so', async () => {
    const fake = new FakeNative();
    fake.refuse = (folder) => (folder.endsWith('d') ? 'ENOSPC' : undefined);
    const { root, warnings, watcher, pass } = await watched({ '/d/a': 'a', '/e/a': 'a' }, { fake });
    expect(warnings).toEqual(['watch_polling']);
    expect(watcher.stats).toMatchObject({ watched: 2, polled: 1 });
    put(root, '/d/a', 'aa');
    expect(pass(1_100)).toEqual(['modified /d/a']);
  });

  it('polls a folder whose watch fails later', async () => {
    const { root, native, warnings, pass } = await watched({ '/d/a': 'a' });
    for (const { failed } of native.folders.get(join(root, 'd')) ?? []) failed(new Error('EIO'));
    put(root, '/d/a', 'aa');
    expect(pass(1_100)).toEqual(['modified /d/a']);
    expect(warnings).toEqual(['watch_polling']);
  });

  it('polls everything where there are no events', async () => {
    const { root, pass } = await watched({ '/d/a': 'a' }, { native: undefined });
    put(root, '/d/a', 'aa');
    put(root, '/n/b', 'b');
    expect(pass(1_100).sort()).toEqual(['created /n', 'created /n/b', 'modified /d/a']);
  });

  it('is armed again when its root was deleted and made anew', async () => {
    const { root, native, pass } = await watched({ '/d/a': 'a' });
    rmSync(root, { recursive: true });
    expect(pass(1_000)).toEqual(['removed /d/a', 'removed /d']);
    put(root, '/d/b', 'b');
    expect(pass(1_000)).toEqual(['created /d', 'created /d/b']);
    put(root, '/d/b', 'bb');
    native.tell(join(root, 'd'), 'b');
    expect(pass(200)).toEqual(['modified /d/b']);
    rmSync(root, { recursive: true });
    put(root, '/d/b', 'bbb');
    expect(pass(1_000)).toEqual(['modified /d/b']);
  });

  it('waits for a root that is not there yet', async () => {
    const { root, pass } = await watched(
      {},
      { prepare: (root) => rmSync(root, { recursive: true }) },
    );
    expect(pass(1_000)).toEqual([]);
    put(root, '/a', 'a');
    expect(pass(1_000)).toEqual(['created /a']);
  });

  it('tries again when too many files are open, without losing or inventing anything', async () => {
    let broken = false;
    const slow = (root: string): FolderLister => {
      const real = diskLister(root, true);
      return {
        ...real,
        list(folder, known) {
          if (broken) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
          return real.list(folder, known);
        },
      };
    };
    const options: { lister?: FolderLister } = {};
    const { root, native, warnings, pass } = await watched(
      { '/d/a': 'a' },
      Object.assign(options, { prepare: (at: string) => (options.lister = slow(at)) }),
    );
    broken = true;
    put(root, '/d/a', 'aa');
    native.tell(join(root, 'd'), 'a');
    expect(pass(5_000)).toEqual([]);
    expect(warnings).toEqual(['folder_unreadable']);
    broken = false;
    expect(pass(2_000)).toEqual(['modified /d/a']);
  });

  it('sees a file change that a link leads to', async () => {
    const { root, native, pass } = await watched(
      { '/d/a': 'a', '/e/b': 'b' },
      { prepare: (root) => symlinkSync('../d/a', join(root, 'e/link')) },
    );
    put(root, '/d/a', 'aa');
    native.tell(join(root, 'd'), 'a');
    expect(pass(200).sort()).toEqual(['modified /d/a', 'modified /e/link']);
  });

  it('with one watch for everything, lists the folder that the name leads to', async () => {
    const fake = new FakeNative(true);
    const { root, watcher, pass } = await watched({ '/d/e/a': 'a' }, { fake });
    expect([...fake.folders.keys()]).toEqual([root]);
    put(root, '/d/e/a', 'aa');
    put(root, '/d/f/g/b', 'b');
    fake.tell(root, 'd/e/a');
    fake.tell(root, join('d', 'f', 'g', 'b'));
    expect(pass(200).sort()).toEqual([
      'created /d/f',
      'created /d/f/g',
      'created /d/f/g/b',
      'modified /d/e/a',
    ]);
    expect(watcher.stats.watched).toBe(1);
  });

  it('gives a folder that changes all the time some rest, and still reports its last state', async () => {
    const { root, native, watcher, pass } = await watched({ '/a': '' });
    const before = watcher.stats.listings;
    let changes = 0;
    for (let i = 0; i < 100; i++) {
      put(root, '/a', 'x'.repeat(i));
      native.tell(root, 'a');
      changes += pass(1).length;
    }
    changes += pass(200).length;
    expect(watcher.stats.listings - before).toBeLessThan(20);
    expect(changes).toBeGreaterThan(0);
    put(root, '/a', 'last');
    native.tell(root, 'a');
    expect(pass(200)).toEqual(['modified /a']);
  });

  it.skipIf(process.getuid?.() === 0)(
    'keeps what it knows of a folder that it may not read',
    async () => {
      const { root, native, warnings, pass } = await watched({ '/d/a': 'a' });
      chmodSync(join(root, 'd'), 0);
      native.tell(root, 'd');
      native.tell(join(root, 'd'));
      expect(pass(5_000)).toEqual([]);
      expect(warnings).toEqual(['folder_unreadable']);
      chmodSync(join(root, 'd'), 0o755);
    },
  );

  it('reports nothing after it was closed', async () => {
    const { root, native, watcher, pass } = await watched({ '/a': 'a' });
    put(root, '/a', 'aa');
    native.tell(root, 'a');
    watcher.close();
    expect(pass(100_000)).toEqual([]);
    expect(native.folders.size).toBe(0);
  });
});
