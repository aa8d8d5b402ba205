import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CostModel } from '../src/workers/cost-model.js';

const ROWS = 1_000;
/** Nanoseconds of an inline run that is worth sharing. */
const INLINE = 1_000_000;

interface Costs {
  /** Nanoseconds of a run inline. */
  readonly inline?: (run: number) => number;
  /** Nanoseconds that a shared run keeps the owner. */
  readonly shared: (run: number) => number;
  /** Nanoseconds that all threads are busy in a shared run; default as long as inline. */
  readonly busy?: (run: number) => number;
}

/** Lets the model decide over so many runs of a system with these costs. */
function play(cost: CostModel, runs: number, { shared, inline, busy }: Costs, from = 0) {
  let spent = 0;
  let alone = 0;
  const sharedRuns: number[] = [];
  for (let run = from; run < from + runs; run++) {
    const inlineNow = inline?.(run) ?? INLINE;
    alone += inlineNow;
    if (cost.decide(ROWS)) {
      sharedRuns.push(run);
      spent += shared(run);
      cost.ranShared(ROWS, busy?.(run) ?? inlineNow, shared(run));
    } else {
      spent += inlineNow;
      cost.ranInline(ROWS, inlineNow);
    }
  }
  return { sharedRuns, spent, alone };
}

/** Lengths of the pauses between shared runs that are longer than a probe. */
function rests(sharedRuns: readonly number[]): number[] {
  return sharedRuns.flatMap((run, i) => {
    const gap = run - (sharedRuns[i - 1] ?? run) - 1;
    return gap > 1 ? [gap] : [];
  });
}

