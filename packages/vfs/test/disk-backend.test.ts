import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@ecliptic/core';
import { VFSContext, VFSError, VFSPath, type VFSBackend } from '@ecliptic/vfs';
import { diskBackend, type DiskCalls } from '@ecliptic/vfs/node';
import { describe, expect, it } from 'vitest';
import { DiskRoot, nodeCalls } from '../src/node/disk-root.js';
import { windowsNameProblem } from '../src/node/windows-names.js';
import { cleanUpFolders, folderWith, put, treeOf } from './disk-fixtures.js';

cleanUpFolders();

const path = (of: string): VFSPath => VFSPath.parse(of);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'test' });
}

/** The disk's calls, with `fault` asked before each. */
function faulty(fault: (call: string, number: number) => void): DiskCalls {
  let count = 0;
  const before = (call: string): void => fault(call, count++);
  return new Proxy(nodeCalls, {
    get(target, name: keyof DiskCalls) {
      if (name !== 'open') {
        return (...args: unknown[]) => {
          before(name);
          return (target[name] as (...all: unknown[]) => unknown)(...args);
        };
      }
      return async (...args: Parameters<DiskCalls['open']>) => {
        before('open');
        const handle = await target.open(...args);
        return new Proxy(handle, {
          get(inner, key: keyof typeof handle) {
            const value = Reflect.get(inner, key, inner) as unknown;
            if (typeof value !== 'function') return value;
            return (...all: unknown[]) => {
              // What was opened can always be closed.
              if (key !== 'close') before(`handle.${String(key)}`);
              return (value as (...all: unknown[]) => unknown).apply(inner, all);
            };
          },
        });
      };
    },
  });
}

async function code(call: Promise<unknown> | undefined): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    return VFSError.is(error) ? error.code : String(error);
  }
}

