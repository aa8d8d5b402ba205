/**
 * Numbers of one transform in a frame state: the upper three rows of its matrix, row by row
 * (`m00 m01 m02 tx`, `m10 …`, `m20 …`). The fourth is always 0, 0, 0, 1. Three quarters of the bytes,
 * and what a shader reads as three `vec4`s.
 */
export const AFFINE_FLOATS = 12;

/** Converts a column-major 4×4 matrix at `m` to affine rows at `o`. */
export function matrixToRows(out: Float32Array, o: number, matrix: Float32Array, m: number): void {
  out[o] = matrix[m] as number;
  out[o + 1] = matrix[m + 4] as number;
  out[o + 2] = matrix[m + 8] as number;
  out[o + 3] = matrix[m + 12] as number;
  out[o + 4] = matrix[m + 1] as number;
  out[o + 5] = matrix[m + 5] as number;
  out[o + 6] = matrix[m + 9] as number;
  out[o + 7] = matrix[m + 13] as number;
  out[o + 8] = matrix[m + 2] as number;
  out[o + 9] = matrix[m + 6] as number;
  out[o + 10] = matrix[m + 10] as number;
  out[o + 11] = matrix[m + 14] as number;
}

/** Converts affine rows at `r` to a column-major 4×4 matrix at `o`. */
export function rowsToMatrix(out: Float32Array, o: number, rows: Float32Array, r: number): void {
  for (let row = 0; row < 3; row++) {
    const from = r + row * 4;
    out[o + row] = rows[from] as number;
    out[o + row + 4] = rows[from + 1] as number;
    out[o + row + 8] = rows[from + 2] as number;
    out[o + row + 12] = rows[from + 3] as number;
  }
  out[o + 3] = out[o + 7] = out[o + 11] = 0;
  out[o + 15] = 1;
}

/** Whether two transforms are the same, number by number. */
export function sameRows(a: Float32Array, ai: number, b: Float32Array, bi: number): boolean {
  // Positions first: most of what moves, moves along.
  for (let i = 3; i < AFFINE_FLOATS; i += 4) if (a[ai + i] !== b[bi + i]) return false;
  for (let i = 0; i < AFFINE_FLOATS; i++) if (a[ai + i] !== b[bi + i]) return false;
  return true;
}
