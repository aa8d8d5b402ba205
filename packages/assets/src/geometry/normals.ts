import { cross, subtract, unit, vectorAt, type Vector } from './vector.js';

/**
 * Smooth normals of indexed triangles: the area-weighted mean over the triangles of a vertex. A vertex
 * of degenerate triangles only gets +Y, so that every normal is finite and of length 1. Not for hard edges: vertices that triangles
 * share are smooth. O(vertices + indices).
 *
 * @param positions - 3 floats a vertex, all finite
 * @param lists - triangles, three indices each; each index below the number of vertices
 * @returns 3 floats a vertex
 *
 * @example
 * ```ts
 * smoothNormals(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), [new Uint16Array([0, 1, 2])]); // 0, 0, 1 three times
 * ```
 */
export function smoothNormals(
  positions: Float32Array,
  lists: readonly (Uint16Array | Uint32Array)[],
): Float32Array {
  const sums = new Float64Array(positions.length);
  for (const indices of lists) {
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const normal = areaNormal(positions, indices, i);
      for (let corner = i; corner < i + 3; corner++) {
        const at = (indices[corner] ?? 0) * 3;
        for (let k = 0; k < 3; k++) sums[at + k] = (sums[at + k] ?? 0) + (normal[k] ?? 0);
      }
    }
  }
  const normals = new Float32Array(positions.length);
  for (let vertex = 0; vertex < positions.length / 3; vertex++) {
    normals.set(unit(vectorAt(sums, vertex), 0) ?? UP, vertex * 3);
  }
  return normals;
}

/**
 * The normal of each triangle, once for each of its corners; +Y for one without area.
 *
 * @returns 3 floats a corner, in the order of `indices`
 */
export function flatNormals(positions: Float32Array, indices: Uint32Array): Float32Array {
  const normals = new Float32Array(indices.length * 3);
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const normal = unit(areaNormal(positions, indices, i), 0) ?? UP;
    for (let corner = i; corner < i + 3; corner++) normals.set(normal, corner * 3);
  }
  return normals;
}

const UP: Vector = [0, 1, 0];

/** The normal of the triangle that starts at `corner`, as long as twice its area. */
function areaNormal(
  positions: Float32Array,
  indices: Uint16Array | Uint32Array,
  corner: number,
): Vector {
  const a = vectorAt(positions, indices[corner] ?? 0);
  const b = vectorAt(positions, indices[corner + 1] ?? 0);
  const c = vectorAt(positions, indices[corner + 2] ?? 0);
  return cross(subtract(b, a), subtract(c, a));
}

/**
 * Makes every vector unit length, in place. Vectors too short to have a direction become +Y.
 *
 * @param stride - numbers a vector, 3 or 4; only the first three are changed
 * @param tolerance - how far from 1 a length may be without being counted
 * @returns how many were off by more than `tolerance`
 */
export function normalizeVectors(vectors: Float32Array, stride: 3 | 4, tolerance: number): number {
  let off = 0;
  for (let i = 0; i + 2 < vectors.length; i += stride) {
    const x = vectors[i] ?? 0;
    const y = vectors[i + 1] ?? 0;
    const z = vectors[i + 2] ?? 0;
    const length = Math.hypot(x, y, z);
    if (Math.abs(length - 1) <= tolerance) continue;
    off++;
    const isUsable = length > 1e-12;
    vectors[i] = isUsable ? x / length : 0;
    vectors[i + 1] = isUsable ? y / length : 1;
    vectors[i + 2] = isUsable ? z / length : 0;
  }
  return off;
}
