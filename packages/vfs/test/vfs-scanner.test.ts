import { join } from 'node:path';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import {
  DEFAULT_IGNORE,
  memoryBackend,
  VFSContext,
  VFSError,
  VFSPath,
  VFSScanner,
  type VFSBackend,
} from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { afterEach, describe, expect, it } from 'vitest';
import { ignoreRules } from '../src/scan/ignore.js';
import { isIgnored } from '../src/scan/ignore-rules.js';
import { cleanUpFolders, folderWith, scanAll } from './disk-fixtures.js';

cleanUpFolders();
const contexts: VFSContext[] = [];
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((vfs) => vfs.dispose()));
});

function context(): VFSContext {
  const vfs = new VFSContext();
  contexts.push(vfs);
  return vfs;
}

async function keys(vfs: VFSContext, root = '/'): Promise<string[]> {
  const { entries } = await new VFSScanner(vfs).scan(root);
  return [...entries.values()]
    .map(({ path, kind }) => path.text + (kind === 'folder' ? '/' : ''))
    .sort();
}

/** What merged listings show, one folder after the other. */
async function listed(vfs: VFSContext, at = '/'): Promise<string[]> {
  const found: string[] = [];
  for (const { path, kind } of await vfs.list(at)) {
    found.push(path.text + (kind === 'folder' ? '/' : ''));
    if (kind === 'folder') found.push(...(await listed(vfs, path.text)));
  }
  return found.sort();
}

