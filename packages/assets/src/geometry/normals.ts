/**
 * Smooth normals of indexed triangles: the area-weighted mean over the triangles of a vertex. A vertex
 * of degenerate triangles only gets +Y, so that every normal is finite and of length 1.
 *
 * @param positions - 3 floats a vertex, all finite
 * @param indices - triangles; each index below the number of vertices
 */
export function computeNormals(positions: Float32Array, indices: Uint32Array): Float32Array {
  const sums = new Float64Array(positions.length);
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = (indices[i] ?? 0) * 3;
    const b = (indices[i + 1] ?? 0) * 3;
    const c = (indices[i + 2] ?? 0) * 3;
    const ax = positions[a] ?? 0;
    const ay = positions[a + 1] ?? 0;
    const az = positions[a + 2] ?? 0;
    const ux = (positions[b] ?? 0) - ax;
    const uy = (positions[b + 1] ?? 0) - ay;
    const uz = (positions[b + 2] ?? 0) - az;
    const vx = (positions[c] ?? 0) - ax;
    const vy = (positions[c + 1] ?? 0) - ay;
    const vz = (positions[c + 2] ?? 0) - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (let corner = 0; corner < 3; corner++) {
      const at = corner === 0 ? a : corner === 1 ? b : c;
      sums[at] = (sums[at] ?? 0) + nx;
      sums[at + 1] = (sums[at + 1] ?? 0) + ny;
      sums[at + 2] = (sums[at + 2] ?? 0) + nz;
    }
  }
  const normals = new Float32Array(positions.length);
  for (let i = 0; i < sums.length; i += 3) {
    const x = sums[i] ?? 0;
    const y = sums[i + 1] ?? 0;
    const z = sums[i + 2] ?? 0;
    const length = Math.hypot(x, y, z);
    const isUsable = length > 0 && Number.isFinite(length);
    normals[i] = isUsable ? x / length : 0;
    normals[i + 1] = isUsable ? y / length : 1;
    normals[i + 2] = isUsable ? z / length : 0;
  }
  return normals;
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
