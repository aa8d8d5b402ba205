import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { VFSBackendScanEntry } from '@ecliptic/vfs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listFolders, type FolderTask, type ListedFolders } from '../src/node/scan/list-folders.js';
import type { ScanHelper } from '../src/node/scan/scan-helper.js';
import { ScanHelperThread } from '../src/node/scan/scan-helper.js';
import { removeStaleTemporaries } from '../src/node/scan/stale-temporaries.js';
import { TreeScan, type TreeScanOptions } from '../src/node/scan/tree-scan.js';
import { TreeUnpacker } from '../src/node/scan/tree-unpacker.js';
import { ignoreRules } from '../src/scan/ignore.js';
import { diskLister, type FolderLister } from '../src/node/watch/folder-lister.js';
import { cleanUpFolders, folderWith, put, treeOf } from './disk-fixtures.js';

cleanUpFolders();

/** A helper whose answers come in the order and at the time that a test likes. */
class FakeHelper implements ScanHelper {
  readonly #list: (tasks: readonly FolderTask[]) => ListedFolders;
  readonly #turns: number;
  readonly #dies: number;
  asked = 0;
  waiting = 0;
  closed = false;
  /** Whether it is dead before it is asked. */
  dead = false;

  /** @param turns - of the event loop before an answer. @param dies - at the question of this number */
  constructor(list: (tasks: readonly FolderTask[]) => ListedFolders, turns = 1, dies = Infinity) {
    this.#list = list;
    this.#turns = turns;
    this.#dies = dies;
  }

