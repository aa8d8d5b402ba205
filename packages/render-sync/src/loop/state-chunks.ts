import type { RenderFrameState } from '../frame-state/frame-state.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';

/** Some neighbours among the instances of a frame state. */
export interface StateChunk {
  /** Dense index of the first. */
  readonly start: number;
  readonly flags: Uint32Array;
  readonly previous: Float32Array;
  readonly current: Float32Array;
}

/** What was made of a state. */
interface ChunkedState {
  readonly instanceCount: number;
  readonly chunks: readonly StateChunk[];
}

/**
 * The instances of frame states in pieces. Views are made when a state is new or its number of instances is another one: the slots
 * of a mailbox in shared memory are the same for ever.
 */
export class StateChunks {
  readonly #size: number;
  readonly #states = new WeakMap<RenderFrameState, ChunkedState>();

  /** @param size - instances of a chunk, but for the last one */
  constructor(size: number) {
    this.#size = size;
  }

  /** The instances of a state, in order. */
  of(state: RenderFrameState): readonly StateChunk[] {
    const { instanceCount } = state;
    const known = this.#states.get(state);
    if (known?.instanceCount === instanceCount) return known.chunks;
    const chunks: StateChunk[] = [];
    for (let start = 0; start < instanceCount; start += this.#size) {
      const end = Math.min(start + this.#size, instanceCount);
      const [from, to] = [start * AFFINE_FLOATS, end * AFFINE_FLOATS];
      chunks.push({
        start,
        flags: state.instanceFlags.subarray(start, end),
        previous: state.instancePrevious.subarray(from, to),
        current: state.instanceCurrent.subarray(from, to),
      });
    }
    this.#states.set(state, { instanceCount, chunks });
    return chunks;
  }
}
