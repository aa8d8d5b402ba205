/** Powers of ten: a 32-bit number times one of these is exact in 64 bits. */
const SCALES = Array.from({ length: 13 }, (_, decimals) => 10 ** decimals);

/** The number with the fewest digits that 32 bits can't tell from `value`: 0.1, not 0.10000000149011612. */
export function shortestFloat(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  const size = Math.abs(value);
  for (const scale of SCALES) {
    const short = Math.round(size * scale) / scale;
    if (Math.fround(short) === size) return value < 0 ? -short : short;
  }
  // What is below a thousandth may have more decimals.
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
