import { ActorManager } from '@ecliptic/actors';
import type { SubsystemPlugin } from '@ecliptic/engine';
import { ACTORS, SCENE } from '@ecliptic/engine/plugins';

/** Takes the place of `actors()`: fewer of them, and an error in one ends the frame. */
export function strictActors(): SubsystemPlugin {
  return {
    id: 'ecliptic.actors', // so that whoever requires the actors finds these
    configure(services) {
      services.bindFactory(ACTORS, [SCENE], (scene) => {
        return new ActorManager(scene, { capacity: 64, tickErrors: 'reject' });
      });
    },
    steps: [
      {
        name: 'strict actors',
        at: 'actorManager',
        needs: ['scene'],
        initialize({ get, frame }) {
          frame.on('actors', 'tick actors', ({ step }) => get(ACTORS).tick(step.delta));
        },
        cleanups: [{ at: 'actorManager', cleanup: ({ get }) => get(ACTORS).shutdown() }],
      },
    ],
  };
}
