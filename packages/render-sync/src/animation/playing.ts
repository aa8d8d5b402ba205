import { MAX_MORPH_WEIGHTS } from '@ecliptic/ecs/components';
import type { AnimationClip, ClipChannel, ClipPath } from './animation-clip.js';
import { sampleAnimation } from './sample-animation.js';

/** An animation that is played, at a time. */
export interface Track {
  /** The uuid as the component has it. */
  readonly bytes: Uint8Array;
  readonly uuid: string;
  /** `undefined` while nothing is to be moved by it. */
  clip: AnimationClip | undefined;
  time: number;
}

/** What an animator plays: one animation, or two of which each has its share. What only one of them moves is moved by that one. */
export class Playing {
  main: Track;
  other: Track;
  /** Share of `other`, 0 to 1. */
  weight = 0;
  readonly #scratch = new Float32Array(MAX_MORPH_WEIGHTS);

  constructor(main: Track, other: Track) {
    this.main = main;
    this.other = other;
  }

  get hasWeights(): boolean {
    return this.main.clip?.hasWeights === true || this.other.clip?.hasWeights === true;
  }

  /**
   * Writes what is played of a node.
   *
   * @param out - written from `at` on
   * @returns how many numbers were written; 0 where nothing moves that
   */
  write(node: number, path: ClipPath, out: Float32Array, at: number): number {
    const { main, other } = this;
    const first = main.clip?.channelOf(node, path);
    const second = other.clip?.channelOf(node, path);
    if (first === undefined) return second === undefined ? 0 : sample(second, other.time, out, at);
    const count = sample(first, main.time, out, at);
    if (second === undefined || this.weight === 0) return count;
    const scratch = this.#scratch;
    // Without keys, a sampler leaves what there is.
    for (let i = 0; i < count; i++) scratch[i] = out[at + i] as number;
    const shared = Math.min(count, sample(second, other.time, scratch, 0));
    if (path === 'rotation') mixRotations(out, at, scratch, this.weight);
    else mix(out, at, scratch, shared, this.weight);
    return count;
  }
}

function sample(
  { sampler, shape }: ClipChannel,
  time: number,
  out: Float32Array,
  at: number,
): number {
  sampleAnimation(sampler, time, shape, out, at);
  return shape.count;
}

function mix(out: Float32Array, at: number, other: Float32Array, count: number, t: number): void {
  for (let i = 0; i < count; i++) {
    const a = out[at + i] as number;
    out[at + i] = a + ((other[i] as number) - a) * t;
  }
}

/** On the chord of the shorter arc: nobody sees at what rate a mixture turns, and it takes no sines. */
function mixRotations(out: Float32Array, at: number, other: Float32Array, t: number): void {
  let cosine = 0;
  for (let i = 0; i < 4; i++) cosine += (out[at + i] as number) * (other[i] as number);
  const b = cosine < 0 ? -t : t;
  let square = 0;
  for (let i = 0; i < 4; i++) {
    const value = (out[at + i] as number) * (1 - t) + (other[i] as number) * b;
    out[at + i] = value;
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  for (let i = 0; i < 4; i++) out[at + i] = (out[at + i] as number) / length;
}
