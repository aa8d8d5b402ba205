import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortestFloat } from '../src/values/shortest-float.js';

/** The definition, tried digit by digit. */
function fewestDigits(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

it('a 32-bit number is written with the fewest digits that give it again', () => {
  const anySize = fc.float({ noNaN: true, noDefaultInfinity: true });
  const usual = fc.float({ min: -1_000, max: 1_000, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(anySize, usual), (value) => {
      const short = shortestFloat(value);
      expect(Math.fround(short)).toBe(value);
      expect(short).toBe(Number.isInteger(value) ? value : fewestDigits(value));
    }),
    { numRuns: 2_000 },
  );
  expect(shortestFloat(Math.fround(0.1))).toBe(0.1);
});
