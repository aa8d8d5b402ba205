/** Something to measure: one call is one run. */
export interface Candidate {
  readonly name: string;
  /** Called before each run, not measured. */
  prepare?(): void;
  run(): void;
}

/**
 * Runs the candidates in turns, `rounds` times each after a warm-up, and prints the shortest time of each
 * and its ratio to the first: on a busy machine the shortest is the one that nothing disturbed.
 */
export function compare(title: string, candidates: readonly Candidate[], rounds = 100): number[] {
  const times = candidates.map((): number[] => []);
  for (let round = -20; round < rounds; round++) {
    for (const [i, candidate] of candidates.entries()) {
      candidate.prepare?.();
      const start = performance.now();
      candidate.run();
      const time = performance.now() - start;
      if (round >= 0) times[i]?.push(time);
    }
  }
  const best = times.map((all) => Math.min(...all));
  const base = best[0] ?? NaN;
  console.log(title);
  for (const [i, { name }] of candidates.entries()) {
    const time = best[i] ?? NaN;
    console.log(
      `  ${name.padEnd(44)} ${time.toFixed(3).padStart(8)} ms  ${(time / base).toFixed(2)}×`,
    );
  }
  return best;
}
