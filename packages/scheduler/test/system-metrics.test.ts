import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DurationWindow } from '../src/tick/system-metrics.js';

it('p99 is the least of the last 256 durations that 99 of 100 do not exceed', () => {
  const window = new DurationWindow();
  expect(window.p99).toBe(0);
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 600 }), (durations) => {
      const window = new DurationWindow();
      for (const duration of durations) window.record(duration);
      const last = durations.slice(-256).toSorted((a, b) => a - b);
      const enough = last.findIndex((_, i) => (i + 1) / last.length >= 0.99);
      expect(window.p99).toBe(last[enough] ?? 0);
    }),
  );
});
