import { isObject } from './is-object.js';

/** The typed arrays in some data, each once. O(values in it). */
function dataArrays(data: unknown): ArrayBufferView[] {
  const found: ArrayBufferView[] = [];
  const seen = new Set<object>();
  const pending: object[] = isObject(data) ? [data] : [];
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) found.push(value);
    else {
      const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      for (const item of items) if (isObject(item)) pending.push(item);
    }
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