describe("no path and no symlink leads outside a backend's root (59)", () => {
  function prison(): { root: string; outside: string; backend: VFSBackend } {
    const outside = folderWith({ '/secret.txt': 'secret', '/d/deep.txt': 'secret' });
    const root = folderWith({ '/in.txt': 'in', '/d/x.txt': 'x' });
    return { root, outside, backend: diskBackend(root) };
  }

  it('refuses links that lead out, for every operation, and leaves what is outside alone', async () => {
    const { root, outside, backend } = prison();
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file'));
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync('../../../../../../../../etc', join(root, 'etc'));
    symlinkSync('folder', join(root, 'twice'));
    const before = treeOf(outside);
    for (const name of ['/file', '/folder/secret.txt', '/twice/secret.txt', '/etc/passwd']) {
      expect(await code(backend.read(path(name)))).toBe('vfs/escape');
      expect(await code(backend.readStream?.(path(name)))).toBe('vfs/escape');
      expect(await code(backend.stat(path(name)))).toBe('vfs/escape');
      expect(await code(backend.write(path(name), bytes('overwritten')))).toBe('vfs/escape');
    }
    for (const name of ['/folder', '/twice', '/etc', '/folder/d']) {
      expect(await code(backend.list(path(name)))).toBe('vfs/escape');
      expect(await code(backend.createFolder(path(`${name}/made`)))).toBe('vfs/escape');
      expect(await code(backend.write(path(`${name}/new.txt`), bytes('x')))).toBe('vfs/escape');
      expect(await code(backend.remove(path(`${name}/secret.txt`)))).toBe('vfs/escape');
      expect(await code(backend.rename(path('/in.txt'), path(`${name}/moved.txt`)))).toBe(
        'vfs/escape',
      );
    }
    expect(await code(backend.rename(path('/folder/secret.txt'), path('/stolen.txt')))).toBe(
      'vfs/escape',
    );
    expect((await backend.list(VFSPath.root)).map(({ name }) => name).sort()).toEqual([
      'd',
      'in.txt',
    ]);
    expect(treeOf(outside)).toEqual(before);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('removes a link that leads out, not what it leads to', async () => {
    const { root, outside, backend } = prison();
    symlinkSync(outside, join(root, 'd/folder'));
    await backend.remove(path('/d'), { recursive: true });
    expect(treeOf(outside)).toEqual(['/d/', '/d/deep.txt', '/secret.txt']);
    symlinkSync(outside, join(root, 'link'));
    await backend.remove(path('/link'), { recursive: true });
    expect(treeOf(outside)).toHaveLength(3);
    expect(readdirSync(root)).toEqual(['in.txt']);
  });

  it('follows links that stay inside, and writes through them', async () => {
    const { root, backend } = prison();
    symlinkSync('d', join(root, 'alias'));
    symlinkSync('d/x.txt', join(root, 'file'));
    expect(text(await backend.read(path('/alias/x.txt')))).toBe('x');
    await backend.write(path('/file'), bytes('written'));
    await backend.write(path('/alias/new.txt'), bytes('new'));
    expect(readlinkSync(join(root, 'file'))).toBe('d/x.txt');
    expect(readFileSync(join(root, 'd/x.txt'), 'utf8')).toBe('written');
    expect((await backend.list(VFSPath.root)).length).toBe(4);
    expect((await backend.stat(path('/alias'))).kind).toBe('folder');
    const names = await backend.list(path('/alias'));
    expect(names.map(({ name }) => name).sort()).toEqual(['new.txt', 'x.txt']);
  });

  it('has nothing where links lead in a circle or nowhere', async () => {
    const { root, backend } = prison();
    symlinkSync('loop', join(root, 'loop'));
    symlinkSync('nowhere', join(root, 'dangling'));
    for (const name of ['/loop', '/dangling', '/loop/x']) {
      expect(await code(backend.read(path(name)))).toBe('vfs/not-found');
      expect(await code(backend.stat(path(name)))).toBe('vfs/not-found');
    }
    expect(await code(backend.write(path('/dangling'), bytes('x')))).toBe('vfs/not-found');
    expect((await backend.list(VFSPath.root)).map(({ name }) => name).sort()).toEqual([
      'd',
      'in.txt',
    ]);
  });

  it('a sibling folder whose name begins with that of the root is outside', async () => {
    const { root, backend } = prison();
    const sibling = `${root}-sibling`;
    mkdirSync(sibling);
    writeFileSync(join(sibling, 'secret.txt'), 'secret');
    try {
      symlinkSync(sibling, join(root, 'link'));
      expect(await code(backend.read(path('/link/secret.txt')))).toBe('vfs/escape');
    } finally {
      rmSync(sibling, { recursive: true });
    }
  });

  it('a root that is a link itself is what it leads to', async () => {
    const { root, outside } = prison();
    symlinkSync(root, join(outside, 'project'));
    const backend = diskBackend(join(outside, 'project'));
    expect(text(await backend.read(path('/in.txt')))).toBe('in');
    await backend.write(path('/n/a'), bytes('a'));
    expect(readFileSync(join(root, 'n/a'), 'utf8')).toBe('a');
  });

  /** Between any two calls to the disk, swaps a folder for a link that leads out, and back. */
  function swapping(root: string, outside: string): DiskCalls {
    let swapped = false;
    const [real, aside] = [join(root, 'd'), join(root, 'aside')];
    return faulty((_call, number) => {
      // A different rhythm each time, so that every pair of calls is hit.
      if ((number * 7 + (number >> 3)) % 3 !== 0) return;
      if (swapped) {
        rmSync(real);
        renameSync(aside, real);
      } else {
        renameSync(real, aside);
        symlinkSync(outside, real);
      }
      swapped = !swapped;
    });
  }

  it('also when the link is made after the check', async () => {
    const { root, outside } = prison();
    put(outside, '/x.txt', 'secret');
    const backend = diskBackend(root, { calls: swapping(root, outside), durable: false });
    const before = treeOf(outside);
    const outcomes = new Set<string>();
    for (let i = 0; i < 120; i++) {
      const read = await backend
        .read(path('/d/x.txt'))
        .then(text, (error: unknown) => (VFSError.is(error) ? error.code : String(error)));
      expect(read).not.toBe('secret');
      outcomes.add(read);
      outcomes.add(await code(backend.write(path(`/d/w${i % 5}.txt`), bytes('w'))));
      outcomes.add(await code(backend.createFolder(path(`/d/made${i % 5}/deep`))));
      outcomes.add(await code(backend.rename(path(`/d/w${i % 5}.txt`), path(`/d/v${i % 5}.txt`))));
      outcomes.add(await code(backend.remove(path(`/d/made${i % 5}`), { recursive: true })));
      const listed = await backend.list(path('/d')).catch(() => []);
      expect(listed.map(({ name }) => name)).not.toContain('secret.txt');
    }
    expect(treeOf(outside)).toEqual(before);
    expect(readFileSync(join(outside, 'x.txt'), 'utf8')).toBe('secret');
    // Both sides were hit.
    expect(outcomes).toContain('vfs/escape');
    expect(outcomes).toContain('done');
  });

  it('without /proc, places are checked by name', async () => {
    const { root, outside } = prison();
    symlinkSync(outside, join(root, 'link'));
    const disk = new DiskRoot(root, nodeCalls, false);
    await expect(disk.open(path('/link/secret.txt'))).rejects.toMatchObject({ code: 'vfs/escape' });
    await expect(disk.openFolder(path('/link'))).rejects.toMatchObject({ code: 'vfs/escape' });
    await expect(disk.openFolder(path('/in.txt'))).rejects.toMatchObject({
      code: 'vfs/not-folder',
    });
    const { handle } = await disk.open(path('/in.txt'));
    expect((await handle.readFile()).toString()).toBe('in');
    await handle.close();
    // The file that was opened is another one by the time that its place is looked at.
    const late = new DiskRoot(
      root,
      faulty((call) => {
        if (call !== 'realpath') return;
        rmSync(join(root, 'in.txt'), { force: true });
        put(root, '/in.txt', 'other');
      }),
      false,
    );
    await expect(late.open(path('/in.txt'))).rejects.toMatchObject({ code: 'vfs/escape' });
  });
});

describe('a folder on disk', () => {
  it.skipIf(process.platform === 'win32')(
    'has nothing that is neither file nor folder, and does not wait for it',
    async () => {
      const root = folderWith({ '/a': 'a' });
      execFileSync('/usr/bin/env', ['mkfifo', join(root, 'pipe')]);
      const backend = diskBackend(root);
      expect(await code(backend.read(path('/pipe')))).toBe('vfs/not-found');
      expect(await code(backend.stat(path('/pipe')))).toBe('vfs/not-found');
      expect((await backend.list(VFSPath.root)).map(({ name }) => name)).toEqual(['a']);
    },
  );

  it('keeps the permissions of a file that it replaces, and hard links as they were', async () => {
    const root = folderWith({ '/script': 'old' });
    chmodSync(join(root, 'script'), 0o750);
    linkSync(join(root, 'script'), join(root, 'other'));
    await diskBackend(root).write(path('/script'), bytes('new'));
    expect(statSync(join(root, 'script')).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(root, 'other'), 'utf8')).toBe('old');
  });

  it('says what is wrong in terms of the tree', async () => {
    const vfs = new VFSContext();
    vfs.mount('/game', diskBackend(folderWith({ '/a': 'a' })));
    await expect(vfs.readFile('/game/none')).rejects.toMatchObject({ code: 'vfs/not-found' });
    const error = await vfs.writeFile('/game/a/b', 'x').catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'vfs/not-folder', subjects: { path: '/game/a/b' } });
    expect(String(error)).toContain("Can't write /game/a/b in /game (disk, priority 0)");
    const missing = diskBackend('/nowhere/at/all');
    expect(await code(missing.list(VFSPath.root))).toBe('vfs/not-found');
    expect(await code(missing.write(path('/a'), bytes('x')))).toBe('vfs/not-found');
  });

  it.each([
    ['EACCES', 'vfs/permission'],
    ['EMFILE', 'vfs/too-many-open'],
    ['ENOSPC', 'vfs/no-space'],
    ['EIO', 'vfs/io'],
    ['EROFS', 'vfs/read-only'],
    ['EBUSY', 'vfs/busy'],
  ])('%s is %s', async (system, expected) => {
    const calls = faulty((call) => {
      if (call === 'open') throw systemError(system);
    });
    const backend = diskBackend(folderWith({ '/a': 'a' }), { calls });
    for (const call of [
      backend.read(path('/a')),
      backend.list(VFSPath.root),
      backend.write(path('/a'), bytes('b')),
    ]) {
      await expect(call).rejects.toMatchObject({ code: expected, subjects: { system } });
    }
  });

  it('opens only so many files at once, whatever is asked', async () => {
    let open = 0;
    let most = 0;
    const counting: DiskCalls = {
      ...nodeCalls,
      async open(...args) {
        const handle = await nodeCalls.open(...args);
        most = Math.max(most, ++open);
        const close = handle.close.bind(handle);
        handle.close = async () => {
          open--;
          await close();
        };
        return handle;
      },
    };
    const root = folderWith(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`/f${i}`, `${i}`])),
    );
    const backend = diskBackend(root, { calls: counting, concurrency: 8 });
    const read = await Promise.all(
      Array.from({ length: 300 }, (_, i) => backend.read(path(`/f${i}`))),
    );
    expect(read.map(text)).toEqual(Array.from({ length: 300 }, (_, i) => `${i}`));
    expect(most).toBeLessThanOrEqual(8);
    expect(open).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'leaves no file open after errors, cancelled streams and aborts',
    async () => {
      const root = folderWith({ '/a': new Uint8Array(1_000_000), '/d/b': 'b' });
      const backend = diskBackend(root);
      const count = (): number => readdirSync('/proc/self/fd').length;
      const before = count();
      const stream = await backend.readStream?.(path('/a'));
      await stream?.cancel();
      await code(backend.read(path('/d')));
      await code(backend.list(path('/a')));
      await code(backend.remove(path('/d')));
      await code(backend.rename(path('/d'), path('/d/e')));
      await code(backend.write(path('/d'), bytes('x')));
      const controller = new AbortController();
      const write = backend.write(path('/w'), new Uint8Array(8_000_000), {
        signal: controller.signal,
      });
      setImmediate(() => controller.abort(new Error('enough')));
      expect(['Error: enough', 'done']).toContain(await code(write));
      expect(treeOf(root).filter((each) => each.endsWith('.tmp'))).toEqual([]);
      expect(count()).toBe(before);
    },
  );

  it('tells which names Windows can not store', () => {
    const bad = [
      'CON',
      'con.txt',
      'COM1',
      'lpt9.log',
      'a.',
      'a ',
      'a<b',
      'what?',
      'a|b',
      'a"b',
      'a*',
    ];
    expect(bad.filter((name) => windowsNameProblem(name) === undefined)).toEqual([]);
    const good = ['CONSOLE', 'com', 'COM10', 'a.b', '.a', 'a b', 'lpt'];
    expect(good.filter((name) => windowsNameProblem(name) !== undefined)).toEqual([]);
  });

  it('reads and writes names in any Unicode form, and keeps the form that is there', async () => {
    const root = folderWith({ '/cafe\u0301/x': 'x' });
    const backend = diskBackend(root);
    expect(text(await backend.read(path('/caf\u00e9/x')))).toBe('x');
    await backend.write(path('/caf\u00e9/y'), bytes('y'));
    await backend.rename(path('/caf\u00e9/y'), path('/caf\u00e9/\u00e9'));
    await backend.rename(path('/caf\u00e9/e\u0301'), path('/caf\u00e9/z'));
    expect(treeOf(root)).toEqual(['/cafe\u0301/', '/cafe\u0301/x', '/cafe\u0301/z']);
    await backend.remove(path('/caf\u00e9'), { recursive: true });
    expect(treeOf(root)).toEqual([]);
  });
});

