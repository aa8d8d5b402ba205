import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { VFSContext, VFSPath, VFSScanner, type VFSBackendChange } from '@ecliptic/vfs';
import { diskBackend, VFSFileWatcher, type FileWatchOptions } from '@ecliptic/vfs/node';
import { afterEach, describe, expect, it } from 'vitest';
import {
  cleanUpFolders,
  folderWith,
  put,
  scanAll,
  treeOf,
  withoutRepeats,
} from './disk-fixtures.js';
import { storm } from './storm.js';

cleanUpFolders();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((watcher) => watcher.close()));
});

interface Followed {
  readonly watcher: VFSFileWatcher;
  readonly seen: string[];
  /** Waits until `done` holds of what was seen; the system reports in its own time. */
  readonly until: (done: (seen: readonly string[]) => boolean) => Promise<string[]>;
}

async function follow(root: string, options?: FileWatchOptions): Promise<Followed> {
  const seen: string[] = [];
  const watcher = new VFSFileWatcher(root, (changes) => seen.push(...changes.map(show)), options);
  open.push(watcher);
  await watcher.start();
  return {
    watcher,
    seen,
    async until(done) {
      for (let i = 0; i < 3_000 && !done(seen); i++) await new Promise((go) => setTimeout(go, 10));
      if (!done(seen)) throw new Error(`waited in vain; seen: ${seen.join()}`);
      return [...seen];
    },
  };
}

const show = ({ kind, path, from }: VFSBackendChange): string =>
  `${kind} ${from ? `${from.text} > ` : ''}${path.text}`;

