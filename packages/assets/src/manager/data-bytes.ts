/** Bytes of all typed arrays in some data, each once. O(values in it). */
export function dataBytes(data: unknown): number {
  const seen = new Set<object>();
  const pending: unknown[] = [data];
  let bytes = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else for (const item of Object.values(value)) pending.push(item);
  }
  return bytes;
}
