import type { CleanupStack } from '../lifecycle/cleanup-stack.js';
import type { OwnedStep } from '../lifecycle/lifecycle-step.js';
import { ENGINE_OWNER, type EngineParts } from './engine-parts.js';

/**
 * Opens the window, or what stands for it, and closes it.
 *
 * @param releases - where the platform's release goes, for it is the last that is undone
 */
export function platformStep(
  { platform, clock, log }: EngineParts,
  releases: CleanupStack,
  requestClose: (why?: string) => void,
): OwnedStep {
  const name = `${platform.name} platform`;
  return {
    plugin: ENGINE_OWNER,
    step: {
      name,
      at: 'window',
      initialize: async () => {
        await platform.open?.({ clock, log, requestClose });
        releases.push({
          name,
          plugin: ENGINE_OWNER,
          at: 'dispose',
          cleanup: () => platform.release?.(),
        });
      },
      cleanups: [{ at: 'window', cleanup: () => platform.close?.() }],
    },
  };
}
