import { EclipticError } from '../errors/ecliptic-error.js';
import type { EventLog } from '../logging/event-log.js';
import { ArenaBudgetError } from './arena-budget-error.js';
import type { ArenaDescription } from './arena-description.js';
import { reserveArenaMemory, type ArenaBacking, type ArenaMemory } from './arena-memory.js';
import type { ArenaStats } from './arena-stats.js';
import { ALIGNMENT, FreeRegions, type Region } from './free-regions.js';

/** How to make an {@link Arena}; everything has a default. */
export interface ArenaOptions {
  /** Named in errors and logs; `arena` by default. */
  readonly name?: string;
  /**
   * Bytes, 32 to 4 GiB, rounded up to 32; 128 MiB by default. Reserved at once; touched pages alone
   * are resident.
   */
  readonly budget?: number;
  /** `auto` (default) takes the first of `wasm`, `shared` and `plain` that this environment has. */
  readonly backing?: ArenaBacking | 'auto';
  /** Told when memory of a better kind could not be reserved. */
  readonly log?: EventLog;
}

/** Bytes of an arena that one owner holds until it frees them. */
export interface ArenaBlock {
  /** From the start of the arena's buffer, a multiple of 32. */
  readonly offset: number;
  /** What was asked for, rounded up to a multiple of 32. */
  readonly byteLength: number;
  /** Who asked for it. */
  readonly owner: string;
}

const DEFAULT_BUDGET = 128 * 1024 * 1024;
const MAX_BUDGET = 4 * 1024 * 1024 * 1024;

/**
 * One fixed piece of memory, shared with workers where the platform allows it, from which columns,
 * command buffers and the like are cut. Blocks are 32-byte aligned and arrive zeroed.
 *
 * Make views of fixed length: `new Float32Array(arena.buffer, block.offset, length)`. Not for many
 * small short-lived objects, and not thread-safe: only the thread that made the arena allocates and
 * frees; others {@link attachArena}.
 *
 * Waste is bounded: at most 31 bytes a block, since freed regions are cut to size, and neighbours
 * merge. An allocation fails only if no free run is long enough. Freed bytes are used again before
 * untouched ones. Allocation walks one size class (a handful of regions, 208 classes at most) and
 * zeroes the block; freeing is O(1).
 *
 * @example
 * ```ts
 * const arena = new Arena({ name: 'main scene', budget: 16 * 1024 * 1024 });
 * const block = arena.allocate(1_000 * 3 * 4, 'Transform.position');
 * const positions = new Float32Array(arena.buffer, block.offset, 1_000 * 3);
 * arena.free(block);
 * arena.dispose();
 * ```
 */
export class Arena {
  /** For errors and logs. */
  readonly name: string;
  /** Usable bytes. */
  readonly budget: number;
  /** What the bytes are here. */
  readonly backing: ArenaBacking;
  #memory: ArenaMemory | undefined;
  readonly #regions: FreeRegions;
  readonly #live = new Map<ArenaBlock, Region>();
  readonly #freed = new WeakSet<ArenaBlock>();
  readonly #owners = new Map<string, { bytes: number; blocks: number }>();
  #used = 0;
  #peak = 0;
  #highWater = 0;

  /**
   * @throws EclipticError `core/arena-options` for a budget out of range,
   *   `core/arena-not-shareable` when `backing` names a shared kind in an environment without it,
   *   `core/arena-reserve` when the platform refuses that many bytes
   */
  constructor(options: ArenaOptions = {}) {
    const { name = 'arena', budget = DEFAULT_BUDGET, backing = 'auto', log } = options;
    if (!Number.isSafeInteger(budget) || budget < ALIGNMENT || budget > MAX_BUDGET) {
      throw new EclipticError(
        'core/arena-options',
        `Arena "${name}" can't have a budget of ${budget} bytes`,
        {
          subjects: { arena: name, budget },
          fix: `Use a whole number of bytes from ${ALIGNMENT} to ${MAX_BUDGET}.`,
        },
      );
    }
    this.name = name;
    this.budget = roundUp(budget);
    this.#memory = reserveArenaMemory(backing, this.budget, name, log);
    this.backing = this.#memory.backing;
    this.#regions = new FreeRegions(this.budget);
  }

  /** Whether {@link Arena.dispose} was called. */
  get isDisposed(): boolean {
    return this.#memory === undefined;
  }

  /**
   * All bytes; never grows, moves or detaches. Read it once per view, not in a loop.
   *
   * @throws EclipticError `core/arena-disposed`
   */
  get buffer(): SharedArrayBuffer | ArrayBuffer {
    return this.#open().buffer;
  }

  /**
   * The same bytes for WebAssembly kernels, when `backing` is `wasm`. It can't grow.
   *
   * @throws EclipticError `core/arena-disposed`
   */
  get memory(): WebAssembly.Memory | undefined {
    return this.#open().memory;
  }

