import { EventLog, ManualClock } from '@ecliptic/core';
import {
  memoryBackend,
  VFSContext,
  VFSError,
  VFSPath,
  type VFSBackend,
  type VFSContextOptions,
  type VFSFailure,
} from '@ecliptic/vfs';
import { describe, expect, it } from 'vitest';

const names = async (vfs: VFSContext, path: string): Promise<string[]> =>
  (await vfs.list(path)).map(({ name }) => name);

/** A backend whose every call fails. */
function broken(code: 'vfs/io' | 'vfs/network' = 'vfs/io'): VFSBackend {
  const fail = (): Promise<never> => Promise.reject(new VFSError(code, 'the disk is on fire'));
  return {
    name: 'broken',
    stat: fail,
    list: fail,
    read: fail,
    write: fail,
    remove: fail,
    createFolder: fail,
    rename: fail,
    capabilities: { write: true, range: true, atomicWrite: true, list: true, watch: false },
  };
}

function failing(options: VFSContextOptions = {}): { vfs: VFSContext; failures: VFSFailure[] } {
  const failures: VFSFailure[] = [];
  const vfs = new VFSContext({ ...options, onFailure: (failure) => failures.push(failure) });
  return { vfs, failures };
}

describe('resolution: longest mount prefix, then priority (58)', () => {
  it('gives the first mount and the path in its backend', () => {
    const vfs = new VFSContext();
    const root = vfs.mount('/', memoryBackend());
    const engine = vfs.mount('/Ecliptic', memoryBackend(), { priority: -1 });
    const mod = vfs.mount('/Ecliptic', memoryBackend(), { priority: 5 });
    const own = (path: string): unknown[] => {
      const { mount, path: inBackend } = vfs.resolve(path);
      return [mount, inBackend.toString()];
    };
    expect(own('/Ecliptic/shaders/a.wgsl')).toEqual([mod, '/shaders/a.wgsl']);
    expect(own('/Ecliptic')).toEqual([mod, '/']);
    expect(own('/Eclipt')).toEqual([root, '/Eclipt']);
    expect(own('/Ecliptical/x')).toEqual([root, '/Ecliptical/x']);
    expect(vfs.resolveAll('/Ecliptic/a').map(({ mount }) => mount)).toEqual([mod, engine, root]);
    expect(vfs.mounts).toEqual([root, mod, engine]);
  });

  it('finds a mount by any Unicode form of its place', () => {
    const vfs = new VFSContext();
    const mount = vfs.mount('/caf\u00e9', memoryBackend());
    expect(vfs.resolve('/cafe\u0301/a').mount).toBe(mount);
    expect(vfs.resolve('/cafe\u0301/a').path.toString()).toBe('/a');
  });

  it('refuses two mounts at one place with one priority', () => {
    const vfs = new VFSContext();
    vfs.mount('/x', memoryBackend());
    expect(() => vfs.mount('/x/', memoryBackend())).toThrow(
      expect.objectContaining({ code: 'vfs/mounted-twice', subjects: { at: '/x', priority: 0 } }),
    );
    vfs.mount('/x', memoryBackend(), { priority: 1 });
    expect(vfs.mounts).toHaveLength(2);
  });

  it('knows nothing where nothing is mounted, also after an unmount', async () => {
    const vfs = new VFSContext();
    const mount = vfs.mount('/x', memoryBackend());
    await vfs.unmount(mount);
    expect(() => vfs.resolve('/x/y')).toThrow(expect.objectContaining({ code: 'vfs/not-mounted' }));
    await expect(vfs.readFile('/x/y')).rejects.toMatchObject({ code: 'vfs/not-mounted' });
    await expect(vfs.unmount(mount)).rejects.toMatchObject({ code: 'vfs/not-mounted' });
    expect(await vfs.exists('/x/y')).toBe(false);
    expect(vfs.resolveAll('/x/y')).toEqual([]);
  });
});

