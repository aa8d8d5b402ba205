import { EventLog } from '@ecliptic/core';
import {
  memoryBackend,
  overlayBackend,
  VFSContext,
  VFSPath,
  type VFSBackend,
  type VFSBackendListener,
} from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { describe, expect, it } from 'vitest';
import { cleanUpFolders, folderWith, scanAll } from './disk-fixtures.js';

cleanUpFolders();

/** A backend in memory with some methods replaced. */
function memoryWith(own: Partial<VFSBackend>): VFSBackend {
  const backend = memoryBackend();
  return new Proxy(backend, {
    get(target, key: keyof VFSBackend) {
      const value = key in own ? own[key] : target[key];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('disposal', () => {
  it('ends everything, whatever fails on the way, and every caller waits for the end', async () => {
    const vfs = new VFSContext();
    const broken = new Error('will not end');
    const disposed: string[] = [];
    const dispose = (name: string) => async (): Promise<void> => void disposed.push(name);
    const backends: [string, Partial<VFSBackend>][] = [
      ['/a', { dispose: () => Promise.reject(broken) }],
      ['/b', { dispose: dispose('b'), watch: async () => () => Promise.reject(broken) }],
      ['/c', { dispose: dispose('c') }],
    ];
    for (const [at, own] of backends) vfs.mount(at, memoryWith(own), { owned: true });
    await vfs.watch('/', () => {}).ready;
    const [first, second] = [vfs.dispose(), vfs.dispose()];
    await expect(first).rejects.toBe(broken);
    await expect(second).rejects.toBe(broken);
    expect(disposed.sort()).toEqual(['b', 'c']);
    expect(vfs.mounts).toEqual([]);
  });

  it('of a disk backend leaves no worker to be started', async () => {
    const backend = diskBackend(folderWith({ '/a': 'a' }));
    const running = backend.watch?.(() => {});
    const scan = scanAll(backend, { ignore: [] });
    const ends = Promise.allSettled([running, scan]);
    await backend.dispose?.();
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'vfs/disposed' } });
    }
    await expect(backend.watch?.(() => {})).rejects.toMatchObject({ code: 'vfs/disposed' });
    await expect(scanAll(backend, { ignore: [] })).rejects.toMatchObject({ code: 'vfs/disposed' });
    expect(await backend.read(VFSPath.parse('/a'))).toHaveLength(1);
  });

  it('of the last listener that fails is logged, and rejects nothing', async () => {
    const log = new EventLog('vfs');
    const errors: string[] = [];
    log.error = (event) => void errors.push(event);
    const vfs = new VFSContext({ log });
    vfs.mount('/', memoryWith({ watch: async () => () => Promise.reject(new Error('no')) }));
    const subscription = vfs.watch('/', () => {});
    await subscription.ready;
    subscription.dispose();
    await expect.poll(() => errors).toEqual(['unwatch_failed']);
  });
});

describe('watching a backend', () => {
  it('that reports before it is asked to be done is heard', async () => {
    const change = { kind: 'created', path: VFSPath.parse('/a'), entry: 'file' } as const;
    const watch = async (listener: VFSBackendListener): Promise<() => Promise<void>> => {
      listener([change]);
      return async () => {};
    };
    const vfs = new VFSContext({ quiet: 0 });
    vfs.mount('/', memoryWith({ watch }));
    const seen: string[] = [];
    await vfs.watch('/', ({ path }) => seen.push(path.text)).ready;
    vfs.tick();
    expect(seen).toEqual(['/a']);
  });

  it('that throws is a failure of that mount alone', async () => {
    const vfs = new VFSContext({ quiet: 0 });
    const broken = new Error('no watching here');
    vfs.mount('/broken', {
      ...memoryWith({}),
      name: 'broken',
      capabilities: memoryBackend().capabilities,
      watch() {
        throw broken;
      },
    });
    vfs.mount('/fine', memoryBackend());
    const seen: string[] = [];
    const { ready } = vfs.watch('/', ({ path }) => seen.push(path.text));
    await expect(ready).rejects.toBe(broken);
    await vfs.writeFile('/fine/a', 'a');
    vfs.tick();
    expect(seen).toEqual(['/fine/a']);
  });

  it('that can not be watched leaves no half of an overlay watched', async () => {
    let watching = 0;
    const upper = memoryWith({
      watch: async () => {
        watching++;
        return async () => void watching--;
      },
    });
    const lower = memoryWith({ watch: () => Promise.reject(new Error('no')) });
    await expect(overlayBackend(upper, lower).watch?.(() => {})).rejects.toThrow('no');
    expect(watching).toBe(0);
  });
});
