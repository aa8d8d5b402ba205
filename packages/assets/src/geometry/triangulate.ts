import type { Topology } from '../data/mesh-data.js';

/** Index list of a topology that has lists only. */
export interface IndexList {
  readonly topology: Topology;
  readonly indices: Uint32Array;
}

/**
 * Turns any of glTF's seven modes into a list: strips, fans and loops become triangles and lines, in
 * the winding and order of the specification. Incomplete last primitives are dropped. One allocation.
 *
 * @param mode - 0 points, 1 lines, 2 line loop, 3 line strip, 4 triangles, 5 triangle strip, 6 triangle fan
 */
export function toIndexList(mode: number, indices: Uint32Array): IndexList {
  const count = indices.length;
  const at = (i: number): number => indices[i] ?? 0;
  switch (mode) {
    case 0:
      return { topology: 'points', indices };
    case 1:
      return { topology: 'lines', indices: indices.subarray(0, count - (count % 2)) };
    case 2:
    case 3: {
      const segments = count < 2 ? 0 : count - (mode === 3 ? 1 : 0);
      const list = new Uint32Array(segments * 2);
      for (let i = 0; i < segments; i++) {
        list[i * 2] = at(i);
        list[i * 2 + 1] = at((i + 1) % count);
      }
      return { topology: 'lines', indices: list };
    }
    case 5:
    case 6: {
      const triangles = Math.max(0, count - 2);
      const list = new Uint32Array(triangles * 3);
      for (let i = 0; i < triangles; i++) {
        if (mode === 6) list.set([at(i + 1), at(i + 2), at(0)], i * 3);
        else list.set([at(i), at(i + 1 + (i % 2)), at(i + 2 - (i % 2))], i * 3);
      }
      return { topology: 'triangles', indices: list };
    }
    default:
      return { topology: 'triangles', indices: indices.subarray(0, count - (count % 3)) };
  }
}
