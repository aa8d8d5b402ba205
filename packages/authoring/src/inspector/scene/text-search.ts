const CASE_BIT = 0x20;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

/** Looks for a text in UTF-8 bytes; the case of ASCII letters doesn't matter. Decodes and allocates nothing. */
export class TextSearch {
  /** In lower case. */
  readonly #sought: Uint8Array;
  readonly #first: number;
  readonly #firstUpper: number;

  /** @param sought - the part to find; an empty one is in every text */
  constructor(sought: string) {
    this.#sought = new TextEncoder().encode(sought).map(lowerCase);
    this.#first = this.#sought[0] ?? 0;
    const isLetter = this.#first >= LOWER_A && this.#first <= LOWER_Z;
    this.#firstUpper = isLetter ? this.#first - CASE_BIT : this.#first;
  }

  /** Whether it is in the text that begins at `offset`, and ends at a zero or after `length` bytes. */
  isIn(bytes: Uint8Array, offset: number, length: number): boolean {
    if (this.#sought.length === 0) return true;
    const last = offset + length - this.#sought.length;
    const first = this.#first;
    const firstUpper = this.#firstUpper;
    for (let at = offset; at <= last; at++) {
      const byte = bytes[at];
      if (byte === 0) return false;
      if ((byte === first || byte === firstUpper) && this.#isAt(bytes, at)) return true;
    }
    return false;
  }

  #isAt(bytes: Uint8Array, at: number): boolean {
    const sought = this.#sought;
    for (let i = 1; i < sought.length; i++) {
      if (lowerCase(bytes[at + i] ?? 0) !== sought[i]) return false;
    }
    return true;
  }
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | CASE_BIT : byte;
}
