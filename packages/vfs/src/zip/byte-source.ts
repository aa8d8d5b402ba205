import type { VFSContext } from '../context/vfs-context.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath, type VFSPathLike } from '../paths/vfs-path.js';

/** Bytes that are read here and there: an archive that is not held in memory. */
export interface ByteSource {
  /** How many bytes there are. */
  size(signal?: AbortSignal): Promise<number>;
  /** Exactly `length` bytes from `offset` on, or fewer when the end comes first. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/**
 * A file of a context as a source of bytes: an archive on disk, or on a server that serves ranges.
 *
 * @example
 * ```ts
 * vfs.mount('/levels', zipBackend(fileSource(vfs, '/packs/levels.zip')));
 * ```
 */
export function fileSource(vfs: VFSContext, path: VFSPathLike): ByteSource {
  const at = VFSPath.from(path);
  return {
    async size(signal) {
      const { size } = await vfs.stat(at, { signal });
      if (size !== undefined) return size;
      throw new VFSError('vfs/unsupported', `Nobody knows the size of ${at.text}`, {
        subjects: { path: at.text },
        fix: 'Read it whole and pass its bytes.',
      });
    },
    read: (offset, length, signal) => vfs.readFile(at, { range: { offset, length }, signal }),
  };
}

/** Bytes or a blob as a source; a source stays one. */
export function byteSource(from: Uint8Array | Blob | ByteSource): ByteSource {
  if (from instanceof Uint8Array) {
    return {
      size: async () => from.length,
      read: async (offset, length) => from.subarray(offset, offset + length),
    };
  }
  if (from instanceof Blob) {
    return {
      size: async () => from.size,
      read: async (offset, length) =>
        new Uint8Array(await from.slice(offset, offset + length).arrayBuffer()),
    };
  }
  return from;
}
