import { EclipticError, type Arena } from '@ecliptic/core';
import { ArenaRowKernel, type RowExports } from './arena-row-kernel.js';
import { arenaMemory } from './arena-memory.js';
import { javascriptRowKernel } from './javascript-row-kernel.js';
import { LOCAL_FLOATS, MAX_MAGNITUDE, type PoseArrays, type PoseKernel } from './pose-kernel.js';
import { heapMemory, memoryIn, type PoseMemory } from './pose-memory.js';
import type { RowKernel } from './row-kernel.js';

const PAGE = 65_536;
/** Bytes of a cache line. */
const LINE = 64;
/** Bytes a node: a pose set's arrays, and the tree's. */
const POSE_BYTES = LOCAL_FLOATS * 4 + 64 + 4 + 1;
const TREE_BYTES = 4;
/** Bytes that a scene's hierarchy and its sync take of an arena for each node, and its render scene for each instance, at most. */
const ARENA_NODE_BYTES = 272;
const ARENA_INSTANCE_BYTES = 100;
/** What those arrays lose to where they begin and end. */
const ARENA_MARGIN = 40 * LINE;

interface PoseExports {
  readonly propagate: (
    list: number,
    count: number,
    parents: number,
    locals: number,
    worlds: number,
    bad: number,
    limit: number,
  ) => number;
}

/**
 * A kernel in WebAssembly, on a memory of its own.
 *
 * @param own - the module for that
 * @param shared - the module for the arena of a scene
 */
export function wasmPoseKernel(
  own: WebAssembly.Module,
  shared: WebAssembly.Module,
  capacity: number,
  poseSets: number,
): PoseKernel {
  // Every array begins at a cache line, so that no matrix is in two.
  const arrays = 1 + poseSets * 4;
  const needed = capacity * (TREE_BYTES + poseSets * POSE_BYTES) + arrays * LINE;
  const pages = Math.max(1, Math.ceil(needed / PAGE));
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(own, { env: { memory } });
  return new WasmPoseKernel(
    exports as unknown as PoseExports,
    memory.buffer,
    ownMemory(memory.buffer as ArrayBuffer),
    heapMemory,
    javascriptRowKernel,
    undefined,
    shared,
  );
}

/** The kernel in WebAssembly: works on arrays in one memory, which never grows. */
class WasmPoseKernel implements PoseKernel {
  readonly backend = 'wasm';
  readonly memory: PoseMemory;
  readonly rowMemory: PoseMemory;
  readonly rows: RowKernel;
  readonly updateRows: PoseKernel['updateRows'];
  readonly #run: PoseExports;
  readonly #buffer: ArrayBufferLike;
  readonly #shared: WebAssembly.Module;

  constructor(
    run: PoseExports,
    buffer: ArrayBufferLike,
    memory: PoseMemory,
    rowMemory: PoseMemory,
    rows: RowKernel,
    updateRows: PoseKernel['updateRows'],
    shared: WebAssembly.Module,
  ) {
    this.memory = memory;
    this.rowMemory = rowMemory;
    this.rows = rows;
    this.updateRows = updateRows;
    this.#run = run;
    this.#buffer = buffer;
    this.#shared = shared;
  }

  inArena(arena: Arena, capacity: number, instances: number): PoseKernel {
    const { memory } = arena;
    const needed = capacity * ARENA_NODE_BYTES + instances * ARENA_INSTANCE_BYTES + ARENA_MARGIN;
    // Most of an arena is for components.
    if (memory === undefined || arena.stats().largestFree < needed * 2) return this;
    const { exports } = new WebAssembly.Instance(this.#shared, { env: { memory } });
    const arrays = arenaMemory(arena);
    const rows = new ArenaRowKernel(exports as unknown as RowExports);
    return new WasmPoseKernel(
      exports as unknown as PoseExports,
      arena.buffer,
      arrays,
      arrays,
      rows,
      rows.updateRows.bind(rows),
      this.#shared,
    );
  }

  propagate(poses: PoseArrays, start: number, end: number): number {
    const { updated, local, world, bad } = poses;
    const { parent } = poses.tree;
    if (world.buffer !== this.#buffer || parent.buffer !== this.#buffer) {
      throw new EclipticError(
        'render-sync/kernel-memory',
        'A pose set is not in its kernel’s memory',
        {
          fix: 'Make the tree with kernel.memory and the pose sets with the same kernel.',
        },
      );
    }
    return this.#run.propagate(
      updated.byteOffset + start * 4,
      end - start,
      parent.byteOffset,
      local.byteOffset,
      world.byteOffset,
      bad.byteOffset,
      MAX_MAGNITUDE,
    );
  }
}

/** Arrays one after the other. */
function ownMemory(buffer: ArrayBuffer): PoseMemory {
  let next = 0;
  const take = (bytes: number): number => {
    const start = next;
    const end = Math.ceil((start + bytes) / LINE) * LINE;
    if (end > buffer.byteLength) {
      throw new EclipticError('render-sync/kernel-memory', 'A kernel’s memory is used up', {
        subjects: { bytes: buffer.byteLength, wanted: bytes },
        fix: 'Load a kernel for each hierarchy, with its capacity and number of pose sets.',
      });
    }
    next = end;
    return start;
  };
  return memoryIn(buffer, take, () => undefined);
}