describe('a scan', () => {
  it('finds everything below a path, with sizes and times', async () => {
    const vfs = context();
    vfs.mount('/game', memoryBackend({ files: { '/a': 'aa', '/d/e/b': 'b' }, now: () => 7 }));
    expect(await keys(vfs)).toEqual(['/game/', '/game/a', '/game/d/', '/game/d/e/', '/game/d/e/b']);
    expect(await keys(vfs, '/game/d')).toEqual(['/game/d/e/', '/game/d/e/b']);
    const { entries } = await new VFSScanner(vfs).scan('/');
    expect(entries.get('/game/a')).toMatchObject({ kind: 'file', size: 2, modified: 7 });
  });

  it('finds the same on disk, by a worker', async () => {
    const vfs = context();
    vfs.mount(
      '/',
      diskBackend(folderWith({ '/a': 'aa', '/d/e/b': 'b', '/.git/x': '', '/d/y.swp~': '' })),
      {
        owned: true,
      },
    );
    expect(await keys(vfs)).toEqual(['/a', '/d/', '/d/e/', '/d/e/b']);
    expect(await keys(vfs, '/d')).toEqual(['/d/e/', '/d/e/b']);
  });

  it('agrees with merged listings, whatever is mounted where', async () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => `/${parts.join('/')}`);
    const mount = fc.record({
      at: fc.oneof(fc.constant('/'), path),
      priority: fc.nat(2),
      files: fc.uniqueArray(path, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mount, { minLength: 1, maxLength: 4 }), async (mounts) => {
        const vfs = new VFSContext();
        for (const { at, priority, files } of mounts) {
          const backend = memoryBackend();
          try {
            vfs.mount(at, backend, { priority });
          } catch (error) {
            if (!VFSError.is(error, 'vfs/mounted-twice')) throw error;
            continue;
          }
          for (const file of files) {
            const own = vfs.mounts.find((one) => one.backend === backend);
            await own?.backend
              .write(VFSPath.parse(file), new Uint8Array(1))
              .catch((error: unknown) => {
                if (!VFSError.is(error)) throw error;
              });
          }
        }
        expect(await keys(vfs)).toEqual(await listed(vfs));
      }),
    );
  });

  it('says what is different from an earlier one', async () => {
    const root = folderWith({ '/a': 'a', '/b': 'b', '/d/c': 'c' });
    const vfs = context();
    vfs.mount('/', diskBackend(root), { owned: true });
    const scanner = new VFSScanner(vfs);
    const first = await scanner.scan('/');
    expect(first.changes.created).toHaveLength(4);
    expect((await scanner.scan('/', { previous: first })).changes).toEqual({
      created: [],
      modified: [],
      removed: [],
    });
    writeFileSync(join(root, 'a'), 'aa');
    rmSync(join(root, 'b'));
    renameSync(join(root, 'd'), join(root, 'e'));
    const { changes } = await scanner.scan('/', { previous: first });
    const texts = Object.entries(changes).map(([kind, list]) => [
      kind,
      list.map(({ path }: { path: { text: string } }) => path.text),
    ]);
    expect(Object.fromEntries(texts)).toEqual({
      created: ['/e', '/e/c'],
      modified: ['/a'],
      removed: ['/b', '/d', '/d/c'],
    });
  });

  it('names what other machines can not tell apart', async () => {
    const vfs = context();
    vfs.mount(
      '/',
      diskBackend(
        folderWith({
          '/Rock.png': '',
          '/rock.PNG': '',
          '/caf\u00e9': '1',
          '/cafe\u0301': '2',
          '/D/x': '',
          '/d/x': '',
        }),
      ),
      {
        owned: true,
      },
    );
    const { clashes, entries } = await new VFSScanner(vfs).scan('/');
    expect(clashes.map((same) => same.map(({ key }) => key).sort())).toEqual([
      ['/D', '/d'],
      ['/Rock.png', '/rock.PNG'],
      ['/caf\u00e9', '/caf\u00e9'],
    ]);
    expect([...entries.keys()].filter((key) => key.startsWith('/caf'))).toEqual(['/caf\u00e9']);
  });

  it('skips and names what fails, and rejects when nothing is left', async () => {
    const vfs = context();
    const files = memoryBackend({ files: { '/ok/a': '', '/bad/b': '' } });
    const half: VFSBackend = Object.assign(Object.create(files) as VFSBackend, {
      list: (path: { text: string }) =>
        path.text === '/bad'
          ? Promise.reject(new VFSError('vfs/io', 'sector 7'))
          : files.list(path as never),
      stat: files.stat.bind(files),
    });
    vfs.mount('/', half);
    const { entries, failures } = await new VFSScanner(vfs).scan('/');
    expect([...entries.keys()].sort()).toEqual(['/bad', '/ok', '/ok/a']);
    expect(failures.map(({ path, error }) => `${path.text} ${error.code}`)).toEqual([
      '/bad vfs/io',
    ]);
    await expect(new VFSScanner(vfs).scan('/bad')).rejects.toMatchObject({ code: 'vfs/io' });
    await expect(new VFSScanner(vfs).scan('/none')).rejects.toMatchObject({
      code: 'vfs/not-found',
    });
    await expect(new VFSScanner(context()).scan('/')).rejects.toMatchObject({
      code: 'vfs/not-mounted',
    });
  });

  it('takes over what a backend tells before it fails, and names the failure', async () => {
    const half: VFSBackend = {
      ...memoryBackend(),
      name: 'half',
      capabilities: memoryBackend().capabilities,
      async *scan() {
        yield [{ path: VFSPath.parse('/told'), kind: 'file', size: 1, modified: 1 }];
        throw new VFSError('vfs/io', 'sector 7');
      },
    };
    const vfs = context();
    vfs.mount('/half', half);
    await expect(new VFSScanner(vfs).scan('/')).rejects.toMatchObject({ code: 'vfs/io' });
    vfs.mount('/whole', memoryBackend({ files: { '/a': '' } }));
    const { entries, failures } = await new VFSScanner(vfs).scan('/');
    expect([...entries.keys()].sort()).toEqual(['/half', '/half/told', '/whole', '/whole/a']);
    expect(failures).toMatchObject([{ path: { text: '/half' }, error: { code: 'vfs/io' } }]);
  });

  it('asks at most so many folders at once, tells its progress, and stops when told', async () => {
    const vfs = context();
    const files = memoryBackend({
      files: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`/d${i}/a`, ''])),
    });
    let running = 0;
    let most = 0;
    const slow: VFSBackend = Object.assign(Object.create(files) as VFSBackend, {
      stat: files.stat.bind(files),
      list: async (path: never) => {
        most = Math.max(most, ++running);
        await new Promise((go) => setImmediate(go));
        running--;
        return files.list(path);
      },
    });
    vfs.mount('/', slow);
    const progress: number[] = [];
    const scanner = new VFSScanner(vfs, { concurrency: 4 });
    await scanner.scan('/', { onProgress: (folders) => progress.push(folders) });
    expect(most).toBe(4);
    expect(progress.at(-1)).toBe(51);
    const controller = new AbortController();
    const stopped = scanner.scan('/', {
      signal: controller.signal,
      onProgress: (folders) => folders > 10 && controller.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
  });

  it('of a disk rejects with what its listener throws, and can be done again', async () => {
    const files = Array.from({ length: 300 }, (_, i) => [`/d${i}/f`, '']);
    const vfs = context();
    vfs.mount('/', diskBackend(folderWith(Object.fromEntries(files))), { owned: true });
    const wrong = new TypeError('a mistake');
    const onProgress = (): never => {
      throw wrong;
    };
    await expect(new VFSScanner(vfs).scan('/', { onProgress })).rejects.toBe(wrong);
    expect((await new VFSScanner(vfs).scan('/')).entries.size).toBe(600);
  });

  it.each([
    ['/file', 'vfs/not-folder'],
    ['/file/below', 'vfs/not-folder'],
    ['/circle', 'vfs/not-folder'],
    ['/missing/below', 'vfs/not-found'],
  ])('of a root that is %s is %s', async (root, code) => {
    const folder = folderWith({ '/file': '' });
    symlinkSync('circle', join(folder, 'circle'));
    const vfs = context();
    vfs.mount('/', diskBackend(folder + root), { owned: true });
    await expect(new VFSScanner(vfs).scan('/')).rejects.toMatchObject({ code });
  });

  it.each([1, 2, 3, 5, 9])('of a disk ends when nobody wants more than %i parts', async (parts) => {
    const files = Array.from({ length: 150 }, (_, i) => [`/d${i % 9}/e${i}/f`, '']);
    const backend = diskBackend(folderWith(Object.fromEntries(files)));
    let left = parts;
    for await (const _ of backend.scan?.({ ignore: [] }) ?? []) if (--left === 0) break;
    const [one, two] = await Promise.all([
      scanAll(backend, { ignore: [] }),
      scanAll(backend, { ignore: [] }),
    ]);
    expect(one).toHaveLength(309);
    expect(two).toEqual(one);
    await backend.dispose?.();
  });
});

