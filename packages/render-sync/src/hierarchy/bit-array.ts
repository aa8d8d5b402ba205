/** A bit for each of `length` things, all 0. */
export function bitArray(length: number): Int32Array {
  return new Int32Array(bitWords(length));
}

/** Words that so many bits take. */
export function bitWords(length: number): number {
  return (length >>> 5) + 1;
}

export function setBit(bits: Int32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31));
}

export function hasBit(bits: Int32Array, at: number): boolean {
  return (((bits[at >>> 5] as number) >>> (at & 31)) & 1) !== 0;
}

export function clearBit(bits: Int32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] as number) & ~(1 << (at & 31));
}

/** Sets the bits from `first` to `last`, both included, a word at a time. */
export function setBits(bits: Int32Array, first: number, last: number): void {
  const start = first >>> 5;
  const end = last >>> 5;
  const head = -1 << (first & 31);
  const tail = -1 >>> (31 - (last & 31));
  if (start === end) {
    bits[start] = (bits[start] as number) | (head & tail);
    return;
  }
  bits[start] = (bits[start] as number) | head;
  for (let word = start + 1; word < end; word++) bits[word] = -1;
  bits[end] = (bits[end] as number) | tail;
}

/** Lists the set bits of a word, as `first` and on, at `list[count]` and on. @returns the new count */
export function listBits(word: number, first: number, list: Int32Array, count: number): number {
  let end = count;
  if (word === -1) {
    for (let bit = 0; bit < 32; bit++) list[end++] = first + bit;
    return end;
  }
  for (let rest = word; rest !== 0; rest &= rest - 1) {
    list[end++] = first + 31 - Math.clz32(rest & -rest);
  }
  return end;
}
