/**
 * For each vertex the first one that has the same values in all arrays, bit for bit but for the sign of zero.
 * O(vertices).
 *
 * @param arrays - attributes with their number of components, of equally many vertices each
 */
export function weldVertices(
  arrays: readonly { readonly data: Float32Array; readonly components: number }[],
  vertexCount: number,
): Uint32Array {
  const width = arrays.reduce((sum, { components }) => sum + components, 0);
  const values = new Float32Array(width * vertexCount);
  let column = 0;
  for (const { data, components } of arrays) {
    for (let v = 0; v < vertexCount; v++) {
      for (let k = 0; k < components; k++) {
        // Adding 0 turns −0 into 0.
        values[v * width + column + k] = (data[v * components + k] ?? 0) + 0;
      }
    }
    column += components;
  }
  const words = new Uint32Array(values.buffer);
  const isSame = (a: number, b: number): boolean => {
    for (let k = 0; k < width; k++) if (words[a * width + k] !== words[b * width + k]) return false;
    return true;
  };
  const mask = 2 ** Math.ceil(Math.log2(2 * vertexCount + 1)) - 1;
  const slots = new Int32Array(mask + 1).fill(-1);
  const first = new Uint32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    let hash = 0;
    for (let k = 0; k < width; k++) {
      hash = Math.imul(hash ^ (words[v * width + k] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & mask;
    let found = slots[slot] ?? -1;
    while (found !== -1 && !isSame(found, v)) {
      slot = (slot + 1) & mask;
      found = slots[slot] ?? -1;
    }
    if (found === -1) slots[slot] = v;
    first[v] = found === -1 ? v : found;
  }
  return first;
}
