import { EclipticError } from '@ecliptic/core';
import type { Commands, Scene } from '@ecliptic/ecs';
import type { WorldTick } from '../tick/world-tick.js';
import type { WorldTickOptions } from '../tick/world-tick-options.js';

/** A game made for one run of {@link checkDeterminism}. */
export interface DeterminismSubject {
  readonly scene: Scene;
  /** Committed, or not yet. */
  readonly worldTick: WorldTick;
  readonly commands: Commands;
  /** What else belongs to a step, as input or actors; called after the flush, with the number of the step. */
  afterStep?(step: number): void | Promise<void>;
  /** Called when the run is over. */
  dispose?(): void | Promise<void>;
}

/** Options of a {@link WorldTick} that a run wants; spread them over your own. */
export type DeterminismRun = Pick<WorldTickOptions, 'shuffleSeed' | 'workers'>;

/** Options of {@link checkDeterminism}. */
export interface DeterminismOptions {
  /** Makes the game anew, the same each time, its `WorldTick` with the options of the run. */
  readonly create: (run: DeterminismRun) => DeterminismSubject | Promise<DeterminismSubject>;
  /** Steps of each run. Default 100. */
  readonly steps?: number;
  /** Seconds of a step. Default 1/60. */
  readonly dt?: number;
  /** Random orders tried, each named by its seed. Default 1 to 8. */
  readonly seeds?: readonly number[];
  /** Further runs on workers, which are forced to take part in every worker system. */
  readonly workers?: readonly NonNullable<WorldTickOptions['workers']>[];
}

/** How a run went: which, and the state after each step. */
interface RunResult {
  readonly name: string;
  readonly hashes: readonly string[];
}

/**
 * Whether a game comes to the same state in any legal order of its systems, and on workers: runs it several
 * times and compares `scene.stateHash()` after each step. A system that touches what it did not declare, reads
 * a clock or a random source that is not seeded, or depends on the order of an accepted pair in a hidden
 * way, shows here.
 *
 * For tests; takes as long as all its runs together.
 *
 * @returns hash of the final state
 * @throws EclipticError `scheduler/not-deterministic` with the step, and the run that differs
 *
 * @example
 * ```ts
 * await checkDeterminism({
 *   create(run) {
 *     const scene = new Scene();
 *     const worldTick = new WorldTick(scene, run);
 *     setUpMyGame(scene, worldTick);
 *     return { scene, worldTick, commands: new Commands(scene) };
 *   },
 * });
 * ```
 */
export async function checkDeterminism(options: DeterminismOptions): Promise<string> {
  const { seeds = [1, 2, 3, 4, 5, 6, 7, 8], workers = [] } = options;
  const reference = await perform(options, 'the canonical order', {});
  for (const shuffleSeed of seeds) {
    compare(reference, await perform(options, `order of seed ${shuffleSeed}`, { shuffleSeed }));
  }
  for (const [i, each] of workers.entries()) {
    const forced = {
      ...(typeof each === 'function' ? { create: each } : each),
      offload: 'always',
    } as const;
    compare(reference, await perform(options, `workers ${i}`, { workers: forced }));
  }
  return reference.hashes.at(-1) ?? '';
}

async function perform(
  { create, steps = 100, dt = 1 / 60 }: DeterminismOptions,
  name: string,
  run: DeterminismRun,
): Promise<RunResult> {
  const subject = await create(run);
  const { scene, worldTick, commands } = subject;
  try {
    if (!worldTick.committed) worldTick.commit();
    await worldTick.workersReady();
    const hashes = [scene.stateHash()];
    for (let step = 0; step < steps; step++) {
      await worldTick.tick(dt, commands);
      commands.flush();
      await subject.afterStep?.(step);
      hashes.push(scene.stateHash());
    }
    return { name, hashes };
  } finally {
    await worldTick.dispose();
    await subject.dispose?.();
  }
}

function compare(reference: RunResult, other: RunResult): void {
  const index = reference.hashes.findIndex((hash, i) => hash !== other.hashes[i]);
  if (index < 0) return;
  const when = index === 0 ? 'before the first step' : `after step ${index - 1}`;
  throw new EclipticError(
    'scheduler/not-deterministic',
    `The state ${when} is another with ${other.name} than with ${reference.name}`,
    {
      subjects: { step: index - 1, run: other.name, hash: other.hashes[index] },
      fix: 'Look for undeclared access, unseeded randomness or clocks in the systems of that step.',
    },
  );
}
