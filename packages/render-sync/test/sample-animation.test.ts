import type { AnimationSamplerData } from '@ecliptic/assets';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleAnimation } from '../src/index.js';
import { turn } from './fixtures/transforms.js';

const scalar = { stride: 1, count: 1, isRotation: false };
const rotation = { stride: 4, count: 4, isRotation: true };

function sampler(
  interpolation: AnimationSamplerData['interpolation'],
  times: readonly number[],
  values: readonly number[],
): AnimationSamplerData {
  return { interpolation, times: Float32Array.from(times), values: Float32Array.from(values) };
}

function at(data: AnimationSamplerData, time: number): number {
  const out = new Float32Array([-99]);
  sampleAnimation(data, time, scalar, out, 0);
  return out[0] as number;
}

describe('a sampled animation', () => {
  test('holds its first and last values outside its keys, and changes nothing without keys', () => {
    for (const kind of ['linear', 'step'] as const) {
      const data = sampler(kind, [1, 2], [5, 7]);
      expect([at(data, -1), at(data, 0.5), at(data, 1), at(data, 2), at(data, 9)]).toEqual([
        5, 5, 5, 7, 7,
      ]);
    }
    const cubic = sampler('cubic', [1, 2], [100, 5, 100, 100, 7, 100]);
    expect([at(cubic, 0), at(cubic, 1), at(cubic, 2), at(cubic, 9)]).toEqual([5, 5, 7, 7]);
    expect(at(sampler('linear', [3], [5]), 3)).toBe(5);
    expect(at(sampler('linear', [], []), 0)).toBe(-99);
  });

  test('steps at its keys, and is a straight line between them where it is linear', () => {
    const times = [0, 1, 3];
    const steps = [0, 0.99, 1, 2.99, 3].map((time) => at(sampler('step', times, [1, 2, 4]), time));
    expect(steps).toEqual([1, 1, 2, 2, 4]);
    const line = [0.5, 1, 2, 2.5].map((time) => at(sampler('linear', times, [1, 2, 4]), time));
    expect(line).toEqual([1.5, 2, 3, 3.5]);
  });

  test('jumps where two keys have one time', () => {
    const data = sampler('linear', [0, 1, 1, 2], [0, 1, 5, 6]);
    expect([at(data, 0.5), at(data, 1), at(data, 1.5)]).toEqual([0.5, 5, 5.5]);
  });

  test('is any cubic that its tangents were taken from', () => {
    const coefficient = fc.integer({ min: -5, max: 5 });
    fc.assert(
      fc.property(
        fc.tuple(coefficient, coefficient, coefficient, coefficient),
        fc.double({ min: 0.1, max: 4, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ([a, b, c, d], length, share) => {
          const end = Math.fround(length);
          const value = (t: number): number => a + b * t + c * t * t + d * t * t * t;
          const slope = (t: number): number => b + 2 * c * t + 3 * d * t * t;
          const keys = [0, end].flatMap((t) => [slope(t), value(t), slope(t)]);
          const size = Math.max(1, ...keys.map(Math.abs));
          const time = end * share;
          expect(at(sampler('cubic', [0, end], keys), time) / size).toBeCloseTo(
            value(time) / size,
            4,
          );
        },
      ),
    );
  });

  test('turns at an even rate on the shorter arc, about any axis, up to half a turn, without a sine', () => {
    const angle = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
    const axis = fc.tuple(
      fc.integer({ min: -9, max: 9 }),
      fc.integer({ min: -9, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(
        axis,
        angle,
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, by, flip, t) => {
          const sign = flip ? -1 : 1;
          const values = [...turn(a, 0), ...turn(a, by).map((value) => value * sign)];
          const out = new Float32Array(6);
          sampleAnimation(sampler('linear', [0, 1], values), t, rotation, out, 1);
          const expected = turn(a, by * t);
          const dot = expected.reduce((sum, value, i) => sum + value * (out[i + 1] as number), 0);
          expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-6);
          expect(Math.hypot(...out.subarray(1, 5))).toBeCloseTo(1, 6);
          expect([out[0], out[5]]).toEqual([0, 0]);
        },
      ),
    );
  });

  test('a cubic rotation stays of length 1', () => {
    const zero = [0, 0, 0, 0];
    const out = new Float32Array(4);
    const values = [...zero, 0, 0, 0, 1, ...zero, ...zero, 0, 1, 0, 0, ...zero];
    sampleAnimation(sampler('cubic', [0, 1], values), 0.5, rotation, out, 0);
    expect(Math.hypot(...out)).toBeCloseTo(1, 6);
    expect(out[1]).toBeCloseTo(Math.SQRT1_2, 6);
  });

  test('writes as many of its numbers as are asked for', () => {
    const data = sampler('linear', [0, 1], [1, 2, 3, 3, 4, 5]);
    const out = new Float32Array(4);
    sampleAnimation(data, 0.5, { stride: 3, count: 2, isRotation: false }, out, 1);
    expect([...out]).toEqual([0, 2, 3, 0]);
  });
});
