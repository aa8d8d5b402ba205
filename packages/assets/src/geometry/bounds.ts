import type { Bounds } from '../data/mesh-data.js';

/**
 * The box around some vertices; the origin for none.
 *
 * @param positions - 3 floats a vertex, all finite
 * @param first - first vertex
 * @param count - vertices
 */
export function computeBounds(positions: Float32Array, first: number, count: number): Bounds {
  if (count === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const end = (first + count) * 3;
  for (let i = first * 3; i < end; i += 3) {
    const x = positions[i] ?? 0;
    const y = positions[i + 1] ?? 0;
    const z = positions[i + 2] ?? 0;
    if (x < min[0]) min[0] = x;
    if (y < min[1]) min[1] = y;
    if (z < min[2]) min[2] = z;
    if (x > max[0]) max[0] = x;
    if (y > max[1]) max[1] = y;
    if (z > max[2]) max[2] = z;
  }
  return { min, max };
}
