/** Characters of a UUID. */
const LENGTH = 36;
const HYPHEN = 0x2d;
/** No digit of a UUID in lower case. */
const NONE = 0x10;
/** Value of each digit by its character code. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : NONE;
});
const FIRST_CAPACITY = 64;

/** The bits of four digits of a text; -1 where they are none. */
function halfWord(text: string, at: number): number {
  const a = digit(text.charCodeAt(at));
  const b = digit(text.charCodeAt(at + 1));
  const c = digit(text.charCodeAt(at + 2));
  const d = digit(text.charCodeAt(at + 3));
  return (a | b | c | d) >= NONE ? -1 : (a << 12) | (b << 8) | (c << 4) | d;
}

function digit(code: number): number {
  return code < 128 ? (VALUES[code] as number) : NONE;
}

/**
 * The position at which each UUID was added, from 0 on: a map that compares bits instead of texts, for files with many. What is no UUID
 * in lower case is not in it. It can't be made slow by UUIDs that were chosen for that.
 */
export class UuidIndex {
  /** Four words of each UUID, in order. */
  #words = new Uint32Array(FIRST_CAPACITY * 4);
  /** Positions + 1 by hash, at most half of them in use; 0 is free. */
  #places = new Uint32Array(FIRST_CAPACITY * 2);
  #size = 0;
  readonly #seed: number;
  /** The UUID that was read last. */
  readonly #read = new Uint32Array(4);

  constructor() {
    this.#seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
  }

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** Position of a UUID, or -1. Anything may be asked. */
  positionOf(uuid: unknown): number {
    if (!this.#parse(uuid)) return -1;
    return (this.#places[this.#find()] as number) - 1;
  }

  has(uuid: unknown): boolean {
    return this.positionOf(uuid) >= 0;
  }

  /** Adds a UUID behind the others. @returns false where it is there already, or is none */
  add(uuid: unknown): boolean {
    if (!this.#parse(uuid)) return false;
    const place = this.#find();
    if (this.#places[place] !== 0) return false;
    const at = this.#size * 4;
    for (let word = 0; word < 4; word++) this.#words[at + word] = this.#read[word] as number;
    this.#places[place] = ++this.#size;
    if (this.#size * 2 >= this.#places.length) this.#grow();
    return true;
  }

  /** Reads a text into `#read`. @returns whether it is a UUID in lower case */
  #parse(text: unknown): boolean {
    if (typeof text !== 'string' || text.length !== LENGTH) return false;
    if (
      text.charCodeAt(8) !== HYPHEN ||
      text.charCodeAt(13) !== HYPHEN ||
      text.charCodeAt(18) !== HYPHEN ||
      text.charCodeAt(23) !== HYPHEN
    ) {
      return false;
    }
    const a = halfWord(text, 0);
    const b = halfWord(text, 4);
    const c = halfWord(text, 9);
    const d = halfWord(text, 14);
    const e = halfWord(text, 19);
    const f = halfWord(text, 24);
    const g = halfWord(text, 28);
    const h = halfWord(text, 32);
    const read = this.#read;
    read[0] = (a << 16) | b;
    read[1] = (c << 16) | d;
    read[2] = (e << 16) | f;
    read[3] = (g << 16) | h;
    return (a | b | c | d | e | f | g | h) >= 0;
  }

  /** The place of what was read, or the free one where it belongs. */
  #find(): number {
    const a = this.#read[0] as number;
    const b = this.#read[1] as number;
    const c = this.#read[2] as number;
    const d = this.#read[3] as number;
    const places = this.#places;
    const words = this.#words;
    const mask = places.length - 1;
    let place = this.#hash(a, b, c, d) & mask;
    for (; ; place = (place + 1) & mask) {
      const position = (places[place] as number) - 1;
      if (position < 0) return place;
      const at = position * 4;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) {
        return place;
      }
    }
  }

  #hash(a: number, b: number, c: number, d: number): number {
    let hash = this.#seed;
    hash = Math.imul(hash ^ a, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ b, 0x85ebca77);
    hash = Math.imul(hash ^ (hash >>> 13) ^ c, 0xc2b2ae3d);
    hash = Math.imul(hash ^ (hash >>> 16) ^ d, 0x27d4eb2f);
    return (hash ^ (hash >>> 15)) >>> 0;
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    words.set(this.#words);
    const places = new Uint32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (let position = 0; position < this.#size; position++) {
      const at = position * 4;
      const hash = this.#hash(
        words[at] as number,
        words[at + 1] as number,
        words[at + 2] as number,
        words[at + 3] as number,
      );
      let place = hash & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = position + 1;
    }
    this.#words = words;
    this.#places = places;
  }
}