  /**
   * Cuts a zeroed block.
   *
   * @param bytes - a positive whole number
   * @param owner - who to name when the budget runs out, as `Transform.position`
   * @throws EclipticError `core/arena-size` for a bad size, `core/arena-disposed`
   * @throws ArenaBudgetError `core/arena-budget` when no free run is long enough; the arena is as
   *   before
   */
  allocate(bytes: number, owner: string): ArenaBlock {
    const { buffer } = this.#open();
    if (!Number.isSafeInteger(bytes) || bytes <= 0) {
      throw new EclipticError(
        'core/arena-size',
        `"${owner}" can't have a block of ${bytes} bytes`,
        {
          subjects: { arena: this.name, owner, bytes },
          fix: 'Ask for a positive whole number of bytes.',
        },
      );
    }
    const byteLength = roundUp(bytes);
    const region = byteLength > this.budget ? undefined : this.#regions.take(byteLength);
    if (region === undefined)
      throw new ArenaBudgetError(this.name, owner, byteLength, this.stats());
    const { offset } = region;
    const end = offset + byteLength;
    // Above the high-water mark nothing was ever written: the platform's zeros, and no page
    // touched.
    const dirty = Math.min(end, this.#highWater) - offset;
    if (dirty > 0) new Uint8Array(buffer, offset, dirty).fill(0);
    if (end > this.#highWater) this.#highWater = end;
    const block: ArenaBlock = Object.freeze({ offset, byteLength, owner });
    this.#live.set(block, region);
    this.#account(owner, byteLength, 1);
    return block;
  }

  /**
   * Takes a block back. Views on it must not be used any more: their bytes will be someone else's.
   *
   * @throws EclipticError `core/arena-double-free`, `core/arena-foreign-block` (from another arena,
   *   or made by hand), `core/arena-disposed`
   */
  free(block: ArenaBlock): void {
    this.#open();
    const region = this.#live.get(block);
    if (region === undefined) {
      const twice = this.#freed.has(block);
      throw new EclipticError(
        twice ? 'core/arena-double-free' : 'core/arena-foreign-block',
        twice
          ? `A block of "${block.owner}" was freed twice in arena "${this.name}"`
          : `A block of "${block.owner}" is not of arena "${this.name}"`,
        {
          subjects: { arena: this.name, owner: block.owner, offset: block.offset },
          fix: twice
            ? 'Free a block once, by whoever allocated it.'
            : 'Free the very object that allocate() of this arena returned.',
        },
      );
    }
    this.#live.delete(block);
    this.#freed.add(block);
    this.#account(block.owner, -block.byteLength, -1);
    this.#regions.release(region);
  }

  /** Sums over the blocks in use. O(owners · log owners). */
  stats(): ArenaStats {
    const owners = [...this.#owners].map(([owner, held]) => ({ owner, ...held }));
    owners.sort((a, b) => b.bytes - a.bytes || (a.owner < b.owner ? -1 : 1));
    return {
      budget: this.budget,
      used: this.#used,
      free: this.budget - this.#used,
      blocks: this.#live.size,
      largestFree: this.#regions.largest,
      highWater: this.#highWater,
      peak: this.#peak,
      owners,
    };
  }

  /**
   * What a worker needs to {@link attachArena}; goes through `postMessage` and `workerData`.
   *
   * @throws EclipticError `core/arena-not-shareable` for a `plain` arena, whose bytes would be
   *   copied; `core/arena-disposed`
   */
  describe(): ArenaDescription {
    const { backing, buffer, memory } = this.#open();
    if (backing === 'plain' || buffer instanceof ArrayBuffer) {
      throw new EclipticError(
        'core/arena-not-shareable',
        `Arena "${this.name}" is not in shared memory`,
        {
          subjects: { arena: this.name, backing },
          fix: 'Run its users on this thread, or make the page cross-origin isolated.',
        },
      );
    }
    return { name: this.name, backing, budget: this.budget, buffer, memory };
  }

  /**
   * Lets go of the memory, which is reclaimed when the last view on it is. Everything but `stats`
   * throws afterwards; a second call does nothing.
   */
  dispose(): void {
    this.#memory = undefined;
  }

  #open(): ArenaMemory {
    if (this.#memory !== undefined) return this.#memory;
    throw new EclipticError('core/arena-disposed', `Arena "${this.name}" was disposed`, {
      subjects: { arena: this.name },
      fix: 'Dispose an arena after everything that uses it.',
    });
  }

  #account(owner: string, bytes: number, blocks: number): void {
    const held = this.#owners.get(owner) ?? { bytes: 0, blocks: 0 };
    held.bytes += bytes;
    held.blocks += blocks;
    if (held.blocks === 0) this.#owners.delete(owner);
    else this.#owners.set(owner, held);
    this.#used += bytes;
    if (this.#used > this.#peak) this.#peak = this.#used;
  }
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
