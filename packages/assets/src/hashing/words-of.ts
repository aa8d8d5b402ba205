const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Whole little-endian words of some bytes: a view where machine and alignment allow it, else a copy. */
export function wordsOf(bytes: Uint8Array): Int32Array {
  const count = bytes.length >> 2;
  if (IS_LITTLE_ENDIAN) {
    if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, count);
    return new Int32Array(bytes.slice(0, count * 4).buffer);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Int32Array.from({ length: count }, (_, i) => view.getInt32(i * 4, true));
}
