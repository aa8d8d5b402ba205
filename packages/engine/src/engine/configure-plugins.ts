import { EclipticError } from '@ecliptic/core';
import { isPromise } from '../lifecycle/deadline.js';
import { EngineInitializationError } from '../lifecycle/engine-errors.js';
import { assertSteps, collectSteps, type OwnedStep } from '../lifecycle/lifecycle-step.js';
import type { MountSpec } from '../services/engine-tokens.js';
import type { EngineServices } from '../services/service-registry.js';
import { ENGINE_OWNER, type EngineParts } from './engine-parts.js';

/**
 * Has all plugins bind their services, then checks everything that can be checked before anything runs.
 *
 * @param ownSteps - the engine's own, before those of the plugins
 * @returns all steps, in the order of their plugins
 * @throws EngineInitializationError
 */
export function configurePlugins(
  parts: EngineParts,
  services: EngineServices,
  ownSteps: readonly OwnedStep[],
): readonly OwnedStep[] {
  for (const plugin of parts.plugins) {
    attribute(plugin.id, 'configure', () => {
      const result: unknown = plugin.configure?.(services.for(plugin.id));
      if (isPromise(result)) throw asyncConfigure(plugin.id, result);
    });
  }
  const steps = [...ownSteps, ...collectSteps(parts.plugins)];
  attribute(ENGINE_OWNER, 'check', () => {
    services.assertComplete();
    assertSteps(steps);
    assertMounts(parts.mounts, steps);
  });
  return steps;
}

function attribute(plugin: string, step: string, run: () => void): void {
  try {
    run();
  } catch (cause) {
    throw new EngineInitializationError(plugin, step, cause, []);
  }
}

function asyncConfigure(plugin: string, result: PromiseLike<unknown>): EclipticError {
  result.then(undefined, () => undefined); // its own error matters less than that it is asynchronous
  return new EclipticError(
    'engine/async-configure',
    `configure() of ${plugin} returned a promise`,
    {
      subjects: { plugin },
      fix: 'Only bind tokens in configure(); wait for things in initialize().',
    },
  );
}

function assertMounts(mounts: readonly MountSpec[], steps: readonly OwnedStep[]): void {
  if (mounts.length === 0 || steps.some(({ step }) => step.at === 'vfs')) return;
  const paths = mounts.map((mount) => mount.at);
  throw new EclipticError('engine/mounts-without-vfs', `Nothing can mount ${paths.join(', ')}`, {
    subjects: { mounts: paths },
    fix: 'Add the vfs() plugin, or leave the mounts out.',
  });
}