/** Path and content of every file that is not of version control. */
function filesOf(root: string): [string, string][] {
  return treeOf(root)
    .filter((path) => !path.startsWith('/.git/') && !path.endsWith('/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

// Real events and workers take their time on a busy machine.
describe('a file watcher on a real disk', () => {
  it('sees what editors, copies and checkouts do', async () => {
    const root = folderWith({ '/a.png': 'a', '/d/b': 'b', '/old/c': 'c' });
    const { until } = await follow(root);
    writeFileSync(join(root, 'a.png~'), 'new');
    renameSync(join(root, 'a.png~'), join(root, 'a.png'));
    appendFileSync(join(root, 'd/b'), 'more');
    renameSync(join(root, 'old'), join(root, 'moved'));
    put(root, '/fresh/deep/er/x', 'x');
    const seen = await until((all) => withoutRepeats(all).length >= 8);
    expect(withoutRepeats(seen).sort()).toEqual([
      'created /fresh',
      'created /fresh/deep',
      'created /fresh/deep/er',
      'created /fresh/deep/er/x',
      'modified /a.png',
      'modified /d/b',
      'renamed /old > /moved',
      'renamed /old/c > /moved/c',
    ]);
    put(root, '/moved/c', 'written to after the move');
    await until((all) => all.includes('modified /moved/c'));
    rmSync(join(root, 'd'), { recursive: true });
    await until((all) => all.includes('removed /d/b') && all.includes('removed /d'));
  });

  it('passes over version control, caches, and the temporaries of editors', async () => {
    const root = folderWith({ '/.git/HEAD': '1' });
    const { seen, until } = await follow(root);
    for (const path of [
      '.git/HEAD',
      'node_modules/x/y',
      '.cache/z',
      'a.txt~',
      '.a.txt.swp',
      '4913',
    ]) {
      put(root, path, 'x');
    }
    put(root, '/last', 'x');
    await until((all) => all.includes('created /last'));
    expect(withoutRepeats(seen)).toEqual(['created /last']);
  });

  it('finds every file of a folder that is filled while it is being noticed', async () => {
    const root = folderWith();
    const { until } = await follow(root);
    const paths = Array.from({ length: 600 }, (_, i) => `/d${i % 20}/e${i % 7}/f${i}`);
    for (const path of paths) put(root, path, path);
    const wanted = treeOf(root).length;
    const seen = await until(
      (all) => all.filter((each) => each.startsWith('created')).length >= wanted,
    );
    for (const path of paths) expect(seen).toContain(`created ${path}`);
  });

  it('with hashes, reports an edit that kept size and time, and no chmod or rewrite of the same bytes', async () => {
    const root = folderWith({ '/a': 'one', '/b': 'same' });
    utimesSync(join(root, 'a'), 1, 1);
    const { seen, until } = await follow(root, { hash: true });
    chmodSync(join(root, 'b'), 0o600);
    writeFileSync(join(root, 'b'), 'same');
    writeFileSync(join(root, 'a'), 'two');
    utimesSync(join(root, 'a'), 1, 1);
    await until((all) => all.includes('modified /a'));
    expect(seen.filter((each) => each.endsWith('/b'))).toEqual([]);
  });

  it('works by polling alone', async () => {
    const root = folderWith({ '/a': 'a' });
    const { until, watcher } = await follow(root, { polling: true, pollInterval: 50 });
    put(root, '/a', 'aa');
    put(root, '/n/b', 'b');
    await until((all) => all.includes('modified /a') && all.includes('created /n/b'));
    expect(await watcher.stats()).toMatchObject({ watched: 0, polled: 2 });
  });

  it('sees a file that was written without a name and linked into place', async ({ skip }) => {
    // O_TMPFILE and linkat: Node has neither, python3 has both.
    const root = folderWith();
    const { until } = await follow(root);
    const script = [
      'import ctypes,os,sys',
      'fd=os.open(sys.argv[1],os.O_TMPFILE|os.O_WRONLY,0o644)',
      'os.write(fd,b"whole")',
      'own,new=f"/proc/self/fd/{fd}".encode(),(sys.argv[1]+"/saved").encode()',
      'sys.exit(-ctypes.CDLL(None).linkat(-100,own,-100,new,0x400))',
    ];
    try {
      execFileSync('python3', ['-c', script.join('\n'), root], { stdio: 'pipe' });
    } catch {
      skip('no python3, or a file system without O_TMPFILE');
    }
    const seen = await until((all) => all.includes('created /saved'));
    expect(withoutRepeats(seen)).toEqual(['created /saved']);
  });

  it('misses nothing of a checkout of another branch', async ({ skip }) => {
    const root = folderWith();
    const git = (...args: string[]): void => {
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'gc.auto=0'];
      execFileSync('git', [...own, ...args], { cwd: root, stdio: 'pipe' });
    };
    try {
      git('init', '-q', '-b', 'one');
    } catch {
      skip('no git');
    }
    const write = (branch: string, from: number, to: number): void => {
      for (let i = from; i < to; i++) put(root, `/d${i % 13}/e${i % 5}/f${i}`, `${branch} ${i}`);
      git('add', '.');
      git('commit', '-qm', branch);
    };
    write('one', 0, 300);
    git('checkout', '-qb', 'two');
    for (let i = 0; i < 13; i += 2) rmSync(join(root, `d${i}`), { recursive: true });
    write('two', 150, 450);
    const { until } = await follow(root);
    const before = new Map(filesOf(root));
    git('checkout', '-q', 'one');
    const after = new Map(filesOf(root));
    const differs = (path: string): boolean => before.get(path) !== after.get(path);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(differs);
    expect(changed.length).toBeGreaterThan(300);
    const told = (seen: readonly string[], path: string): boolean =>
      seen.some((each) => each.endsWith(` ${path}`) || each.includes(` ${path} > `));
    await until((seen) => changed.every((path) => told(seen, path)));
  });

  it('waits for a root that is not there yet, also below a link', async () => {
    const place = folderWith({ '/real/x': '' });
    symlinkSync('real', join(place, 'link'));
    const root = join(place, 'link/later');
    const { until } = await follow(root);
    put(root, '/a', 'a');
    const seen = await until((all) => all.includes('created /a'));
    expect(withoutRepeats(seen)).toEqual(['created /a']);
    put(root, '/a', 'changed');
    await until((all) => all.includes('modified /a'));
  });

  it('tells who waits when its worker has ended', async () => {
    const { watcher } = await follow(folderWith());
    await watcher.close();
    await expect(watcher.stats()).rejects.toMatchObject({ code: 'vfs/disposed' });
    await expect(watcher.start()).rejects.toMatchObject({ code: 'vfs/disposed' });
  });

  it('a context delivers its changes in tick, and only there', async () => {
    const root = folderWith({ '/a': 'a' });
    const vfs = new VFSContext({ quiet: 20 });
    const backend = diskBackend(root);
    vfs.mount('/game', backend, { owned: true });
    const seen: string[] = [];
    const subscription = vfs.watch('/game', ({ kind, path }) => seen.push(`${kind} ${path.text}`));
    await subscription.ready;
    await vfs.writeFile('/game/a', 'written by ourselves');
    for (let i = 0; i < 500 && seen.length === 0; i++) {
      await new Promise((go) => setTimeout(go, 10));
      expect(seen).toEqual([]);
      vfs.tick();
    }
    expect(seen).toEqual(['modified /game/a']);
    subscription.dispose();
    await vfs.dispose();
  });

  it('a small storm ends with all known, nothing lost, and an event or two a quiet path', async () => {
    const root = folderWith();
    const result = await storm({ root, files: 200, duration: 1_500, seed: 7 });
    expect(result).toMatchObject({ lost: [], ghosts: [] });
    // Where the disk's clock can't tell two writes apart, a second one is told that may not have been.
    expect(
      Object.keys(result.eventsPerQuietPath)
        .map(Number)
        .every((n) => n === 1 || n === 2),
    ).toBe(true);
    expect(result.operations).toBeGreaterThanOrEqual(400);
  });

  it('a storm with the main thread blocked loses nothing either', async () => {
    const root = folderWith();
    const result = await storm({ root, files: 400, duration: 1_500, blocked: 700, seed: 8 });
    expect(result).toMatchObject({ lost: [], ghosts: [] });
  });
});

describe('scanning a real disk', () => {
  const digest = (text: string): string => createHash('sha1').update(text).digest('hex');

  it('lists everything below the root, parents first, and again with what is new', async () => {
    const root = folderWith({ '/a': 'aa', '/d/e/b': 'b', '/skip/c': 'c' });
    const backend = diskBackend(root);
    open.push({ close: async () => backend.dispose?.() });
    const scan = async (): Promise<string[]> => {
      const entries = await scanAll(backend, { ignore: ['skip'] });
      return entries.map(({ path, kind, size }) => `${path.text} ${kind} ${size}`).sort();
    };
    expect(await scan()).toEqual(['/a file 2', '/d folder 0', '/d/e folder 0', '/d/e/b file 1']);
    put(root, '/d/e/b', digest('b'));
    put(root, '/d/n', '');
    rmSync(join(root, 'a'));
    expect(await scan()).toEqual(['/d folder 0', '/d/e folder 0', '/d/e/b file 40', '/d/n file 0']);
  });

  it('removes temporaries that crashed writes left behind, once they are old', async () => {
    const temporary = '.ecliptic-01234567-89ab-4def-8123-456789abcdef.tmp';
    const fresh = '.ecliptic-11234567-89ab-4def-8123-456789abcdef.tmp';
    const root = folderWith({ [`/d/${temporary}`]: 'half', [`/${fresh}`]: 'half', '/a': 'a' });
    utimesSync(join(root, 'd', temporary), 1, 1);
    const backend = diskBackend(root);
    open.push({ close: async () => backend.dispose?.() });
    const entries = await scanAll(backend, { ignore: [] });
    expect(entries.map(({ path }) => path.text)).toEqual(['/a', '/d']);
    expect(treeOf(root)).toEqual([`/${fresh}`, '/a', '/d/']);
  });

  it('of a root that is missing or may not be read fails, and is no empty tree', async () => {
    const vfs = new VFSContext();
    const root = folderWith({ '/a': 'a' });
    vfs.mount('/', diskBackend(root), { owned: true });
    const scanner = new VFSScanner(vfs);
    expect((await scanner.scan('/')).entries.size).toBe(1);
    rmSync(root, { recursive: true });
    await expect(scanner.scan('/')).rejects.toMatchObject({ code: 'vfs/not-found' });
    put(root, '/b', 'b');
    expect([...(await scanner.scan('/')).entries.keys()]).toEqual(['/b']);
    await vfs.dispose();
  });

  it.skipIf(process.getuid?.() === 0)('names folders that may not be read', async () => {
    const root = folderWith({ '/a': 'a', '/d/b': 'b' });
    chmodSync(join(root, 'd'), 0);
    const vfs = new VFSContext();
    vfs.mount('/game', diskBackend(root), { owned: true });
    const { entries, failures } = await new VFSScanner(vfs).scan('/game');
    chmodSync(join(root, 'd'), 0o755);
    expect([...entries.keys()]).toEqual(['/game/a', '/game/d']);
    expect(failures).toMatchObject([
      { operation: 'scan', path: { text: '/game/d' }, error: { code: 'vfs/permission' } },
    ]);
    await vfs.dispose();
  });

  it('stops when told, and starts anew afterwards', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`/d${i}/a`, '']));
    const backend = diskBackend(folderWith(files));
    open.push({ close: async () => backend.dispose?.() });
    const controller = new AbortController();
    const scan = scanAll(backend, {
      ignore: [],
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(scan).rejects.toThrow('enough');
    expect(await scanAll(backend, { ignore: [] })).toHaveLength(600);
    expect(VFSPath.root.isRoot).toBe(true);
  });
});