  async list(tasks: readonly FolderTask[]): Promise<ListedFolders> {
    const dies = ++this.asked >= this.#dies;
    if (this.dead) throw new Error('dead');
    this.waiting++;
    const listed = structuredClone(this.#list(tasks));
    for (let i = 0; i < this.#turns; i++) await new Promise(setImmediate);
    this.waiting--;
    if (this.closed) throw new Error('The thread ended');
    if (dies) throw new Error('killed');
    return listed;
  }

  close(): void {
    this.closed = true;
  }
}

/** A lister that says that every folder has so many entries in front of its own. */
function crowded(lister: FolderLister, count: number): FolderLister {
  const crowd = Array.from({ length: count }, (_, i) => ({
    name: `crowd${i}`,
    folder: false,
    ino: 0,
    size: i,
    mtime: 0,
    ctime: 0,
    birth: 0,
    target: undefined,
  }));
  return {
    ...lister,
    list(folder, known) {
      const listing = lister.list(folder, known);
      return { ...listing, entries: [...crowd, ...listing.entries] };
    },
  };
}

function optionsOf(root: string, own: Partial<TreeScanOptions> = {}): TreeScanOptions {
  return {
    root,
    lister: diskLister(root, true),
    ignored: () => false,
    now: () => Date.now() + 5_000,
    helpers: 0,
    newHelper: () => {
      throw new Error('none wanted');
    },
    ...own,
  };
}

interface Run {
  readonly entries: VFSBackendScanEntry[];
  readonly failures: string[];
  readonly died: unknown[];
  readonly progress: number[];
}

async function run(scan: TreeScan): Promise<Run> {
  const unpacker = new TreeUnpacker();
  const result: Run = { entries: [], failures: [], died: [], progress: [] };
  const folders = scan.run({
    part: (part) => result.entries.push(...unpacker.add(structuredClone(part))),
    failed: (path, code) => result.failures.push(`${path} ${code}`),
    helperDied: (error) => result.died.push(error),
  });
  for await (const count of folders) result.progress.push(count);
  return result;
}

const texts = ({ entries }: Run): string[] =>
  entries.map(({ path, kind }) => path.text + (kind === 'folder' ? '/' : ''));

/** Folders enough to be worth help, each with a folder in it. */
function wideTree(): string {
  const files = Array.from({ length: 200 }, (_, i) => [`/d${i % 40}/e${i}/f`, '']);
  return folderWith(Object.fromEntries(files));
}

describe('a scan of a tree on disk', () => {
  it('finds what is there, parents first, whatever the tree', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'é', 'long name.txt');
    const path = fc
      .array(name, { minLength: 1, maxLength: 5 })
      .map((names) => `/${names.join('/')}`);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 12 }), async (paths) => {
        const root = folderWith();
        for (const each of paths) mkdirSync(join(root, each), { recursive: true });
        for (const each of paths) put(root, `${each}/file`, each);
        const found = texts(await run(new TreeScan(optionsOf(root))));
        expect([...found].sort()).toEqual(treeOf(root));
        const seen = new Set(['']);
        for (const text of found) {
          const bare = text.replace(/\/$/, '');
          expect(seen).toContain(bare.slice(0, bare.lastIndexOf('/')));
          seen.add(bare);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('asks again only for the numbers where no name changed', async () => {
    const root = folderWith({ '/a': 'a', '/d/b': 'b', '/d/e/c': 'c' });
    const lister = diskLister(root, true);
    let read = 0;
    const counting: FolderLister = {
      ...lister,
      list(folder, known) {
        const listing = lister.list(folder, known);
        if (!listing.same) read++;
        return listing;
      },
    };
    const scan = new TreeScan(optionsOf(root, { lister: counting }));
    const first = await run(scan);
    expect(read).toBe(3);
    expect(await run(scan)).toEqual(first);
    expect(read).toBe(3);
    utimesSync(join(root, 'a'), 1, 1);
    put(root, '/d/new', 'new');
    const second = await run(scan);
    expect(read).toBe(4);
    expect(texts(second).sort()).toEqual(treeOf(root));
    expect(second.entries.find(({ path }) => path.text === '/a')).toMatchObject({
      modified: 1_000,
    });
  });

  it('believes no time that was young when it was seen', async () => {
    const root = folderWith({ '/a': 'a' });
    const lister = diskLister(root, true);
    let read = 0;
    const counting: FolderLister = {
      ...lister,
      list(folder, known) {
        const listing = lister.list(folder, known);
        if (!listing.same) read++;
        return listing;
      },
    };
    const scan = new TreeScan(optionsOf(root, { lister: counting, now: Date.now }));
    await run(scan);
    await run(scan);
    expect(read).toBe(2);
  });

  it('leaves out what went away, also between its listing and the look at its numbers', async () => {
    const root = folderWith({ '/a': 'a', '/b': 'b', '/d/c': 'c' });
    const lister = diskLister(root, true);
    const scan = new TreeScan(
      optionsOf(root, {
        lister: {
          ...lister,
          list(folder, known) {
            // Between the look at the folder's time and that at its files.
            const goes = (name: string): string => (name === 'b' ? 'gone' : name);
            const names = known && Array.from(known.names, goes);
            return lister.list(folder, known && { ...known, names: names ?? [] });
          },
        },
      }),
    );
    await run(scan);
    expect(texts(await run(scan)).sort()).toEqual(['/a', '/d/', '/d/c']);
    rmSync(join(root, 'd'), { recursive: true });
    renameSync(join(root, 'a'), join(root, 'z'));
    expect(texts(await run(scan)).sort()).toEqual(['/b', '/z']);
  });

  it('follows links once, and not back to where they are', async () => {
    const root = folderWith({ '/a/x': '', '/b/y': '' });
    symlinkSync('../b', join(root, 'a', 'tob'));
    symlinkSync('../a', join(root, 'b', 'toa'));
    symlinkSync('.', join(root, 'self'));
    const scan = new TreeScan(optionsOf(root));
    const expected = [
      '/a/',
      '/a/tob/',
      '/a/tob/toa/',
      '/a/tob/y',
      '/a/x',
      '/b/',
      '/b/toa/',
      '/b/toa/tob/',
      '/b/toa/x',
      '/b/y',
      '/self/',
    ];
    expect(texts(await run(scan)).sort()).toEqual(expected);
    expect(texts(await run(scan)).sort()).toEqual(expected);
  });

  it('names a folder that fails, with what is known of it from before', async () => {
    const root = folderWith({ '/a': 'a', '/d/b': 'bb', '/d/e/c': 'c', '/g/h': '' });
    const lister = diskLister(root, true);
    const broken = new Map<string, string>();
    const scan = new TreeScan(
      optionsOf(root, {
        lister: {
          ...lister,
          list(folder, known) {
            const code = broken.get(folder);
            if (code !== undefined) throw Object.assign(new Error(code), { code });
            return lister.list(folder, known);
          },
        },
      }),
    );
    broken.set(join(root, 'g'), 'EMFILE');
    const first = await run(scan);
    expect(first.failures).toEqual(['/g EMFILE']);
    expect(texts(first).sort()).toEqual(['/a', '/d/', '/d/b', '/d/e/', '/d/e/c', '/g/']);
    broken.clear();
    broken.set(join(root, 'd'), 'EIO');
    const second = await run(scan);
    expect(second.failures).toEqual(['/d EIO']);
    expect(texts(second).sort()).toEqual(treeOf(root));
    expect(second.entries.find(({ path }) => path.text === '/d/b')).toMatchObject({ size: 2 });
    // Gone is no failure, but for the root.
    broken.clear();
    broken.set(join(root, 'd'), 'ENOENT');
    expect(await run(scan)).toMatchObject({ failures: [] });
    broken.set(root, 'ENOENT');
    expect(await run(scan)).toMatchObject({ failures: [' ENOENT'], entries: [] });
    broken.clear();
    expect(texts(await run(scan)).sort()).toEqual(treeOf(root));
  });

  it('sees links that come to lead somewhere, though their folder is unchanged', async () => {
    const root = folderWith({ '/a/x': '', '/b/y': '' });
    symlinkSync('../b/later', join(root, 'a', 'link'));
    const scan = new TreeScan(optionsOf(root));
    expect(texts(await run(scan))).not.toContain('/a/link');
    put(root, '/b/later', '');
    expect(texts(await run(scan))).toContain('/a/link');
    rmSync(join(root, 'b', 'later'));
    expect(texts(await run(scan))).not.toContain('/a/link');
    put(root, '/b/later', '');
    expect(texts(await run(scan))).toContain('/a/link');
  });

  it('removes a temporary that was young the first time', async () => {
    const root = folderWith({ '/a': '' });
    const name = '/.ecliptic-00000000-0000-4000-8000-000000000000.tmp';
    put(root, name, '');
    let now = Date.now() + 5_000;
    const lister = removeStaleTemporaries(diskLister(root, true), () => now);
    const scan = new TreeScan(optionsOf(root, { lister }));
    expect(texts(await run(scan))).toEqual(['/a']);
    expect(treeOf(root)).toEqual([name, '/a']);
    now += 60_000;
    expect(texts(await run(scan))).toEqual(['/a']);
    expect(treeOf(root)).toEqual(['/a']);
  });

  it('believes no names of another folder, and no numbers of what is outside', () => {
    const outside = folderWith({ '/a': 'secret' });
    const root = folderWith({ '/d/a': 'a' });
    const lister = diskLister(root, true);
    const folder = join(root, 'd');
    const { ino, changedAt } = lister.list(folder);
    expect(lister.list(folder, { ino, changedAt, names: ['a'] })).toMatchObject({ same: true });
    expect(lister.list(folder, { ino: ino + 1, changedAt, names: ['z'] })).toMatchObject({
      same: false,
      entries: [{ name: 'a' }],
    });
    const swapped = {
      *[Symbol.iterator]() {
        renameSync(folder, join(root, 'old'));
        symlinkSync(outside, folder);
        yield 'a';
      },
    };
    expect(() => lister.list(folder, { ino, changedAt, names: swapped })).toThrow('ENOENT');
  });

  it('lets what is no failure of the system through', async () => {
    const root = folderWith({ '/a': '' });
    const lister = diskLister(root, true);
    const wrong = new TypeError('a mistake');
    const list = (): never => {
      throw wrong;
    };
    await expect(run(new TreeScan(optionsOf(root, { lister: { ...lister, list } })))).rejects.toBe(
      wrong,
    );
  });
});

describe('a scan of a large tree', () => {
  function helped(
    root: string,
    make: (list: (tasks: readonly FolderTask[]) => ListedFolders, nth: number) => FakeHelper,
    helpers = 1,
  ): { readonly scan: TreeScan; readonly made: FakeHelper[] } {
    const made: FakeHelper[] = [];
    // Each folder counts for hundreds of entries, so that a small tree is large.
    const options = optionsOf(root, { lister: crowded(diskLister(root, true), 400), helpers });
    const newHelper = (): FakeHelper => {
      const helper = make((tasks) => listFolders(tasks, options), made.length);
      made.push(helper);
      return helper;
    };
    return { scan: new TreeScan({ ...options, newHelper }), made };
  }

  const alone = async (root: string): Promise<Run> => run(helped(root, () => failing(), 0).scan);
  const failing = (): never => {
    throw new Error('not wanted');
  };

  it('is the same, in the same order, whoever lists and how fast', async () => {
    const root = wideTree();
    const expected = await alone(root);
    for (const [helpers, turns] of [
      [1, 1],
      [3, 1],
      [1, 5],
      [2, 20],
    ] as const) {
      const { scan, made } = helped(root, (list) => new FakeHelper(list, turns), helpers);
      const found = await run(scan);
      expect(texts(found)).toEqual(texts(expected));
      expect(found.entries).toEqual(expected.entries);
      expect(made).toHaveLength(helpers);
      for (const helper of made) {
        expect(helper.asked).toBeGreaterThan(0);
        expect(helper.closed).toBe(true);
      }
      expect(found.progress.at(-1)).toBe(241);
    }
  });

  it('is whole though a helper dies, and says so', async () => {
    const root = wideTree();
    const expected = await alone(root);
    const { scan, made } = helped(root, (list, nth) => new FakeHelper(list, 2, nth + 1), 2);
    const found = await run(scan);
    expect(found.entries).toEqual(expected.entries);
    expect(found.died).toEqual([new Error('killed'), new Error('killed')]);
    expect(made).toHaveLength(2);
  });

  it('needs no help when it is small', async () => {
    const scan = new TreeScan(optionsOf(wideTree(), { helpers: 3, newHelper: failing }));
    expect((await run(scan)).entries).toHaveLength(440);
  });

  it('lets its helpers go when nobody wants the rest', async () => {
    const { scan, made } = helped(wideTree(), (list) => new FakeHelper(list));
    const output = { part: () => {}, failed: () => {}, helperDied: () => {} };
    for await (const folders of scan.run(output)) if (folders > 60) break;
    expect(made.map(({ closed }) => closed)).toEqual([true]);
  });

  it('reports no death of those that it let go, and does not do their work', async () => {
    const died: unknown[] = [];
    const { scan } = helped(wideTree(), (list) => new FakeHelper(list, 5));
    const output = { part: () => {}, failed: () => {}, helperDied: (e: unknown) => died.push(e) };
    for await (const folders of scan.run(output)) if (folders > 60) break;
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    expect(died).toEqual([]);
  });

  it('gives one that is dead little to do, and is whole', async () => {
    const root = wideTree();
    const expected = await alone(root);
    const { scan, made } = helped(root, (list) =>
      Object.assign(new FakeHelper(list), { dead: true }),
    );
    const found = await run(scan);
    expect(found.entries).toEqual(expected.entries);
    expect(made.map(({ asked }) => asked)).toEqual([2]);
    expect(found.died).toEqual([new Error('dead')]);
  });

  it('is whole where no thread can be started', async () => {
    const root = wideTree();
    const expected = await alone(root);
    const { scan } = helped(root, () => failing());
    const found = await run(scan);
    expect(found.entries).toEqual(expected.entries);
    expect(found.died).toEqual([new Error('not wanted')]);
  });

  it('is listed by real threads', async () => {
    const root = wideTree();
    const expected = await run(
      new TreeScan(optionsOf(root, { ignored: (path) => path.endsWith('f') })),
    );
    const helper = new ScanHelperThread({ root, ignore: ignoreRules(['f']), followLinks: true });
    const tasks = ['d0', 'd1'].map((name) => ({
      real: join(root, name),
      path: `/${name}`,
      known: undefined,
    }));
    const [first, second] = await Promise.all([helper.list(tasks), helper.list(tasks.slice(1))]);
    expect(first.names.map((names) => names.split('/').sort())).toEqual(
      ['/d0/', '/d1/'].map((start) =>
        texts(expected)
          .filter((text) => text.startsWith(`${start}e`))
          .map((text) => text.slice(start.length, -1))
          .sort(),
      ),
    );
    expect(second.names).toEqual(first.names.slice(1));
    helper.close();
    await expect(helper.list(tasks)).rejects.toThrow('The thread ended');
  });
});

it.skipIf(process.getuid?.() === 0)('a folder that may not be read is named', async () => {
  const root = folderWith({ '/d/b': '' });
  chmodSync(join(root, 'd'), 0);
  const { failures } = await run(new TreeScan(optionsOf(root)));
  chmodSync(join(root, 'd'), 0o755);
  expect(failures).toEqual(['/d EACCES']);
});
