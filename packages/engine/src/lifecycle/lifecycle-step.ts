import { EclipticError } from '@ecliptic/core';
import type { EngineContext } from '../engine/engine-context.js';
import type { EnginePlugin } from '../plugin/engine-plugin.js';
import { INITIALIZATION_ORDER, type ShutdownPlace, type StepPlace } from './places.js';

/** One way in which a completed step is undone; a step may need several, at different places. */
export interface StepCleanup {
  /** Where in the shutdown it runs. */
  readonly at: Exclude<ShutdownPlace, 'stop' | 'dispose'>;
  /** Shown in errors; the step's name by default. */
  readonly name?: string;
  /** Undoes it. Runs once. */
  cleanup(engine: EngineContext): void | Promise<void>;
}

/**
 * Brings one part of a subsystem up at its place in the initialization. A step that fails has undone what it began itself: only
 * completed steps are cleaned up. So make it small: two parts that can fail are two steps.
 */
export interface LifecycleStep {
  /** As `VFSContext`; shown in errors and logs. */
  readonly name: string;
  /** Where in the initialization it runs. */
  readonly at: StepPlace;
  /** Places that some plugin must fill, before this one in the order; checked before anything runs. */
  readonly needs?: readonly StepPlace[];
  /** Does it. */
  initialize(engine: EngineContext): void | Promise<void>;
  /** Undoes it, once it has completed. */
  readonly cleanups?: readonly StepCleanup[];
}

/**
 * A plugin that is a subsystem: it has steps at places of their own in the documented orders, before the `initialize` hooks of
 * all plugins. Everything else is as for any plugin, so a team can replace each subsystem with its own.
 */
export interface SubsystemPlugin extends EnginePlugin {
  readonly steps: readonly LifecycleStep[];
}

/** A step and the plugin that it belongs to. */
export interface OwnedStep {
  readonly plugin: string;
  readonly step: LifecycleStep;
}

/** The steps of all plugins, in the order of the plugins. */
export function collectSteps(plugins: readonly EnginePlugin[]): readonly OwnedStep[] {
  return plugins.flatMap((plugin) => {
    const { steps = [] } = plugin as Partial<SubsystemPlugin>;
    return steps.map((step) => ({ plugin: plugin.id, step }));
  });
}

/**
 * Checks that the hard dependencies between places hold.
 *
 * @throws EclipticError `engine/step-graph` with one line a problem, all at once
 */
export function assertSteps(steps: readonly OwnedStep[]): void {
  const filled = new Set(steps.map(({ step }) => step.at));
  const problems: string[] = [];
  for (const { plugin, step } of steps) {
    const place = INITIALIZATION_ORDER.indexOf(step.at);
    if (place < 0)
      problems.push(`"${step.name}" of ${plugin} is at "${step.at}", which is no place`);
    for (const need of step.needs ?? []) {
      if (INITIALIZATION_ORDER.indexOf(need) >= place) {
        problems.push(
          `"${step.name}" of ${plugin} needs "${need}", which comes later than "${step.at}"`,
        );
      } else if (!filled.has(need)) {
        problems.push(`"${step.name}" of ${plugin} needs "${need}", which no plugin fills`);
      }
    }
  }
  if (problems.length === 0) return;
  throw new EclipticError(
    'engine/step-graph',
    `The subsystems don't fit together:\n- ${problems.join('\n- ')}`,
    {
      subjects: { problems },
      fix: 'Add the subsystems that are needed, or leave out those that need them.',
    },
  );
}
