import type { VFSPath } from '../paths/vfs-path.js';
import { readRange, type OpenRange } from './disk-files.js';
import { diskError } from './node-errors.js';

const CHUNK = 1 << 16;

/**
 * The bytes of an open file as a stream, which closes the file: at its end, when it is cancelled, and
 * when `signal` is aborted, also if nobody reads it any more.
 */
export function fileStream(
  { handle, start, end }: OpenRange,
  path: VFSPath,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let at = start;
  let aborted = (): void => {};
  const close = async (): Promise<void> => {
    signal?.removeEventListener('abort', aborted);
    await handle.close();
  };
  return new ReadableStream<Uint8Array>({
    start(controller): void {
      aborted = () => {
        controller.error(signal?.reason);
        void handle.close();
      };
      signal?.addEventListener('abort', aborted, { once: true });
    },
    async pull(controller): Promise<void> {
      try {
        const chunk = await readRange(
          { handle, start: at, end: Math.min(end, at + CHUNK) },
          signal,
        );
        at += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (chunk.length > 0 && at < end) return;
        await close();
        controller.close();
      } catch (error) {
        await close();
        controller.error(diskError(error, path));
      }
    },
    cancel: close,
  });
}
