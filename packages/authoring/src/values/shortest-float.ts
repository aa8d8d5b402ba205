/** The number with the fewest digits that 32 bits can't tell from `value`: 0.1, not 0.10000000149011612. */
export function shortestFloat(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
