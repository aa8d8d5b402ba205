/**
 * Writes a joint's matrix, from the mesh as it was modelled to the world, as affine rows: its world matrix · its inverse
 * bind matrix.
 *
 * @param world - column-major matrix at `w`
 * @param bind - column-major inverse bind matrix at `b`, whose last row is 0, 0, 0, 1
 * @returns whether it is finite; else what was written is not to be used
 */
export function jointRows(
  out: Float32Array,
  o: number,
  world: Float32Array,
  w: number,
  bind: Float32Array,
  b: number,
): boolean {
  let sum = 0;
  for (let row = 0; row < 3; row++) {
    const x = world[w + row] as number;
    const y = world[w + row + 4] as number;
    const z = world[w + row + 8] as number;
    for (let column = 0; column < 4; column++) {
      const from = b + column * 4;
      const value =
        x * (bind[from] as number) +
        y * (bind[from + 1] as number) +
        z * (bind[from + 2] as number) +
        (column === 3 ? (world[w + row + 12] as number) : 0);
      out[o + row * 4 + column] = value;
      sum += Math.abs(value);
    }
  }
  // Also what overflows when it is stored in 32 bits.
  return sum < 3.4e38;
}
