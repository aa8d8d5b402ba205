import { ActorManager, type ActorManagerOptions } from '@ecliptic/actors';
import type { SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { CONFIG } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';
import { SCENE } from './ecs.js';

/** The actors of the scene. */
export const ACTORS: Token<ActorManager> = createToken<ActorManager>('actors.manager');

/**
 * Actors: ticked in each fixed step, after the systems and their commands, and shut down before the scene.
 *
 * Binds {@link ACTORS}; needs {@link SCENE}.
 *
 * @param options - override the configuration's budget
 */
export function actors(options: ActorManagerOptions = {}): SubsystemPlugin {
  return {
    id: 'ecliptic.actors',
    after: ['ecliptic.ecs'],
    configure(services) {
      services.bindFactory(ACTORS, [SCENE, CONFIG], (scene, { memory }) => {
        return new ActorManager(scene, { capacity: memory.actors, ...options });
      });
    },
    steps: [
      {
        name: 'ActorManager',
        at: 'actorManager',
        needs: ['scene'],
        initialize({ get, frame }) {
          const manager = get(ACTORS);
          frame.on('actors', 'tick actors', ({ step }) => manager.tick(step.delta));
        },
        cleanups: [{ at: 'actorManager', cleanup: ({ get }) => get(ACTORS).shutdown() }],
      },
    ],
  };
}
