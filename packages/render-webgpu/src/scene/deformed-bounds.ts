import { AFFINE_FLOATS } from '@ecliptic/render-sync';
import type { LocalSphere } from './world-spheres.js';

/**
 * Writes a sphere around what a mesh can become: its sphere, moved by each of several affine rows. Every vertex is a mean of
 * where those take it, so it is inside. O(rows), no allocation.
 *
 * @param out - x, y, z, radius, at `o`
 * @param reach - how far morph targets move a vertex at most
 * @param first - index of the first rows
 */
export function deformedSphere(
  out: Float32Array,
  o: number,
  { center, radius }: LocalSphere,
  reach: number,
  rows: Float32Array,
  first: number,
  count: number,
): void {
  const end = (first + count) * AFFINE_FLOATS;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let at = first * AFFINE_FLOATS; at < end; at += AFFINE_FLOATS) {
      const middle = along(rows, at + axis * 4, center);
      if (middle < low) low = middle;
      if (middle > high) high = middle;
    }
    out[o + axis] = (low + high) / 2;
  }
  let reached = 0;
  for (let at = first * AFFINE_FLOATS; at < end; at += AFFINE_FLOATS) {
    const away = Math.hypot(
      along(rows, at, center) - (out[o] as number),
      along(rows, at + 4, center) - (out[o + 1] as number),
      along(rows, at + 8, center) - (out[o + 2] as number),
    );
    reached = Math.max(reached, away + (radius + reach) * largestStretch(rows, at));
  }
  out[o + 3] = reached;
}

/** Where the row at `at` takes a point, on its axis. */
function along(rows: Float32Array, at: number, [x, y, z]: LocalSphere['center']): number {
  return (
    (rows[at] as number) * x +
    (rows[at + 1] as number) * y +
    (rows[at + 2] as number) * z +
    (rows[at + 3] as number)
  );
}

/** How much rows stretch a vector at most, or a little more where they shear. */
function largestStretch(rows: Float32Array, at: number): number {
  let largest = 0;
  for (let i = 0; i < 3; i++) {
    let sum = 0;
    for (let j = 0; j < 3; j++) {
      let dot = 0;
      for (let row = at; row < at + AFFINE_FLOATS; row += 4) {
        dot += (rows[row + i] as number) * (rows[row + j] as number);
      }
      sum += Math.abs(dot);
    }
    largest = Math.max(largest, sum);
  }
  return Math.sqrt(largest);
}
