import { expect, test } from 'vitest';
import { FrameRate } from '../src/page/frame-rate.js';

test('is that of the last two seconds', () => {
  const rate = new FrameRate();
  let period = 0;
  // A second of 60 frames, then one frame a second.
  for (let at = 0; at <= 1_000; at += 250) period = rate.sample(at * 0.06, at);
  expect(period).toBeCloseTo(1_000 / 60);
  for (let at = 1_250; at <= 6_000; at += 250)
    period = rate.sample(59 + Math.floor(at / 1_000), at);
  expect(period).toBe(1_000);
});

test('is none before the first frame, and once there are no more', () => {
  const rate = new FrameRate();
  expect(rate.sample(0, 0)).toBe(0);
  expect(rate.sample(0, 250)).toBe(0);
  expect(rate.sample(1, 500)).toBe(500);
  expect(rate.sample(1, 3_000)).toBe(0);
});
