import { WorldTick, type WorldTickOptions } from '@ecliptic/scheduler';
import type { SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { CLOCK, CONFIG } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';
import { COMMANDS, SCENE } from './ecs.js';
import { SystemReloader } from './system-reloader.js';

/** The systems: register them in `initialize`, before the graph is committed. */
export const WORLD_TICK: Token<WorldTick> = createToken<WorldTick>('scheduler.worldTick');
/** To replace systems of a running engine, in development. */
export const SYSTEM_RELOADER: Token<SystemReloader> = createToken<SystemReloader>(
  'scheduler.systemReloader',
);

/**
 * The systems: those of the kind `tick` run in each fixed step, those of the kind `frame` once a frame, before the hooks at
 * `update`. The graph is committed when all plugins have registered theirs.
 *
 * Binds {@link WORLD_TICK} and {@link SYSTEM_RELOADER}; needs {@link SCENE} and {@link COMMANDS}.
 *
 * @param options - override the configuration's budget
 */
export function worldTick(options: WorldTickOptions = {}): SubsystemPlugin {
  return {
    id: 'ecliptic.worldTick',
    after: ['ecliptic.ecs'],
    configure(services) {
      services.bindFactory(WORLD_TICK, [SCENE, CONFIG, CLOCK], (scene, { memory }, clock) => {
        return new WorldTick(scene, { maxSystems: memory.systems, clock, ...options });
      });
      services.bindFactory(SYSTEM_RELOADER, [WORLD_TICK], (tick) => new SystemReloader(tick));
    },
    steps: [
      {
        name: 'WorldTick',
        at: 'worldTick',
        needs: ['scene', 'worldCommands'],
        initialize({ get, frame }) {
          const tick = get(WORLD_TICK);
          const commands = get(COMMANDS);
          const reloader = get(SYSTEM_RELOADER);
          frame.on('poll', 'replace systems', () => reloader.apply());
          frame.on('systems', 'tick systems', ({ step }) => tick.tick(step, commands));
          frame.on('update', 'frame systems', async ({ time }) => {
            await tick.tickFrame(time, commands);
            commands.flush();
          });
        },
        cleanups: [{ at: 'scene', cleanup: ({ get }) => get(WORLD_TICK).dispose() }],
      },
      {
        name: 'commit the systems',
        at: 'commit',
        needs: ['worldTick'],
        initialize: ({ get }) => get(WORLD_TICK).commit(),
      },
    ],
  };
}