describe('what is ignored', () => {
  it.each([
    [['.git'], '/a/.git', true],
    [['.git'], '/a/.gitignore', false],
    [['*~'], '/a/b~', true],
    [['*.bak'], '/.x.bak', true],
    [['/build/**'], '/build', true],
    [['/build/**'], '/build/x', true],
    [['/build/**'], '/a/build', false],
    [['docs/*.md'], '/docs/a.md', true],
    [['docs/*.md'], '/docs/b/a.md', false],
    [['cache/'], '/a/cache', true],
    [['*.tmp/'], '/a/x.tmp', true],
    [['/build/out/'], '/build/out', true],
    [['notes (old)'], '/a/notes (old)', true],
    [['/docs/{a}/'], '/docs/{a}', true],
    [['//'], '/a', false],
    [DEFAULT_IGNORE, '/a/.rock.png.swp', true],
    [DEFAULT_IGNORE, '/a/4913', true],
    [DEFAULT_IGNORE, '/a/rock.png', false],
    [DEFAULT_IGNORE, '/a/.ecliptic-x.tmp', true],
    [[], '/a', false],
  ])('%j and %s: %s', (globs, path, expected) => {
    expect(isIgnored(ignoreRules(globs), path)).toBe(expected);
  });

  it('is what picomatch says, whatever the globs', () => {
    const piece = fc.constantFrom(
      ...'aab..**?[]{}()!+@,|^$-\\1'.split(''),
      '**',
      '[a-b]',
      '{a,b}',
      '!(a)',
      '/',
    );
    const glob = fc.string({ unit: piece, minLength: 1, maxLength: 8 });
    const name = fc.string({
      unit: fc.constantFrom(...'aab.*[({!+1'.split('')),
      minLength: 1,
      maxLength: 4,
    });
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.array(glob, { minLength: 1, maxLength: 3 }), path, (globs, any) => {
        const bare = globs.map((each) => each.replace(/\/+$/, '')).filter((each) => each !== '');
        for (const at of [any, ...bare.map((each) => each.replace(/^\/+/, ''))]) {
          const expected = bare.some((each) =>
            each.includes('/')
              ? picomatch(each.replace(/^\/+/, ''), { dot: true })(at)
              : picomatch(each, { dot: true })(at.slice(at.lastIndexOf('/') + 1)),
          );
          expect([globs, at, isIgnored(ignoreRules(globs), `/${at}`)]).toEqual([
            globs,
            at,
            expected,
          ]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
