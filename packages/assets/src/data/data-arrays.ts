/** The typed arrays in some data, each once. O(values in it). */
function dataArrays(data: unknown): ArrayBufferView[] {
  const found: ArrayBufferView[] = [];
  const seen = new Set<object>();
  const pending: unknown[] = [data];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) found.push(value);
    else for (const item of Object.values(value)) pending.push(item);
  }
  return found;
}

/** Bytes of these arrays. */
export function dataBytes(data: unknown): number {
  return dataArrays(data).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The buffers under these arrays that can be moved to another thread, each once. */
export function dataBuffers(data: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of dataArrays(data)) {
    if (buffer instanceof ArrayBuffer) buffers.add(buffer);
  }
  return [...buffers];
}
