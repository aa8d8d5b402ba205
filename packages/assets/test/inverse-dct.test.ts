import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverseDct } from '../src/environment/inverse-dct.js';
import { sumOfCosines } from './sum-of-cosines.js';

test('the inverse transform is the sum of the cosines, however many rows hold any', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 64, maxLength: 64 }),
      (rows, numbers) => {
        const coefficients = numbers.map((value, i) => (i < rows * 8 ? value / 16 : 0));
        const block = Float32Array.from(coefficients);
        inverseDct(block, rows);
        sumOfCosines(coefficients).forEach((wanted, i) => {
          expect(Math.abs((block[i] ?? NaN) - wanted)).toBeLessThan(1e-3);
        });
      },
    ),
  );
});
