import { DEFORM_INTS, type FrameBudget } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';

/**
 * How the meshes of a render scene are bent: joint matrices and morph weights of the instances that have any,
 * filled anew each frame, packed as in a frame state.
 */
export class RenderDeforms {
  /** Affine rows of joints, by number of the joint: from the mesh as it was modelled to the world. */
  readonly jointPrevious: Float32Array;
  readonly jointCurrent: Float32Array;
  readonly weightPrevious: Float32Array;
  readonly weightCurrent: Float32Array;
  /** Instances that found no room since the last {@link RenderDeforms.clear}: they are drawn rigid. */
  overflow = 0;
  #count = 0;
  #joints = 0;
  #weights = 0;
  /** As in a frame state, with ids instead of dense indices. */
  readonly #deforms: Uint32Array;

  constructor({ deforms, joints, morphWeights }: FrameBudget) {
    this.#deforms = new Uint32Array(deforms * DEFORM_INTS);
    this.jointPrevious = new Float32Array(joints * AFFINE_FLOATS);
    this.jointCurrent = new Float32Array(joints * AFFINE_FLOATS);
    this.weightPrevious = new Float32Array(morphWeights);
    this.weightCurrent = new Float32Array(morphWeights);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all. */
  clear(): void {
    this.#count = this.#joints = this.#weights = 0;
    this.overflow = 0;
  }

  /**
   * Makes room for the joints and weights of an instance; they are to be filled in, from
   * {@link RenderDeforms.firstJoint} and {@link RenderDeforms.firstWeight} on.
   *
   * @returns its number here, or −1 where there is no room
   */
  add(instance: number, joints: number, weights: number): number {
    const index = this.#count;
    const at = index * DEFORM_INTS;
    if (
      at === this.#deforms.length ||
      (this.#joints + joints) * AFFINE_FLOATS > this.jointCurrent.length ||
      this.#weights + weights > this.weightCurrent.length
    ) {
      this.overflow++;
      return -1;
    }
    this.#deforms[at] = instance;
    this.#deforms[at + 1] = this.#joints;
    this.#deforms[at + 2] = joints;
    this.#deforms[at + 3] = this.#weights;
    this.#deforms[at + 4] = weights;
    this.#joints += joints;
    this.#weights += weights;
    return this.#count++;
  }

  /** Number of an entry's first joint. */
  firstJoint(index: number): number {
    return this.#deforms[index * DEFORM_INTS + 1] ?? 0;
  }

  /** Number of an entry's first weight. */
  firstWeight(index: number): number {
    return this.#deforms[index * DEFORM_INTS + 3] ?? 0;
  }

  /**
   * Copies everything into a frame state.
   *
   * @param denseIndex - where an instance is in the state, or −1: destroyed since, and left out
   */
  writeTo(state: RenderFrameState, denseIndex: (instance: number) => number): void {
    let count = 0;
    for (let i = 0; i < this.#count; i++) {
      const from = i * DEFORM_INTS;
      const dense = denseIndex(this.#deforms[from] as number);
      if (dense < 0) continue;
      const to = count++ * DEFORM_INTS;
      state.deforms[to] = dense;
      for (let k = 1; k < DEFORM_INTS; k++)
        state.deforms[to + k] = this.#deforms[from + k] as number;
    }
    const floats = this.#joints * AFFINE_FLOATS;
    state.deformCount = count;
    state.jointCount = this.#joints;
    state.weightCount = this.#weights;
    state.jointPrevious.set(this.jointPrevious.subarray(0, floats));
    state.jointCurrent.set(this.jointCurrent.subarray(0, floats));
    state.weightPrevious.set(this.weightPrevious.subarray(0, this.#weights));
    state.weightCurrent.set(this.weightCurrent.subarray(0, this.#weights));
  }
}
