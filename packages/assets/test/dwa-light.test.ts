import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DwaLight, halfOfBits } from '../src/environment/dwa-light.js';
import { fromHalf } from '../src/environment/float-image.js';

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

test('stored values stand for light by a root of 2.2, and by a logarithm above 1', () => {
  const { linear, values } = new DwaLight();
  const wrong = Array.from({ length: 0x7c00 }, (_, half) => half).filter((half) => {
    const stored = fromHalf(half);
    const wanted = stored <= 1 ? stored ** 2.2 : Math.exp(2.2 * (stored - 1));
    const light = linear[half] ?? 0;
    const isNear = Math.abs(fromHalf(light) - wanted) < wanted * 2 ** -10.9 + 2 ** -24.9;
    // Brighter than what is stored as less, or the same; and of negative values the same light below zero.
    const isInOrder = light >= (linear[half - 1] ?? 0);
    const isMirrored = linear[half | 0x8000] === (half === 0 ? 0 : light | 0x8000);
    const isInfinite = wanted >= 65_500 && light >= 0x7bff;
    return values[half] !== stored || !(isNear || isInfinite) || !isInOrder || !isMirrored;
  });
  expect(wrong).toEqual([]);
  expect(linear[0x3c00]).toBe(0x3c00);
  expect([linear[0x7c00], linear[0x7e00], linear[0xfc00]]).toEqual([0, 0, 0]);
});
