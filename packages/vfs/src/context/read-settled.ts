import { type Clock, NANOSECONDS_PER_MILLISECOND, sleep } from '@ecliptic/core';
import type { VFSOptions, VFSStat } from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';

/** Options of `VFSContext.readSettled`. */
export interface SettledOptions extends VFSOptions {
  /** Milliseconds that a file must not change for. Default 80. */
  readonly quiet?: number | undefined;
  /** Reads after which it is given up. Default 100. */
  readonly attempts?: number | undefined;
}

/** What is asked of a context. */
interface Source {
  stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat>;
  readFile(path: VFSPath, options?: VFSOptions): Promise<Uint8Array>;
}

/**
 * Reads a file once it has stopped changing.
 *
 * @param wallClock - milliseconds since 1970, to tell how long ago a file was modified
 */
export async function readSettled(
  source: Source,
  path: VFSPath,
  clock: Clock,
  wallClock: () => number,
  { quiet = 80, attempts = 100, signal }: SettledOptions = {},
): Promise<Uint8Array> {
  let earlier: VFSStat | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await sleep(clock, quiet * NANOSECONDS_PER_MILLISECOND, signal);
    const before = await source.stat(path, { signal });
    const bytes = await source.readFile(path, { signal });
    const after = await source.stat(path, { signal });
    const whole = same(before, after) && (after.size ?? bytes.length) === bytes.length;
    const old = after.modified === undefined || wallClock() - after.modified >= quiet;
    if (whole && (earlier === undefined ? old && bytes.length > 0 : same(earlier, after))) {
      return bytes;
    }
    earlier = whole ? after : undefined;
  }
  throw new VFSError('vfs/busy', `${path.text} is still being written after ${attempts} reads`, {
    subjects: { path: path.text, attempts },
    fix: 'Read it again later, or with readFile() as it is.',
  });
}

function same(a: VFSStat, b: VFSStat): boolean {
  return a.size === b.size && a.modified === b.modified;
}
