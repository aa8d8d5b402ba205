import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHalf } from '../src/environment/float-image.js';
import { halfOfBits } from '../src/environment/half-of-bits.js';

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);
const halfOf = (value: number): number => {
  float[0] = value;
  return halfOfBits(bits[0] ?? 0);
};

describe('the half float of a float', () => {
  test('is itself where it has one', () => {
    const wrong = Array.from({ length: 2 ** 16 }, (_, half) => half).filter((half) => {
      const value = fromHalf(half);
      return Number.isNaN(value) ? (halfOf(value) & 0x7fff) !== 0x7e00 : halfOf(value) !== half;
    });
    expect(wrong).toEqual([]);
  });

  test('is the nearest one, of two the even one', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.float({ noNaN: true, noDefaultInfinity: true }),
          fc.float({ min: -1, max: 1, noNaN: true }),
          // Halfway between two, and the steps beside that.
          fc
            .tuple(fc.nat(0x7bfe), fc.integer({ min: -1, max: 1 }))
            .map(
              ([half, step]) => ((fromHalf(half) + fromHalf(half + 1)) / 2) * (1 + step * 2 ** -23),
            ),
        ),
        (value) => {
          const found = halfOf(value);
          const isLarge = Math.abs(value) >= 65_520;
          expect((found & 0x7fff) === 0x7c00).toBe(isLarge);
          const distance = (half: number): number => Math.abs(fromHalf(half) - Math.fround(value));
          const better = [found - 1, found + 1].filter((other) => {
            if (isLarge || other < 0 || (other ^ found) >= 0x8000) return false;
            return (
              distance(other) < distance(found) ||
              (distance(other) === distance(found) && (found & 1) === 1)
            );
          });
          expect(better).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
