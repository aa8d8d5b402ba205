import {
  memoryBackend,
  overlayBackend,
  VFSContext,
  VFSError,
  VFSPath,
  zipBackend,
  type VFSBackend,
} from '@ecliptic/vfs';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

const path = (of: string): VFSPath => VFSPath.parse(of);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

type Step =
  | { op: 'write'; path: string; text: string }
  | { op: 'remove'; path: string; recursive: boolean }
  | { op: 'rename'; path: string; to: string }
  | { op: 'folder'; path: string };

async function content(backend: VFSBackend, at = VFSPath.root): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, kind } of await backend.list(at)) {
    const own = at.child(name);
    if (kind === 'file') found[own.text] = new TextDecoder().decode(await backend.read(own));
    else Object.assign(found, { [`${own.text}/`]: '' }, await content(backend, own));
  }
  return found;
}

describe('an overlay', () => {
  it('never writes to the lower backend, which may be an archive', async () => {
    const zip = zipSync({ 'a.txt': bytes('shipped'), 'd/b.txt': bytes('shipped b') });
    const overlay = overlayBackend(memoryBackend(), zipBackend(zip));
    await overlay.write(path('/a.txt'), bytes('patched'));
    await overlay.rename(path('/d/b.txt'), path('/d/c.txt'));
    await overlay.write(path('/d/new.txt'), bytes('new'));
    expect(await content(overlay)).toEqual({
      '/a.txt': 'patched',
      '/d/': '',
      '/d/c.txt': 'shipped b',
      '/d/new.txt': 'new',
    });
    expect(await content(zipBackend(zip))).toEqual({
      '/a.txt': 'shipped',
      '/d/': '',
      '/d/b.txt': 'shipped b',
    });
  });

  it('keeps what was removed removed, also when it is made again later', async () => {
    const lower = memoryBackend({ files: { '/a': 'a', '/d/b': 'b', '/d/e/c': 'c' } });
    const upper = memoryBackend();
    const first = overlayBackend(upper, lower);
    await first.remove(path('/a'));
    await first.remove(path('/d'), { recursive: true });
    await first.write(path('/d/new'), bytes('new'));
    const again = overlayBackend(upper, lower);
    expect(await content(again)).toEqual({ '/d/': '', '/d/new': 'new' });
    await expect(again.read(path('/d/e/c'))).rejects.toMatchObject({ code: 'vfs/not-found' });
    await again.write(path('/a'), bytes('back'));
    expect((await content(again))['/a']).toBe('back');
  });

  it('hides its own file of marks', async () => {
    const upper = memoryBackend();
    const overlay = overlayBackend(upper, memoryBackend({ files: { '/a': 'a' } }));
    await overlay.remove(path('/a'));
    expect((await upper.list(VFSPath.root)).map(({ name }) => name)).toEqual([
      '.ecliptic-overlay.json',
    ]);
    expect(await overlay.list(VFSPath.root)).toEqual([]);
    await expect(overlay.read(path('/.ecliptic-overlay.json'))).rejects.toMatchObject({
      code: 'vfs/not-found',
    });
  });

  it('shows nothing rather than what was removed when its marks can not be read', async () => {
    const files = { '/.ecliptic-overlay.json': '{"version":1,"removed":[7]}' };
    const overlay = overlayBackend(
      memoryBackend({ files }),
      memoryBackend({ files: { '/a': 'a' } }),
    );
    await expect(overlay.read(path('/a'))).rejects.toMatchObject({ code: 'vfs/corrupt' });
    await expect(overlay.list(VFSPath.root)).rejects.toMatchObject({ code: 'vfs/corrupt' });
  });

  it('needs an upper backend that can be written to', () => {
    const zip = zipBackend(zipSync({}));
    expect(() => overlayBackend(zip, memoryBackend())).toThrow(
      expect.objectContaining({ code: 'vfs/read-only' }),
    );
  });

  it('reports changes as they look from outside', async () => {
    const [upper, lower] = [
      memoryBackend(),
      memoryBackend({ files: { '/a': 'a', '/b': 'b', '/d/c': 'c' } }),
    ];
    const overlay = overlayBackend(upper, lower);
    const seen: string[] = [];
    const stop = await overlay.watch?.((changes) => {
      for (const { kind, path: at, from } of changes)
        seen.push(`${kind} ${from ? `${from.text} > ` : ''}${at.text}`);
    });
    const take = async (): Promise<string[]> => {
      await new Promise((go) => setTimeout(go, 5));
      return [...new Set(seen.splice(0))];
    };
    await overlay.write(path('/a'), bytes('new'));
    expect(await take()).toEqual(['modified /a']);
    await overlay.remove(path('/d'), { recursive: true });
    expect(await take()).toEqual(['removed /d/c', 'removed /d']);
    await overlay.remove(path('/a'));
    expect(await take()).toEqual(['removed /a']);
    await overlay.write(path('/n'), bytes('n'));
    await overlay.rename(path('/n'), path('/m'));
    expect(await take()).toEqual(['created /n', 'renamed /n > /m']);
    await overlay.rename(path('/b'), path('/bb'));
    expect((await take()).sort()).toEqual(['created /bb', 'removed /b']);
    await lower.write(path('/a'), bytes('hidden'));
    await lower.write(path('/low'), bytes('seen'));
    expect(await take()).toEqual(['created /low']);
    await overlay.rename(path('/m'), path('/low'));
    expect((await take()).sort()).toEqual(['modified /low', 'removed /m']);
    await lower.rename(path('/low'), path('/lower'));
    expect(await take()).toEqual(['created /lower']);
    await stop?.();
    await overlay.write(path('/late'), bytes(''));
    expect(await take()).toEqual([]);
  });

  it('a file above hides what is below a folder of its name', async () => {
    const overlay = overlayBackend(
      memoryBackend({ files: { '/d': 'file' } }),
      memoryBackend({ files: { '/d/x': 'x' } }),
    );
    await expect(overlay.read(path('/d/x'))).rejects.toMatchObject({ code: 'vfs/not-found' });
    await expect(overlay.list(path('/d'))).rejects.toMatchObject({ code: 'vfs/not-folder' });
    expect(await content(overlay)).toEqual({ '/d': 'file' });
  });

  it('in a context, differs from two mounts in what a removal shows', async () => {
    const [upper, lower] = [memoryBackend(), memoryBackend({ files: { '/a': 'below' } })];
    const vfs = new VFSContext();
    vfs.mount('/', overlayBackend(upper, lower));
    await vfs.writeFile('/a', 'above');
    await vfs.remove('/a');
    expect(await vfs.exists('/a')).toBe(false);
  });

  it('behaves as one memory backend that had the lower files, whatever is done', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const any = fc
      .array(name, { minLength: 1, maxLength: 3 })
      .map((parts) => `/${parts.join('/')}`);
    const step = fc.oneof(
      fc.record({
        op: fc.constant('write' as const),
        path: any,
        text: fc.string({ maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('remove' as const), path: any, recursive: fc.boolean() }),
      fc.record({ op: fc.constant('rename' as const), path: any, to: any }),
      fc.record({ op: fc.constant('folder' as const), path: any }),
    );
    const start = fc.uniqueArray(
      fc.record({ path: any, text: fc.string({ maxLength: 3 }), above: fc.boolean() }),
      { maxLength: 6, selector: (file) => file.path },
    );
    const code = async (call: Promise<void>): Promise<string> => {
      try {
        await call;
        return 'done';
      } catch (error) {
        if (VFSError.is(error)) return error.code;
        throw error;
      }
    };
    const act = (backend: VFSBackend, each: Step): Promise<void> => {
      if (each.op === 'write') return backend.write(path(each.path), bytes(each.text));
      if (each.op === 'remove')
        return backend.remove(path(each.path), { recursive: each.recursive });
      if (each.op === 'rename') return backend.rename(path(each.path), path(each.to));
      return backend.createFolder(path(each.path));
    };
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { maxLength: 20 }), async (files, steps) => {
        const [upper, lower, oracle] = [memoryBackend(), memoryBackend(), memoryBackend()];
        for (const { path: at, text, above } of files) {
          if ((await code(oracle.write(path(at), bytes(text)))) !== 'done') continue;
          if (!above) await lower.write(path(at), bytes(text));
          else {
            await upper.write(path(at), bytes(text));
            await code(lower.write(path(at), bytes('old')));
          }
        }
        const overlay = overlayBackend(upper, lower);
        const before = await content(lower);
        for (const each of steps) {
          expect(await code(act(overlay, each))).toBe(await code(act(oracle, each)));
          expect(await content(overlay)).toEqual(await content(oracle));
        }
        expect(await content(lower)).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});
