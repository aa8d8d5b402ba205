import { EclipticError } from '../errors/ecliptic-error.js';
import type { ArenaBacking } from './arena-memory.js';

/**
 * A shared arena as another thread gets it: structured-cloneable, made by {@link Arena.describe}.
 */
export interface ArenaDescription {
  /** The arena's, for errors. */
  readonly name: string;
  /** Shared memory of either kind. */
  readonly backing: Exclude<ArenaBacking, 'plain'>;
  /** Usable bytes from offset 0. */
  readonly budget: number;
  /** The very bytes of the owner. */
  readonly buffer: SharedArrayBuffer;
  /** The same for WebAssembly, when `backing` is `wasm`. */
  readonly memory: WebAssembly.Memory | undefined;
}

/** The same bytes seen from another thread, which can read and write them, and can't allocate. */
export type AttachedArena = ArenaDescription;

/**
 * Maps, in a worker, the arena that the owning thread described. Where blocks lie is sent or stored
 * by whoever allocated them; the arena's own book-keeping stays with the owner.
 *
 * @throws EclipticError `core/arena-description` when it is not a description, or its memory did
 *   not arrive shared
 *
 * @example
 * ```ts
 * // owner
 * worker.postMessage({ arena: arena.describe(), offset: block.offset });
 * // worker
 * const { buffer } = attachArena(message.arena);
 * const positions = new Float32Array(buffer, message.offset, 3 * 1_000);
 * ```
 */
export function attachArena(description: ArenaDescription): AttachedArena {
  const { name, backing, budget, buffer, memory } = description;
  const shared = typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
  if (!shared || (backing === 'wasm') !== (memory !== undefined) || buffer.byteLength < budget) {
    throw new EclipticError(
      'core/arena-description',
      `"${name}" does not describe a shared arena`,
      {
        subjects: { arena: name, backing, budget },
        fix: 'Pass what arena.describe() gave, through postMessage or workerData, unchanged.',
      },
    );
  }
  return { name, backing, budget, buffer, memory };
}
