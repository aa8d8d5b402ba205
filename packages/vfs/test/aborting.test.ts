import { readdirSync } from 'node:fs';
import {
  memoryBackend,
  overlayBackend,
  VFSContext,
  VFSPath,
  VFSScanner,
  zipBackend,
  type ByteSource,
  type VFSBackend,
} from '@ecliptic/vfs';
import { diskBackend, type DiskCalls } from '@ecliptic/vfs/node';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { nodeCalls } from '../src/node/disk-root.js';
import { Limiter } from '../src/node/limiter.js';
import { cleanUpFolders, folderWith, treeOf } from './disk-fixtures.js';

cleanUpFolders();
const path = (of: string): VFSPath => VFSPath.parse(of);
const enough = new Error('enough');

/** A promise to be settled by hand. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** `backend`, whose writes wait for `until`. */
function slowly(backend: VFSBackend, until: Promise<void>): VFSBackend {
  return new Proxy(backend, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...args: unknown[]) => unknown;
      return key === 'write' ? (...args: unknown[]) => until.then(() => call(...args)) : call;
    },
  });
}

describe('a call whose signal was aborted before', () => {
  it.each<[string, (vfs: VFSContext, signal: AbortSignal) => Promise<unknown>]>([
    ['stat', (vfs, signal) => vfs.stat('/m/a', { signal })],
    ['stat of a place above mounts', (vfs, signal) => vfs.stat('/deep', { signal })],
    ['list', (vfs, signal) => vfs.list('/m', { signal })],
    ['list of a place above mounts', (vfs, signal) => vfs.list('/deep', { signal })],
    ['exists', (vfs, signal) => vfs.exists('/nowhere', { signal })],
    ['readFile', (vfs, signal) => vfs.readFile('/m/a', { signal })],
    ['readStream', (vfs, signal) => vfs.readStream('/m/a', { signal })],
    ['readText', (vfs, signal) => vfs.readText('/m/a', { signal })],
    ['readSettled', (vfs, signal) => vfs.readSettled('/m/a', { signal })],
    ['writeFile', (vfs, signal) => vfs.writeFile('/m/b', 'b', { signal })],
    ['createFolder', (vfs, signal) => vfs.createFolder('/m/f', { signal })],
    ['remove', (vfs, signal) => vfs.remove('/m/a', { signal })],
    ['rename', (vfs, signal) => vfs.rename('/m/a', '/m/b', { signal })],
    ['copy', (vfs, signal) => vfs.copy('/deep', '/m/copy', { signal })],
    ['scan', (vfs, signal) => new VFSScanner(vfs).scan('/', { signal })],
  ])('%s rejects with its reason, and changes nothing', async (_name, call) => {
    const vfs = new VFSContext();
    const backend = memoryBackend({ files: { '/a': 'a' } });
    vfs.mount('/m', backend);
    vfs.mount('/deep/er', memoryBackend({ files: { '/x': 'x' } }));
    await expect(call(vfs, AbortSignal.abort(enough))).rejects.toBe(enough);
    expect((await backend.list(VFSPath.root)).map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a call that is aborted while it waits', () => {
  it('for its turn at the disk gives up its place', async () => {
    const limiter = new Limiter(1);
    const { opened, open } = gate();
    const ran: string[] = [];
    const task = (name: string) => async (): Promise<void> => void ran.push(name);
    const first = limiter.run(() => opened);
    const controller = new AbortController();
    const second = limiter.run(task('second'), controller.signal);
    const third = limiter.run(task('third'));
    controller.abort(enough);
    await expect(second).rejects.toBe(enough);
    open();
    await Promise.all([first, third]);
    await limiter.run(task('fourth'), AbortSignal.any([]));
    expect(ran).toEqual(['third', 'fourth']);
  });

  it('for an archive that is being opened leaves that to the others', async () => {
    const zip = zipSync({ a: strToU8('content') });
    const { opened, open } = gate();
    let sizes = 0;
    const source: ByteSource = {
      async size() {
        sizes++;
        await opened;
        return zip.length;
      },
      read: async (offset, length) => zip.slice(offset, offset + length),
    };
    const backend = zipBackend(source);
    const controller = new AbortController();
    const aborted = backend.read(path('/a'), { signal: controller.signal });
    const other = backend.read(path('/a'));
    controller.abort(enough);
    await expect(aborted).rejects.toBe(enough);
    open();
    expect(await other).toEqual(strToU8('content'));
    await backend.stat(path('/a'));
    expect(sizes).toBe(1);
  });

  it('for another change of an overlay lets that one end, and changes nothing itself', async () => {
    const { opened, open } = gate();
    const upper = memoryBackend();
    const overlay = overlayBackend(slowly(upper, opened), memoryBackend());
    const first = overlay.write(path('/a'), strToU8('first'));
    const controller = new AbortController();
    const second = overlay.write(path('/a'), strToU8('second'), { signal: controller.signal });
    const third = overlay.write(path('/b'), strToU8('third'));
    controller.abort(enough);
    await expect(second).rejects.toBe(enough);
    expect(await upper.list(VFSPath.root)).toEqual([]);
    open();
    await Promise.all([first, third]);
    expect(await overlay.read(path('/a'))).toEqual(strToU8('first'));
    expect(await overlay.read(path('/b'))).toEqual(strToU8('third'));
  });
});

describe('a stream of a file on disk', () => {
  it.skipIf(process.platform !== 'linux')(
    'closes its file when it is aborted, though nobody reads it any more',
    async () => {
      const root = folderWith({ '/a': new Uint8Array(1_000_000) });
      const backend = diskBackend(root);
      const count = (): number => readdirSync('/proc/self/fd').length;
      const before = count();
      const controller = new AbortController();
      const stream = await backend.readStream?.(path('/a'), { signal: controller.signal });
      const reader = stream?.getReader();
      expect((await reader?.read())?.value?.length).toBe(65_536);
      expect(count()).toBe(before + 1);
      controller.abort(enough);
      await expect(reader?.closed).rejects.toBe(enough);
      await expect.poll(count).toBe(before);
    },
  );

  it('is not touched by an abort after its end', async () => {
    const backend = diskBackend(folderWith({ '/a': 'content' }));
    const controller = new AbortController();
    const stream = await backend.readStream?.(path('/a'), { signal: controller.signal });
    expect(await new Response(stream).text()).toBe('content');
    controller.abort(enough);
  });
});

describe('a copy that is aborted midway', () => {
  it('rejects with the reason and leaves whole files only', async () => {
    const root = folderWith();
    const controller = new AbortController();
    let renames = 0;
    const calls: DiskCalls = {
      ...nodeCalls,
      async rename(...args) {
        await nodeCalls.rename(...args);
        if (++renames === 6) controller.abort(enough);
      },
    };
    const vfs = new VFSContext();
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`/f${i}`, new Uint8Array(10_000).fill(i)]),
    );
    vfs.mount('/from', memoryBackend({ files }));
    vfs.mount('/to', diskBackend(root, { calls, durable: false }), { owned: true });
    const copy = vfs.copy('/from', '/to/c', { signal: controller.signal });
    await expect(copy).rejects.toBe(enough);
    const written = treeOf(root).filter((each) => !each.endsWith('/'));
    expect(written).toHaveLength(6);
    for (const each of written) {
      expect((await vfs.stat(`/to${each}`)).size).toBe(10_000);
    }
    await vfs.dispose();
  });
});
