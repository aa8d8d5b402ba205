import type { Arena } from '@ecliptic/core';
import type { PoseMemory } from './pose-memory.js';
import type { LocalPoses, NodeRows, RowKernel, WorldPoses, WorldRows } from './row-kernel.js';

/** Matrices whose numbers add up to more are taken for broken; a 32-bit float ends at 3.4e38. */
export const MAX_MAGNITUDE = 1e38;

/** Numbers a local transform: position 0–2, rotation (x, y, z, w) 4–7, scale 8–10; 3 and 11 are not used. */
export const LOCAL_FLOATS = 12;

/** What a kernel works on: arrays by node, see {@link PoseSet}. */
export interface PoseArrays {
  readonly local: Float32Array;
  readonly world: Float32Array;
  readonly updated: Int32Array;
  readonly bad: Uint8Array;
  readonly tree: { readonly parent: Int32Array };
}

/** What {@link PoseKernel.updateRows} works on. */
export interface RowPoses extends PoseArrays, LocalPoses, WorldPoses {
  /** A bit a node, set where its matrix was computed; all clear before the first rows. */
  readonly freshBits: Int32Array;
  /** How many are in `updated`, how many of those would not be finite, and how many rows were stored by the last call. */
  readonly counts: Int32Array;
}

/**
 * Computes world matrices. Two do the same: in JavaScript, everywhere, and in WebAssembly, four numbers at a
 * time. They round differently (by some 1e-6 of the matrix's size), so a hierarchy keeps the one that it was
 * made with.
 */
export interface PoseKernel {
  readonly backend: 'javascript' | 'wasm';
  /** Where the arrays it works on must be. */
  readonly memory: PoseMemory;
  /** What goes over the rows of a scene. */
  readonly rows: RowKernel;
  /** Where what it refers to besides must be: bits, owners, lists of nodes. */
  readonly rowMemory: PoseMemory;
  /**
   * The kernel for the hierarchy of a scene: the same one, or one whose arrays are in the scene's arena, so that it reads the columns of
   * components there.
   *
   * @param arena - of the scene
   * @param capacity - most nodes
   * @param instances - most instances of the render scene beside it
   */
  inArena(arena: Arena, capacity: number, instances: number): PoseKernel;
  /**
   * Computes the world matrices of nodes `start` to `end - 1` of `updated`, in order. A matrix that isn't finite is not
   * stored, and its `bad` flag set; all flags of `updated` are clear before.
   *
   * @returns how many those were
   */
  propagate(poses: PoseArrays, start: number, end: number): number;
  /**
   * In one walk over rows what takes {@link RowKernel.setRows}, {@link PoseKernel.propagate} and {@link RowKernel.storeWorlds} three:
   * for rows that come after those of their parents. All flags of `bad` are clear before. `undefined` for a kernel whose rows are
   * elsewhere than its matrices.
   *
   * @param others - see {@link RowKernel.storeWorlds}
   * @param changed - gets the rows that were stored, of the table
   */
  readonly updateRows:
    | ((
        rows: NodeRows,
        poses: RowPoses,
        others: Int32Array,
        columns: WorldRows,
        changed: Int32Array,
      ) => void)
    | undefined;
}
