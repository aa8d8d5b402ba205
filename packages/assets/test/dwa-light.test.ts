import { expect, test } from 'vitest';
import { DwaLight } from '../src/environment/dwa-light.js';
import { fromHalf } from '../src/environment/float-image.js';

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
