/**
 * Undoes the run-length coding of RLE and DWAA, two of the compressions of OpenEXR: a negative number is a count of bytes that follow,
 * another is how often the next byte is repeated.
 *
 * @returns `undefined` where the data is damaged, or isn't `size` bytes
 */
export function undoRuns(data: Uint8Array, size: number): Uint8Array | undefined {
  const result = new Uint8Array(size);
  let written = 0;
  for (let at = 0; at < data.length;) {
    const code = ((data[at++] ?? 0) << 24) >> 24;
    const count = code < 0 ? -code : code + 1;
    const taken = code < 0 ? count : 1;
    if (written + count > size || at + taken > data.length) return undefined;
    if (code < 0) result.set(data.subarray(at, at + count), written);
    else result.fill(data[at] ?? 0, written, written + count);
    at += taken;
    written += count;
  }
  return written === size ? result : undefined;
}
