import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, NANOSECONDS_PER_MILLISECOND, sleep } from '@ecliptic/core';
import type { DiskCalls, OpenFolder } from './disk-root.js';
import { temporaryName } from '../backends/temporary-file.js';
import { systemCode } from './system-code.js';

/** Some programs hold a file for a moment after it was written: virus scanners, indexers, backups. */
const RENAME_DELAYS = [10, 20, 40, 80, 160, 320];
const CHUNK = 1 << 20;

/** How a file is written. */
export interface AtomicWriteOptions {
  readonly calls: DiskCalls;
  readonly clock: Clock;
  /** Whether the data must be on the disk before the file is replaced, and the folder after. */
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts `bytes` into `name` in `folder` such that at any moment, also after a crash, the file is the old
 * one or the new one, whole: a temporary in the same folder, flushed, renamed over it, and the folder
 * flushed. Throws what the system throws, with the temporary removed.
 *
 * @param mode - permissions, as `stat` gives them; `undefined` for the system's default
 */
export async function atomicWrite(
  folder: OpenFolder,
  name: string,
  bytes: Uint8Array,
  mode: number | undefined,
  { calls, clock, durable, signal }: AtomicWriteOptions,
): Promise<void> {
  const temporary = join(folder.path, temporaryName(randomUUID()));
  const handle = await calls.open(temporary, 'wx');
  try {
    try {
      if (mode !== undefined) await handle.chmod(mode & 0o777);
      for (let at = 0; at < bytes.length;) {
        signal?.throwIfAborted();
        const length = Math.min(CHUNK, bytes.length - at);
        at += (await handle.write(bytes, at, length)).bytesWritten;
      }
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    await retried(clock, () => calls.rename(temporary, join(folder.path, name)));
  } catch (error) {
    await calls.unlink(temporary).catch(() => {}); // The first error is the one to tell.
    throw error;
  }
  if (durable) await folder.sync();
}

/** Runs `rename` again, a few times, while another program is in the way. */
export async function retried(clock: Clock, rename: () => Promise<void>): Promise<void> {
  for (const delay of RENAME_DELAYS) {
    try {
      return await rename();
    } catch (error) {
      if (!['EPERM', 'EBUSY'].includes(systemCode(error))) throw error;
      await sleep(clock, delay * NANOSECONDS_PER_MILLISECOND);
    }
  }
  return rename();
}
