import { foldLanes, stepLane } from './checksum-lanes.js';
import { compileSimdKernel } from './simd-kernel.js';
import { wordsOf } from './words-of.js';

/** Lanes of a {@link wideChecksum}: as many as twelve vector registers hold. */
export const WIDE_LANES = 48;

/**
 * Takes words into the lanes of a {@link wideChecksum}.
 *
 * @param lanes - {@link WIDE_LANES} of them
 * @param words - from the first on, whole stripes of as many as there are lanes
 * @param count - how many of `words`
 */
export type LaneKernel = (lanes: number[], words: Int32Array, count: number) => void;

const SEEDS = Array.from({ length: WIDE_LANES }, (_, lane) => lane);
/** Read once for each eight lanes while they are in the nearest cache. */
const CHUNK_WORDS = WIDE_LANES * 64;

/** `undefined` until it was asked for; summing goes on without it while it is compiled, and where it can't be. */
let simdKernel: LaneKernel | undefined;
let isAsked = false;

/**
 * As {@link damageChecksum} with 48 lanes and without a seed, for many bytes: WebAssembly takes four words at once, 2 to 4 times as
 * fast. The first call has it compiled, which is done some milliseconds later; until then, and without WebAssembly, it is as
 * fast as the other one. Takes a microsecond more than that, so it is for some kilobytes and above.
 *
 * @param bytes - any length and alignment; fastest at a multiple of 4
 * @param kernel - default: the fastest that there is
 * @returns an unsigned 32-bit number, whatever the kernel
 */
export function wideChecksum(bytes: Uint8Array, kernel: LaneKernel = readyKernel()): number {
  const words = wordsOf(bytes);
  const lanes = SEEDS.slice();
  kernel(lanes, words, words.length - (words.length % WIDE_LANES));
  return foldLanes(lanes, words, bytes);
}

/** Eight lanes at a time, which fit into registers. */
export const scalarKernel: LaneKernel = (lanes, words, count) => {
  for (let from = 0; from < count; from += CHUNK_WORDS) {
    const to = Math.min(count, from + CHUNK_WORDS);
    for (let lane = 0; lane < WIDE_LANES; lane += 8) stepEight(lanes, lane, words, from + lane, to);
  }
};

function stepEight(
  lanes: number[],
  first: number,
  words: Int32Array,
  from: number,
  to: number,
): void {
  let a = lanes[first] ?? 0;
  let b = lanes[first + 1] ?? 0;
  let c = lanes[first + 2] ?? 0;
  let d = lanes[first + 3] ?? 0;
  let e = lanes[first + 4] ?? 0;
  let f = lanes[first + 5] ?? 0;
  let g = lanes[first + 6] ?? 0;
  let h = lanes[first + 7] ?? 0;
  for (let i = from; i < to; i += WIDE_LANES) {
    a = stepLane(a, words[i] ?? 0);
    b = stepLane(b, words[i + 1] ?? 0);
    c = stepLane(c, words[i + 2] ?? 0);
    d = stepLane(d, words[i + 3] ?? 0);
    e = stepLane(e, words[i + 4] ?? 0);
    f = stepLane(f, words[i + 5] ?? 0);
    g = stepLane(g, words[i + 6] ?? 0);
    h = stepLane(h, words[i + 7] ?? 0);
  }
  lanes[first] = a;
  lanes[first + 1] = b;
  lanes[first + 2] = c;
  lanes[first + 3] = d;
  lanes[first + 4] = e;
  lanes[first + 5] = f;
  lanes[first + 6] = g;
  lanes[first + 7] = h;
}

function readyKernel(): LaneKernel {
  if (!isAsked) {
    isAsked = true;
    compileSimdKernel(WIDE_LANES).then(
      (compiled) => (simdKernel = compiled),
      // Pages may forbid WebAssembly, and engines of before 2023 know no vectors: the sum is the same without.
      () => undefined,
    );
  }
  return simdKernel ?? scalarKernel;
}
