// Not exported themselves: what is, is looked up at each use.
const PRIME = 0x9e3779b1;
const SHIFT = 15;

/** The numbers of {@link stepLane}. */
export const LANE_STEP: { readonly prime: number; readonly shift: number } = {
  prime: PRIME,
  shift: SHIFT,
};

/** Takes a word into a lane of a checksum. One to one in both the lane and the word. */
export function stepLane(lane: number, word: number): number {
  const product = Math.imul(lane ^ word, PRIME);
  return product ^ (product >>> SHIFT);
}

/**
 * Ends a checksum: takes the words behind the last whole stripe, and makes one number of the lanes.
 *
 * @param lanes - one for each word of a stripe; changed
 * @param words - of `bytes`
 * @returns unsigned 32-bit
 */
export function foldLanes(lanes: number[], words: Int32Array, bytes: Uint8Array): number {
  const stripes = words.length - (words.length % lanes.length);
  for (let i = stripes; i < words.length; i++) {
    lanes[i - stripes] = stepLane(lanes[i - stripes] ?? 0, words[i] ?? 0);
  }
  const rest = bytes.length % 4;
  if (rest > 0) {
    let last = 0;
    for (let i = 0; i < rest; i++) last |= (bytes[words.length * 4 + i] ?? 0) << (i * 8);
    const lane = words.length - stripes;
    lanes[lane] = stepLane(lanes[lane] ?? 0, last);
  }
  let sum = bytes.length;
  for (const lane of lanes) sum = stepLane(sum, lane);
  return sum >>> 0;
}