describe(
  'writes are atomic: a crash at any point leaves the old or the new file whole (61)',
  {
    timeout: 30_000,
  },
  () => {
    it('whichever call to the disk fails, the file is the old or the new one, and nothing is left over', async () => {
      let done = false;
      let failures = 0;
      for (let at = 0; !done; at++) {
        const root = folderWith({ '/d/file': 'old' });
        const calls = faulty((_call, number) => {
          if (number === at) throw systemError('EIO');
        });
        const backend = diskBackend(root, { calls });
        const outcome = await code(backend.write(path('/d/file'), bytes('new')));
        done = outcome === 'done';
        if (!done) failures++;
        const content = readFileSync(join(root, 'd/file'), 'utf8');
        // A failure after the rename leaves the new one.
        expect(done ? ['new'] : ['old', 'new']).toContain(content);
        const left = treeOf(root);
        expect(left).toEqual(['/d/', '/d/file']);
      }
      expect(failures).toBeGreaterThan(8);
    });

    it('also when the file is new, and when the disk fails at every call from some point on', async () => {
      let done = false;
      for (let at = 0; !done; at++) {
        const root = folderWith();
        const calls = faulty((_call, number) => {
          if (number >= at) throw systemError('ENOSPC');
        });
        const outcome = await code(
          diskBackend(root, { calls }).write(path('/d/file'), bytes('new')),
        );
        done = outcome === 'done';
        const files = treeOf(root).filter((each) => !each.endsWith('/') && !each.endsWith('.tmp'));
        const content = files.map((file) => readFileSync(join(root, file), 'utf8'));
        expect([[], ['new']]).toContainEqual(content);
        expect(['done', 'vfs/no-space']).toContain(outcome);
      }
    });

    it('writes that the disk takes only in part are finished', async () => {
      const root = folderWith();
      const stingy: DiskCalls = {
        ...nodeCalls,
        async open(...args) {
          const handle = await nodeCalls.open(...args);
          const write = handle.write.bind(handle) as (
            data: Uint8Array,
            offset: number,
            length: number,
          ) => Promise<{ bytesWritten: number; buffer: Uint8Array }>;
          const partly = (
            data: Uint8Array,
            offset: number,
            length: number,
          ): ReturnType<typeof write> => write(data, offset, Math.min(length, 7));
          return Object.assign(handle, { write: partly });
        },
      };
      const content = Uint8Array.from({ length: 1_000 }, (_, i) => i % 256);
      await diskBackend(root, { calls: stingy, durable: false }).write(path('/a'), content);
      expect(new Uint8Array(readFileSync(join(root, 'a')))).toEqual(content);
    });

    it('tries again while another program holds the file, and gives up in the end', async () => {
      const root = folderWith({ '/a': 'old' });
      for (const [busyFor, expected] of [
        [3, 'done'],
        [100, 'vfs/busy'],
      ] as const) {
        let left: number = busyFor;
        const clock = new ManualClock();
        const calls = faulty((call) => {
          if (call === 'rename' && left-- > 0) throw systemError('EBUSY');
        });
        let over = false;
        const write = code(
          diskBackend(root, { calls, clock }).write(path('/a'), bytes('new')),
        ).finally(() => (over = true));
        while (!over) {
          await new Promise((go) => setImmediate(go));
          clock.advance(50_000_000);
        }
        expect(await write).toBe(expected);
        expect(treeOf(root)).toEqual(['/a']);
      }
    });

    it('flushes the data before the rename, and the folder after it', async () => {
      const order: string[] = [];
      const calls = faulty((call) => order.push(call));
      await diskBackend(folderWith(), { calls }).write(path('/a'), bytes('x'));
      const [write, sync, rename] = ['handle.write', 'handle.sync', 'rename'].map((call) =>
        order.indexOf(call),
      );
      expect(write).toBeLessThan(sync ?? 0);
      expect(sync).toBeLessThan(rename ?? 0);
      expect(order.lastIndexOf('handle.sync')).toBeGreaterThan(rename ?? Infinity);
      expect(lstatSync('/').isDirectory()).toBe(true);
    });
  },
);

