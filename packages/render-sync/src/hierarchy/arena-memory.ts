import type { Arena, ArenaBlock } from '@ecliptic/core';
import { memoryIn, type PoseMemory } from './pose-memory.js';

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
  return memoryIn(arena.buffer, take, () => {
    // With the arena everything went.
    if (arena.isDisposed) return;
    for (const block of blocks.splice(0)) arena.free(block);
  });
}
