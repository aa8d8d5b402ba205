import type { VFSBackend } from '../backends/vfs-backend.js';

/** What a {@link faultyBackend} can be told to fail. */
export type FaultyCall = 'stat' | 'list' | 'read' | 'write' | 'createFolder' | 'remove' | 'rename';

/**
 * A backend that fails where a test wants it to: to see that what is built on top loses nothing.
 *
 * @param fault - asked before each call, with its number from 0 on; what it returns is thrown
 *
 * @example
 * ```ts
 * const full = new VFSError('vfs/no-space', 'the disk is full');
 * const backend = faultyBackend(memoryBackend(), (call) => (call === 'write' ? full : undefined));
 * ```
 */
export function faultyBackend(
  backend: VFSBackend,
  fault: (call: FaultyCall, number: number) => Error | undefined,
): VFSBackend {
  let calls = 0;
  const tried = <T>(call: FaultyCall, work: () => Promise<T>): Promise<T> => {
    const error = fault(call, calls++);
    return error ? Promise.reject(error) : work();
  };
  const watch = backend.watch?.bind(backend);
  return {
    name: `faulty ${backend.name}`,
    capabilities: backend.capabilities,
    stat: (...args) => tried('stat', () => backend.stat(...args)),
    list: (...args) => tried('list', () => backend.list(...args)),
    read: (...args) => tried('read', () => backend.read(...args)),
    write: (...args) => tried('write', () => backend.write(...args)),
    createFolder: (...args) => tried('createFolder', () => backend.createFolder(...args)),
    remove: (...args) => tried('remove', () => backend.remove(...args)),
    rename: (...args) => tried('rename', () => backend.rename(...args)),
    ...(watch ? { watch } : {}),
    dispose: async () => backend.dispose?.(),
  };
}
