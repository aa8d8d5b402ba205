import { wordsOf } from './words-of.js';

const PRIME1 = 0x9e3779b1;
const PRIME2 = 0x85ebca77;
const PRIME3 = 0xc2b2ae3d;
const PRIME4 = 0x27d4eb2f;
const PRIME5 = 0x165667b1;

/**
 * The XXH32 checksum of some bytes, as an unsigned 32-bit number: for telling damage and accident, not for
 * security. About as fast as memory is read.
 *
 * @param bytes - any length and alignment
 * @param seed - unsigned 32-bit
 */
export function xxh32(bytes: Uint8Array, seed = 0): number {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let at = 0;
  let hash: number;
  if (length >= 16) {
    let a = (seed + PRIME1 + PRIME2) | 0;
    let b = (seed + PRIME2) | 0;
    let c = seed | 0;
    let d = (seed - PRIME1) | 0;
    const stripes = length >> 4;
    const words = wordsOf(bytes);
    for (let i = 0; i < stripes * 4; i += 4) {
      a = round(a, words[i] ?? 0);
      b = round(b, words[i + 1] ?? 0);
      c = round(c, words[i + 2] ?? 0);
      d = round(d, words[i + 3] ?? 0);
    }
    at = stripes * 16;
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  } else {
    hash = (seed + PRIME5) | 0;
  }
  hash = (hash + length) | 0;
  while (at + 4 <= length) {
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), PRIME3)) | 0, 17), PRIME4);
    at += 4;
  }
  while (at < length) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at] ?? 0, PRIME5)) | 0, 11), PRIME1);
    at++;
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, PRIME2)) | 0, 13), PRIME1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
