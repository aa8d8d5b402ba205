import { EclipticError } from '@ecliptic/core';
import { Commands, type Component, type Scene } from '@ecliptic/ecs';
import type { System } from '../system/system.js';
import { DeclaredCommands } from './declared-commands.js';
import { SystemEntry } from './system-entry.js';

/**
 * Makes what a schedule has of a system, and calls its `init`.
 *
 * @param requireKnown - throws for components that commands of worker systems may not name
 * @param stateFrom - whose state it takes over
 * @throws EclipticError `scheduler/system-init` with what `init` threw
 */
export function startSystem(
  system: System,
  scene: Scene,
  development: boolean,
  requireKnown: (component: Component) => void,
  stateFrom?: SystemEntry,
): SystemEntry {
  const commands =
    development && system.worker ? new DeclaredCommands(scene, requireKnown) : new Commands(scene);
  const entry = new SystemEntry(system, scene, commands, development);
  try {
    entry.init(stateFrom);
  } catch (cause) {
    throw new EclipticError('scheduler/system-init', `System "${system.name}" failed to start`, {
      subjects: { system: system.name },
      cause,
    });
  }
  return entry;
}

/** @throws EclipticError `scheduler/unknown-phase` where a system is in none of these phases */
export function requirePhase(system: System, phases: readonly string[]): void {
  if (phases.includes(system.phase)) return;
  throw new EclipticError(
    'scheduler/unknown-phase',
    `System "${system.name}" runs in phase "${system.phase}", which does not exist`,
    {
      subjects: { system: system.name, phase: system.phase, phases },
      fix: `Use one of ${phases.join(', ')}, or add it to the phases of the schedule.`,
    },
  );
}

/** @throws EclipticError `scheduler/invalid-phases` for none, a name twice, or an empty one */
export function requirePhases(phases: readonly string[]): void {
  if (phases.length > 0 && new Set(phases).size === phases.length && !phases.includes('')) return;
  throw new EclipticError('scheduler/invalid-phases', `Phases [${phases.join(', ')}] won't do`, {
    subjects: { phases },
    fix: 'Give at least one name, and each once.',
  });
}
