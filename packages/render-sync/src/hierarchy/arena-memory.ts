import type { Arena, ArenaBlock } from '@ecliptic/core';
import type { PoseMemory } from './pose-memory.js';

/** Who has the bytes, for the arena's statistics and errors. */
const OWNER = 'render-sync hierarchy';
/** Bytes of a cache line: arrays begin at one, so that no matrix is in two. Blocks of an arena begin at half of one. */
const LINE = 64;

/** Arrays in blocks of an arena. */
export function arenaMemory(arena: Arena): PoseMemory {
  const blocks: ArenaBlock[] = [];
  const take = (bytes: number): number => {
    const block = arena.allocate(Math.max(1, bytes) + LINE / 2, OWNER);
    blocks.push(block);
    return Math.ceil(block.offset / LINE) * LINE;
  };
  const { buffer } = arena;
  return {
    float32: (length) => new Float32Array(buffer, take(length * 4), length),
    int32: (length) => new Int32Array(buffer, take(length * 4), length),
    uint32: (length) => new Uint32Array(buffer, take(length * 4), length),
    uint8: (length) => new Uint8Array(buffer, take(length), length),
    release() {
      // With the arena everything went.
      if (arena.isDisposed) return;
      for (const block of blocks.splice(0)) arena.free(block);
    },
  };
}
