import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobSizes } from '../src/workers/job-sizes.js';

/** Rows of each job of a system over tables of so many rows. */
function jobsOf(tables: readonly number[], threads: number, perRow: number): number[] {
  const sizes = new JobSizes();
  sizes.begin(
    tables.reduce((sum, rows) => sum + rows, 0),
    threads,
    perRow,
  );
  return tables.flatMap((rows) => {
    const jobs: number[] = [];
    for (let start = 0; start < rows;) {
      const end = sizes.end(start, rows);
      jobs.push(end - start);
      start = end;
    }
    return jobs;
  });
}

/** When the last of some threads is done, each of which takes the next job when it is free. */
function lastEnd(jobs: readonly number[], perRow: readonly number[]): number {
  const ends = perRow.map(() => 0);
  for (const rows of jobs) {
    const next = ends.indexOf(Math.min(...ends));
    ends[next] = (ends[next] ?? 0) + rows * (perRow[next] ?? 0);
  }
  return Math.max(...ends);
}

describe('JobSizes', () => {
  it('are equal at first, then fall to what takes ten microseconds', () => {
    const jobs = jobsOf([100_000], 2, 64);
    expect(jobs.slice(0, 4)).toEqual([12_544, 12_544, 12_544, 12_544]);
    const later = jobs.slice(4, -1);
    expect(later.toSorted((a, b) => b - a)).toEqual(later);
    expect(Math.min(...later) * 64).toBeGreaterThan(10_000);
    expect(Math.min(...later) * 64).toBeLessThan(40_000);
    expect(jobs.length).toBeLessThan(32);
  });

  it('keep threads that are not equally fast from waiting long for each other', () => {
    const jobs = jobsOf([100_000], 2, 64);
    for (const slow of [64, 80, 96, 128, 192]) {
      const ideal = 100_000 / (1 / 64 + 1 / slow);
      expect(lastEnd(jobs, [64, slow])).toBeLessThan(ideal * 1.02);
    }
  });

  it('cut where they did before, when a few rows come or go', () => {
    const cuts = (rows: number): number[] => {
      let end = 0;
      return jobsOf([rows], 2, 64).map((job) => (end += job));
    };
    const before = cuts(100_000);
    for (const rows of [99_900, 100_050, 100_300]) {
      expect(cuts(rows).slice(0, 16)).toEqual(before.slice(0, 16));
    }
  });

  it('light work is cut into as many jobs as there are threads at most, or is whole', () => {
    expect(jobsOf([1_000], 2, 20)).toHaveLength(2);
    expect(jobsOf([1], 4, 50)).toEqual([1]);
    expect(jobsOf([40], 2, 1)).toHaveLength(2);
  });

  it('whatever is cut: jobs have rows, all together all of them, and are not too many', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 17 }),
        fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 100_000, noNaN: true })),
        (tables, threads, perRow) => {
          fc.pre(tables.some((rows) => rows > 0));
          const all = tables.reduce((sum, rows) => sum + rows, 0);
          const jobs = jobsOf(tables, threads, perRow);
          expect(Math.min(...jobs)).toBeGreaterThan(0);
          expect(jobs.reduce((sum, rows) => sum + rows, 0)).toBe(all);
          // What is left falls by at least one part in 2 threads with each job.
          const most = 2 * threads * Math.log(all + 1) + 4 * threads + tables.length;
          expect(jobs.length).toBeLessThanOrEqual(Math.ceil(most));
        },
      ),
    );
  });
});