it('gives timers and signals a turn also where its calls block', async () => {
  const root = folderWith({ '/a': 'content' });
  const backend = diskBackend(root, { blocking: true });
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  for (let i = 0; i < 50_000 && turns < 3; i++) await backend.read(path('/a'));
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(3);
});

describe('a root that is no folder', () => {
  it.each([
    ['is missing', (_root: string): void => {}, 'vfs/not-found', 'does not exist'],
    ['is a file', (root: string): void => writeFileSync(root, ''), 'vfs/not-folder', 'has a file'],
  ] as const)('%s: the errors name it, and what to do', async (_, make, code, what) => {
    const root = join(folderWith({ '/a.txt': 'a' }), 'project');
    make(root);
    const backend = diskBackend(root);
    const file = path('/a.txt');
    const scan = async (): Promise<void> => {
      for await (const _ of backend.scan?.({ ignore: [] }) ?? []);
    };
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      stat: () => backend.stat(VFSPath.root),
      list: () => backend.list(VFSPath.root),
      write: () => backend.write(file, new Uint8Array(1)),
      createFolder: () => backend.createFolder(VFSPath.root),
      scan,
    };
    for (const [name, call] of Object.entries(calls)) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown as VFSError,
      );
      expect([name, error?.code, error?.subjects['folder']]).toEqual([name, code, root]);
      expect(error?.message).toContain(`${root} ${what}`);
      expect(error?.fix).toContain('folder');
    }
    await backend.dispose?.();
  });
});
