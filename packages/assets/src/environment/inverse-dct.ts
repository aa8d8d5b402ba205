/** Halves of the cosines of multiples of 11.25 degrees. */
const [C1, C2, C3, C4, C5, C6, C7] = [1, 2, 3, 4, 5, 6, 7].map(
  (k) => Math.cos((k * Math.PI) / 16) / 2,
) as [number, number, number, number, number, number, number];

/**
 * The inverse of the orthonormal discrete cosine transform (of type II) of 8 × 8 values, row after row, in place.
 *
 * @param rows - so many of the rows, from the first, hold anything but zeros. Fewer are faster
 */
export function inverseDct(block: Float32Array, rows: number): void {
  for (let row = 0; row < rows; row++) transform(block, row * 8, 1);
  for (let column = 0; column < 8; column++) transform(block, column, 8);
}

/** Of eight values: those of even and of odd frequency apart, whose sums and differences are the two halves of the result. */
function transform(block: Float32Array, start: number, step: number): void {
  const x1 = block[start + step] ?? 0;
  const x2 = block[start + 2 * step] ?? 0;
  const x3 = block[start + 3 * step] ?? 0;
  const x5 = block[start + 5 * step] ?? 0;
  const x6 = block[start + 6 * step] ?? 0;
  const x7 = block[start + 7 * step] ?? 0;
  const mean = C4 * (block[start] ?? 0);
  const x4 = C4 * (block[start + 4 * step] ?? 0);
  const outer = C2 * x2 + C6 * x6;
  const inner = C6 * x2 - C2 * x6;
  const even0 = mean + x4 + outer;
  const even1 = mean - x4 + inner;
  const even2 = mean - x4 - inner;
  const even3 = mean + x4 - outer;
  const odd0 = C1 * x1 + C3 * x3 + C5 * x5 + C7 * x7;
  const odd1 = C3 * x1 - C7 * x3 - C1 * x5 - C5 * x7;
  const odd2 = C5 * x1 - C1 * x3 + C7 * x5 + C3 * x7;
  const odd3 = C7 * x1 - C5 * x3 + C3 * x5 - C1 * x7;
  block[start] = even0 + odd0;
  block[start + step] = even1 + odd1;
  block[start + 2 * step] = even2 + odd2;
  block[start + 3 * step] = even3 + odd3;
  block[start + 4 * step] = even3 - odd3;
  block[start + 5 * step] = even2 - odd2;
  block[start + 6 * step] = even1 - odd1;
  block[start + 7 * step] = even0 - odd0;
}