describe('reading over mounts (58)', () => {
  function layered(): VFSContext {
    const vfs = new VFSContext();
    vfs.mount(
      '/',
      memoryBackend({ files: { '/a.txt': 'base a', '/b.txt': 'base b', '/d/x': 'base' } }),
    );
    vfs.mount(
      '/',
      memoryBackend({ files: { '/a.txt': 'mod a', '/c.txt': 'mod c', '/d/y': 'mod' } }),
      {
        priority: 1,
      },
    );
    return vfs;
  }

  it('takes each file from the first mount that has it', async () => {
    const vfs = layered();
    expect(await vfs.readText('/a.txt')).toBe('mod a');
    expect(await vfs.readText('/b.txt')).toBe('base b');
    expect(await vfs.exists('/none')).toBe(false);
    await expect(vfs.readFile('/none')).rejects.toMatchObject({ code: 'vfs/not-found' });
  });

  it('merges listings, and the higher priority wins by name', async () => {
    const vfs = layered();
    expect(await names(vfs, '/')).toEqual(['a.txt', 'b.txt', 'c.txt', 'd']);
    expect(await names(vfs, '/d')).toEqual(['x', 'y']);
    const [a, b] = await vfs.list('/');
    expect([a?.mount?.priority, b?.mount?.priority]).toEqual([1, 0]);
  });

  it('lets a folder hide a file of its name further down, and a file a folder', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/x': 'file', '/y/in': 'folder' } }));
    vfs.mount('/', memoryBackend({ files: { '/x/in': 'folder', '/y': 'file' } }), { priority: 1 });
    expect(await names(vfs, '/x')).toEqual(['in']);
    expect((await vfs.list('/')).map(({ kind }) => kind)).toEqual(['folder', 'file']);
    await expect(vfs.list('/y')).rejects.toMatchObject({ code: 'vfs/not-folder' });
    await expect(vfs.readFile('/x')).rejects.toMatchObject({ code: 'vfs/is-folder' });
  });

  it('shows the places of mounts as folders', async () => {
    const vfs = new VFSContext();
    vfs.mount('/games/one/assets', memoryBackend({ files: { '/a': '' } }));
    expect(await names(vfs, '/')).toEqual(['games']);
    expect(await names(vfs, '/games/one')).toEqual(['assets']);
    expect((await vfs.stat('/games')).kind).toBe('folder');
    expect(await vfs.exists('/games/one')).toBe(true);
    await expect(vfs.remove('/games', { recursive: true })).rejects.toMatchObject({
      code: 'vfs/busy',
    });
  });

  it('skips and reports a failing backend', async () => {
    const { vfs, failures } = failing();
    vfs.mount('/', memoryBackend({ files: { '/a.txt': 'a' } }));
    const mount = vfs.mount('/', broken(), { priority: 1 });
    expect(await names(vfs, '/')).toEqual(['a.txt']);
    expect(await vfs.readText('/a.txt')).toBe('a');
    expect(failures.map(({ operation, path }) => `${operation} ${path.text}`)).toEqual([
      'list /',
      'read /a.txt',
    ]);
    expect(failures[0]?.mount).toBe(mount);
    expect(failures[0]?.error.message).toContain("Can't list / in / (broken, priority 1)");
  });

  it('rejects with the failure when nobody else has the file', async () => {
    const { vfs } = failing();
    vfs.mount('/', memoryBackend());
    vfs.mount('/net', broken('vfs/network'));
    await expect(vfs.readFile('/net/a')).rejects.toMatchObject({
      code: 'vfs/network',
      subjects: { path: '/net/a' },
    });
    await expect(vfs.list('/net')).rejects.toMatchObject({ code: 'vfs/network' });
    await expect(vfs.exists('/net/a')).rejects.toMatchObject({ code: 'vfs/network' });
  });

  it('reports a name that makes too long a path instead of failing the listing', async () => {
    const { vfs, failures } = failing();
    vfs.mount(
      `/${'m'.repeat(200)}`,
      memoryBackend({ files: { [`/${'f'.repeat(100)}`]: '', '/ok': '' } }),
    );
    expect(await names(vfs, `/${'m'.repeat(200)}`)).toEqual(['ok']);
    expect(failures[0]?.error.code).toBe('vfs/path-too-long');
  });

  it('reads ranges, streams and text', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/a': '\ufeffhello', '/bad': Uint8Array.of(0xff) } }));
    expect(await vfs.readText('/a')).toBe('hello');
    expect(await vfs.readText('/a', { range: { offset: 3, length: 2 } })).toBe('he');
    const stream = await vfs.readStream('/a', { range: { offset: 4 } });
    expect(await new Response(stream).text()).toBe('ello');
    await expect(vfs.readText('/bad')).rejects.toMatchObject({ code: 'vfs/corrupt' });
    await expect(vfs.readFile('/a', { range: { offset: -1 } })).rejects.toMatchObject({
      code: 'vfs/range-invalid',
    });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const { vfs, failures } = failing();
    vfs.mount('/', memoryBackend({ files: { '/a': 'a' } }));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(vfs.readFile('/a', { signal })).rejects.toThrow('enough');
    await expect(vfs.list('/', { signal })).rejects.toThrow('enough');
    await expect(vfs.writeFile('/a', 'b', { signal })).rejects.toThrow('enough');
    expect(failures).toEqual([]);
  });
});

