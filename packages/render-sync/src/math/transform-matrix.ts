/**
 * Writes the matrix of translation · rotation · scale.
 *
 * Matrices in Ecliptic are 16 numbers, column-major, as WebGPU and glTF have them: a column is an
 * axis, the last column the position.
 *
 * @param out - matrix at `o`; may be a larger array
 * @param position - 3 numbers at `p`
 * @param rotation - quaternion x, y, z, w at `r`; of length 1, else the matrix is scaled by it
 * @param scale - 3 numbers at `s`; may be negative or zero
 */
export function composeTransform(
  out: Float32Array,
  o: number,
  position: Float32Array,
  p: number,
  rotation: Float32Array,
  r: number,
  scale: Float32Array,
  s: number,
): void {
  const x = rotation[r] as number;
  const y = rotation[r + 1] as number;
  const z = rotation[r + 2] as number;
  const w = rotation[r + 3] as number;
  const sx = scale[s] as number;
  const sy = scale[s + 1] as number;
  const sz = scale[s + 2] as number;
  const x2 = x + x;
  const y2 = y + y;
  const z2 = z + z;
  const xx = x * x2;
  const xy = x * y2;
  const xz = x * z2;
  const yy = y * y2;
  const yz = y * z2;
  const zz = z * z2;
  const wx = w * x2;
  const wy = w * y2;
  const wz = w * z2;
  out[o] = (1 - yy - zz) * sx;
  out[o + 1] = (xy + wz) * sx;
  out[o + 2] = (xz - wy) * sx;
  out[o + 3] = 0;
  out[o + 4] = (xy - wz) * sy;
  out[o + 5] = (1 - xx - zz) * sy;
  out[o + 6] = (yz + wx) * sy;
  out[o + 7] = 0;
  out[o + 8] = (xz + wy) * sz;
  out[o + 9] = (yz - wx) * sz;
  out[o + 10] = (1 - xx - yy) * sz;
  out[o + 11] = 0;
  out[o + 12] = position[p] as number;
  out[o + 13] = position[p + 1] as number;
  out[o + 14] = position[p + 2] as number;
  out[o + 15] = 1;
}

/**
 * `out = parent · out` for matrices whose last row is 0, 0, 0, 1: turns a local matrix into a world
 * matrix in place.
 */
export function premultiplyAffine(
  out: Float32Array,
  o: number,
  parent: Float32Array,
  p: number,
): void {
  const a0 = parent[p] as number;
  const a1 = parent[p + 1] as number;
  const a2 = parent[p + 2] as number;
  const b0 = parent[p + 4] as number;
  const b1 = parent[p + 5] as number;
  const b2 = parent[p + 6] as number;
  const c0 = parent[p + 8] as number;
  const c1 = parent[p + 9] as number;
  const c2 = parent[p + 10] as number;
  for (let column = o; column < o + 12; column += 4) {
    const x = out[column] as number;
    const y = out[column + 1] as number;
    const z = out[column + 2] as number;
    out[column] = a0 * x + b0 * y + c0 * z;
    out[column + 1] = a1 * x + b1 * y + c1 * z;
    out[column + 2] = a2 * x + b2 * y + c2 * z;
  }
  const x = out[o + 12] as number;
  const y = out[o + 13] as number;
  const z = out[o + 14] as number;
  out[o + 12] = a0 * x + b0 * y + c0 * z + (parent[p + 12] as number);
  out[o + 13] = a1 * x + b1 * y + c1 * z + (parent[p + 13] as number);
  out[o + 14] = a2 * x + b2 * y + c2 * z + (parent[p + 14] as number);
}