describe('CostModel', () => {
  it('begins inline, and measures some runs before it decides', () => {
    const cost = new CostModel();
    const { sharedRuns } = play(cost, 20, { shared: () => INLINE / 2 });
    expect(sharedRuns[0]).toBe(8);
    expect(sharedRuns).toHaveLength(12);
    expect(cost.perRow).toBe(INLINE / ROWS);
  });

  it('shares out what is worth it, and does not flutter about the limit', () => {
    const cost = new CostModel();
    for (let i = 0; i < 8; i++) cost.ranInline(1_000, 10_000);
    expect(cost.perRow).toBe(10);
    expect([14_000, 16_000, 10_000, 8_000, 10_000].map((rows) => cost.decide(rows))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('does not even count the rows of a system that costs next to nothing, most of the time', () => {
    const cost = new CostModel();
    let looks = 0;
    let shared = 0;
    for (let run = 0; run < 160; run++) {
      const rows = cost.isAwake ? 10 : 0;
      if (rows > 0) {
        looks++;
        if (cost.decide(rows)) shared++;
      }
      cost.ranInline(rows, 1_000);
    }
    expect(looks).toBeLessThanOrEqual(12);
    expect(shared).toBe(0);
  });

  it('notices within 64 runs when that becomes much', () => {
    const cost = new CostModel();
    let rows = 10;
    let run = 0;
    let noticed = -1;
    for (; run < 400 && noticed < 0; run++) {
      if (run === 200) rows = 10_000;
      const seen = cost.isAwake ? rows : 0;
      if (seen > 0 && cost.decide(seen)) noticed = run;
      else cost.ranInline(seen, seen * 100);
    }
    expect(noticed).toBeGreaterThanOrEqual(200);
    expect(noticed).toBeLessThan(264);
  });

  it('goes on where it is faster; looking what a run inline costs takes less than 1%', () => {
    const { sharedRuns, spent, alone } = play(new CostModel(), 6_400, {
      shared: () => INLINE / 1.9,
    });
    expect(rests(sharedRuns)).toEqual([]);
    expect(sharedRuns.length).toBeGreaterThan(6_250);
    expect(alone / spent).toBeGreaterThan(1.9 * 0.985);
  });

  it('workers that have not compiled the system yet are let learn: short runs, slow at first', () => {
    const inline = INLINE / 2;
    const slow = [12, 6, 4, 3, 1.5];
    const { sharedRuns, spent, alone } = play(new CostModel(), 1_000, {
      inline: () => inline,
      shared: (run) => inline * (slow[run - 8] ?? 0.55),
    });
    expect(rests(sharedRuns)).toEqual([]);
    expect(sharedRuns.length).toBeGreaterThan(970);
    expect(alone / spent).toBeGreaterThan(1.7);
  });

  it('goes back inline where it is slower, and tries again ever more seldom', () => {
    const { sharedRuns, spent, alone } = play(new CostModel(), 30_000, {
      shared: () => INLINE * 1.5,
    });
    const pauses = rests(sharedRuns);
    expect(pauses.length).toBeGreaterThan(4);
    expect(pauses[0]).toBeGreaterThan(50);
    // The first try has more credit than those that follow.
    for (let i = 2; i < pauses.length; i++) {
      expect(pauses[i]).toBeGreaterThan(Math.min(1.9 * (pauses[i - 1] ?? 0), 8_000));
    }
    expect(spent / alone).toBeLessThan(1.002);
  });

  it('when a worker loses its core, a few runs are enough; when it has it again, a few tries', () => {
    const cost = new CostModel();
    const good = { shared: () => INLINE * 0.55 };
    const bad = { shared: () => INLINE * 6, busy: () => INLINE * 6.5 };
    play(cost, 1_000, good);
    const busy = play(cost, 2_000, bad, 1_000);
    expect(busy.sharedRuns.filter((run) => run < 1_100)).toEqual([1_000, 1_001]);
    expect(busy.sharedRuns.length).toBeLessThan(8);
    // Time that threads spent waiting is not taken for work.
    expect(cost.perRow).toBeCloseTo(INLINE / ROWS);
    const calm = play(cost, 10_000, good, 3_000);
    expect(calm.sharedRuns.length).toBeGreaterThan(6_000);
  });

  it('sharing that brings nothing ends, too', () => {
    const { sharedRuns } = play(new CostModel(), 3_000, { shared: () => INLINE });
    expect(sharedRuns.length).toBeLessThan(500);
  });

  it('learns that work has become lighter while it is shared, and runs it inline', () => {
    const cost = new CostModel();
    play(cost, 100, { shared: () => INLINE / 2 });
    const light = INLINE / 100;
    const { sharedRuns } = play(cost, 100, { inline: () => light, shared: () => light }, 100);
    expect(sharedRuns.length).toBeLessThan(8);
  });

  it('learns that work has become heavier while it is shared', () => {
    const cost = new CostModel();
    play(cost, 100, { shared: () => INLINE / 2 });
    const { sharedRuns } = play(
      cost,
      2_000,
      { inline: () => 4 * INLINE, shared: () => 2 * INLINE },
      100,
    );
    expect(sharedRuns.length).toBeGreaterThan(1_000);
    expect(cost.perRow).toBeCloseTo((4 * INLINE) / ROWS, -1);
  });

  it('one run in which this thread did not have its core is not taken for the cost of the work', () => {
    const cost = new CostModel();
    for (let i = 0; i < 8; i++) cost.ranInline(ROWS, INLINE);
    cost.ranInline(ROWS, 100 * INLINE);
    expect(cost.perRow).toBeLessThanOrEqual((1.2 * INLINE) / ROWS);
  });

  it('a system that was only ever shared, because that is forced, is known by its busy time', () => {
    const cost = new CostModel();
    for (let i = 0; i < 20; i++) cost.ranShared(ROWS, i === 0 ? 9 * INLINE : INLINE, INLINE / 2);
    expect(cost.perRow).toBeCloseTo(INLINE / ROWS, 0);
  });

  it('all runs together never take longer than inline by more than 5% and the first try, whatever sharing costs', () => {
    const regime = fc.record({
      runs: fc.integer({ min: 1, max: 3_000 }),
      // Of an inline run: from two threads at their best to a worker that does not get a core for long.
      shared: fc.oneof(
        fc.double({ min: 0.5, max: 1.2, noNaN: true }),
        fc.double({ min: 0.5, max: 20, noNaN: true }),
      ),
      // One run in so many takes 20 times as long.
      outlier: fc.integer({ min: 2, max: 200 }),
      noise: fc.double({ min: 0, max: 0.1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(regime, { minLength: 1, maxLength: 12 }), (regimes) => {
        const cost = new CostModel();
        let spent = 0;
        let alone = 0;
        for (const { runs, shared, outlier, noise } of regimes) {
          const result = play(cost, runs, {
            inline: (run) => INLINE * (1 + noise * Math.sin(run)),
            shared: (run) => INLINE * (run % outlier === 0 ? 20 : shared),
          });
          spent += result.spent;
          alone += result.alone;
        }
        // The first try: ten milliseconds of learning, its credit, and the run that overdraws it.
        expect(spent).toBeLessThan(alone * 1.05 + 10_000_000 + INLINE * (8 + 20));
      }),
    );
  });
});
