import {
  type Clock,
  EclipticError,
  type EventLog,
  NANOSECONDS_PER_MILLISECOND,
} from '@ecliptic/core';
import type { TimeoutConfig } from '../config/engine-config.js';
import type { EngineContext } from '../engine/engine-context.js';
import type { EnginePlugin } from '../plugin/engine-plugin.js';
import type { Cleanup, CleanupStack } from './cleanup-stack.js';
import type { Closing } from './closing.js';
import { isPromise, withDeadline } from './deadline.js';
import { EngineInitializationError } from './engine-errors.js';
import type { OwnedStep } from './lifecycle-step.js';
import { INITIALIZATION_ORDER, type InitializationPlace } from './places.js';

/** What an {@link Initializer} works with. */
export interface InitializerOptions {
  readonly plugins: readonly EnginePlugin[];
  readonly steps: readonly OwnedStep[];
  readonly cleanups: CleanupStack;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly timeouts: TimeoutConfig;
  readonly contextOf: (plugin: string) => EngineContext;
  readonly closing: Closing;
}

/** One thing to do, and how it is undone. */
interface Task {
  readonly plugin: string;
  readonly name: string;
  readonly run: () => void | Promise<void>;
  readonly cleanups: readonly Cleanup[];
}

/** Runs the steps of all subsystems and the hooks of all plugins, in the order of initialization. */
export class Initializer {
  readonly #options: InitializerOptions;

  constructor(options: InitializerOptions) {
    this.#options = options;
  }

  /** @throws EngineInitializationError without clean-up errors: unwinding is up to the caller */
  async run(): Promise<void> {
    for (const place of INITIALIZATION_ORDER) {
      for (const task of this.#tasksAt(place)) await this.#perform(task);
    }
  }

  #tasksAt(place: InitializationPlace): readonly Task[] {
    if (place === 'plugins') return this.#options.plugins.map((plugin) => this.#initialize(plugin));
    if (place === 'start') return this.#options.plugins.map((plugin) => this.#start(plugin));
    return this.#options.steps
      .filter(({ step }) => step.at === place)
      .map((owned) => this.#step(owned));
  }

  #step({ plugin, step }: OwnedStep): Task {
    const context = this.#options.contextOf(plugin);
    // Pushed last to first, so that clean-ups at one place run in the order in which the step lists them.
    const cleanups = (step.cleanups ?? []).toReversed().map((cleanup) => ({
      name: cleanup.name ?? step.name,
      plugin,
      at: cleanup.at,
      cleanup: () => cleanup.cleanup(context),
    }));
    return { plugin, name: step.name, run: () => step.initialize(context), cleanups };
  }

  #initialize(plugin: EnginePlugin): Task {
    const { id } = plugin;
    return {
      plugin: id,
      name: 'initialize',
      run: () => plugin.initialize?.(this.#options.contextOf(id)),
      cleanups: [
        {
          name: 'dispose',
          plugin: id,
          at: 'dispose',
          cleanup: () => plugin.dispose?.(this.#options.contextOf(id)),
        },
      ],
    };
  }

  #start(plugin: EnginePlugin): Task {
    const { id } = plugin;
    const cleanup = (): void | Promise<void> =>
      plugin.stop?.(this.#options.closing.reason, this.#options.contextOf(id));
    return {
      plugin: id,
      name: 'start',
      run: () => plugin.start?.(this.#options.contextOf(id)),
      cleanups: [{ name: 'stop', plugin: id, at: 'stop', cleanup }],
    };
  }

  async #perform(task: Task): Promise<void> {
    const { clock, timeouts, cleanups, log } = this.#options;
    const { why } = this.#options.closing;
    if (why !== undefined) throw this.#failed(task, closedMeanwhile(why));
    const begin = clock.now();
    let work: void | Promise<void> = undefined;
    try {
      work = task.run();
      if (isPromise(work)) {
        await withDeadline(work, clock, timeouts.initialize, `${task.plugin} "${task.name}"`);
      }
    } catch (cause) {
      if (isPromise(work) && isTimeout(cause)) this.#undoIfLate(work, task);
      throw this.#failed(task, cause);
    }
    for (const cleanup of task.cleanups) cleanups.push(cleanup);
    log.debug('step_completed', {
      plugin: task.plugin,
      step: task.name,
      milliseconds: (clock.now() - begin) / NANOSECONDS_PER_MILLISECOND,
    });
  }

  /** A task that was given up may succeed yet: what it made is then released, as soon as it is there. */
  #undoIfLate(work: Promise<void>, task: Task): void {
    const { cleanups, log } = this.#options;
    const { plugin, name: step } = task;
    work.then(
      async () => {
        log.warn('late_step_undone', { plugin, step });
        for (const cleanup of task.cleanups.toReversed()) {
          const error = await cleanups.run(cleanup);
          if (error) log.error('late_step_cleanup_failed', { plugin, step, error });
        }
      },
      (error: unknown) => log.warn('late_step_failed', { plugin, step, error }),
    );
  }

  #failed(task: Task, cause: unknown): EngineInitializationError {
    return new EngineInitializationError(task.plugin, task.name, cause, []);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof EclipticError && error.code === 'engine/timeout';
}

function closedMeanwhile(why: string): EclipticError {
  return new EclipticError(
    'engine/closed-during-initialization',
    `The engine was told to close (${why}) before it was initialized`,
    {
      subjects: { why },
      fix: 'Nothing to fix if that was wanted: all completed steps were undone.',
    },
  );
}