describe('writing over mounts (58)', () => {
  function project(): VFSContext {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/a': 'a' } }));
    vfs.mount('/', memoryBackend({ files: { '/shipped': 's' } }), { priority: 9, readOnly: true });
    vfs.mount('/cache', memoryBackend());
    return vfs;
  }

  it('goes to the highest-priority writable mount', async () => {
    const vfs = project();
    await vfs.writeFile('/new', 'n');
    expect((await vfs.list('/')).find(({ name }) => name === 'new')?.mount?.priority).toBe(0);
    await vfs.writeFile('/cache/x/y', Uint8Array.of(1));
    expect(await vfs.mounts.at(-1)?.backend.read(VFSPath.parse('/x/y'))).toEqual(Uint8Array.of(1));
    await vfs.createFolder('/folder');
    expect((await vfs.stat('/folder')).kind).toBe('folder');
  });

  it('warns once when what is written is hidden by a read-only mount', async () => {
    const log = new EventLog('vfs');
    const warnings: unknown[] = [];
    log.warn = (event, properties) => warnings.push([event, properties?.['subject']]);
    const vfs = new VFSContext({ log });
    vfs.mount('/', memoryBackend());
    vfs.mount('/', memoryBackend({ files: { '/shipped': 's' } }), { priority: 9, readOnly: true });
    await vfs.writeFile('/own', 'o');
    await vfs.writeFile('/shipped', 'changed');
    await vfs.writeFile('/shipped', 'again');
    expect(await vfs.readText('/shipped')).toBe('s');
    expect(warnings).toEqual([['write_hidden', '/shipped']]);
  });

  it('is refused where no mount is writable', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/a': 'a' } }), { readOnly: true });
    for (const call of [
      vfs.writeFile('/a', ''),
      vfs.createFolder('/b'),
      vfs.remove('/a'),
      vfs.rename('/a', '/b'),
    ]) {
      await expect(call).rejects.toMatchObject({
        code: 'vfs/read-only',
        subjects: { path: expect.any(String) },
      });
    }
    await expect(project().remove('/shipped')).rejects.toMatchObject({ code: 'vfs/read-only' });
  });

  it('rename inside a backend works, across backends it is unsupported', async () => {
    const vfs = project();
    await vfs.rename('/a', '/b/a');
    expect(await vfs.readText('/b/a')).toBe('a');
    await expect(vfs.rename('/b/a', '/cache/a')).rejects.toMatchObject({ code: 'vfs/unsupported' });
    await expect(vfs.rename('/none', '/x')).rejects.toMatchObject({ code: 'vfs/not-found' });
    await expect(vfs.rename('/cache', '/x')).rejects.toMatchObject({ code: 'vfs/busy' });
    expect(await vfs.readText('/b/a')).toBe('a');
  });

  it('copies files and folders, also across backends', async () => {
    const vfs = project();
    await vfs.writeFile('/d/e/f', 'f');
    await vfs.copy('/d', '/cache/d');
    await vfs.copy('/a', '/cache/a');
    expect(await vfs.readText('/cache/d/e/f')).toBe('f');
    expect(await vfs.readText('/cache/a')).toBe('a');
    await expect(vfs.copy('/d', '/d/e/g')).rejects.toMatchObject({ code: 'vfs/unsupported' });
    await expect(vfs.copy('/none', '/x')).rejects.toMatchObject({ code: 'vfs/not-found' });
  });

  it('removes from the mount that serves the path, and shows what was below', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/a': 'below' } }));
    vfs.mount('/', memoryBackend({ files: { '/a': 'above' } }), { priority: 1 });
    await vfs.remove('/a');
    expect(await vfs.readText('/a')).toBe('below');
  });
});

describe('the end of a context', () => {
  it('disposes what it owns, once, and refuses new mounts', async () => {
    let disposed = 0;
    const vfs = new VFSContext();
    const backend = { ...broken(), dispose: async () => void disposed++ };
    vfs.mount('/a', backend, { owned: true });
    vfs.mount('/b', backend);
    await vfs.dispose();
    await vfs.dispose();
    expect(disposed).toBe(1);
    expect(vfs.mounts).toEqual([]);
    expect(() => vfs.mount('/', memoryBackend())).toThrow(
      expect.objectContaining({ code: 'vfs/disposed' }),
    );
  });

  it('two contexts share nothing', async () => {
    const [one, two] = [new VFSContext(), new VFSContext()];
    one.mount('/', memoryBackend());
    await one.writeFile('/a', 'a');
    expect(two.mounts).toEqual([]);
    expect(await two.exists('/a')).toBe(false);
  });
});

describe('a half-written file is not read as final (62)', () => {
  const MS = 1_000_000;

  /** A context over one file that changes as the clock goes. */
  function growing(versions: readonly string[]): {
    vfs: VFSContext;
    clock: ManualClock;
    reads: () => number;
  } {
    const clock = new ManualClock();
    const now = (): number => clock.now() / MS;
    const backend = memoryBackend({ now });
    let count = 0;
    const vfs = new VFSContext({ clock, wallClock: now });
    vfs.mount('/', {
      name: 'growing',
      capabilities: backend.capabilities,
      stat: (path) => backend.stat(path),
      list: (path) => backend.list(path),
      write: (path, bytes) => backend.write(path, bytes),
      createFolder: (path) => backend.createFolder(path),
      remove: (path) => backend.remove(path),
      rename: (from, to) => backend.rename(from, to),
      async read(path) {
        const bytes = await backend.read(path);
        const next = versions[++count];
        if (next !== undefined) await backend.write(path, new TextEncoder().encode(next));
        return bytes;
      },
    });
    return { vfs, clock, reads: () => count };
  }

  async function drive<T>(clock: ManualClock, result: Promise<T>): Promise<T> {
    let done = false;
    const ended = result.finally(() => (done = true));
    ended.catch(() => {});
    for (let i = 0; i < 2_000 && !done; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (clock.pending > 0) clock.advance(10 * MS);
    }
    return ended;
  }

  it('is read again until it has been quiet for 80 ms', async () => {
    const { vfs, clock, reads } = growing(['', 'ha', 'half', 'half and the rest']);
    await vfs.writeFile('/a', '');
    const text = new TextDecoder().decode(await drive(clock, vfs.readSettled('/a')));
    expect(text).toBe('half and the rest');
    expect(reads()).toBe(4);
    expect(clock.now()).toBeGreaterThanOrEqual(3 * 80 * MS);
  });

  it('an old, whole file is read at once; an empty one after one pause', async () => {
    const { vfs, clock, reads } = growing(['x']);
    await vfs.writeFile('/a', 'x');
    clock.advance(1_000 * MS);
    await vfs.readSettled('/a');
    expect(reads()).toBe(1);
    await vfs.writeFile('/b', '');
    clock.advance(1_000 * MS);
    const before = clock.now();
    expect(await drive(clock, vfs.readSettled('/b'))).toHaveLength(0);
    expect(clock.now() - before).toBe(80 * MS);
  });

  it('gives up on a file that never settles', async () => {
    const { vfs, clock } = growing(Array.from({ length: 50 }, (_, i) => 'x'.repeat(i)));
    await vfs.writeFile('/a', 'x');
    await expect(drive(clock, vfs.readSettled('/a', { attempts: 5 }))).rejects.toMatchObject({
      code: 'vfs/busy',
    });
  });
});
