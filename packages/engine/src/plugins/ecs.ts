import { Commands, Scene, type SceneOptions } from '@ecliptic/ecs';
import type { SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { CONFIG } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';

/** The scene of the engine. */
export const SCENE: Token<Scene> = createToken<Scene>('ecs.scene');
/** Changes to the scene that wait for the end of the systems of a step. */
export const COMMANDS: Token<Commands> = createToken<Commands>('ecs.commands');

/**
 * The scene: entities and components, with the budgets of the configuration. In each fixed step, commands are flushed after the
 * systems, and the transforms that are drawn are taken at the end.
 *
 * Binds {@link SCENE} and {@link COMMANDS}.
 *
 * @param options - override the configuration's budgets
 */
export function ecs(options: SceneOptions = {}): SubsystemPlugin {
  return {
    id: 'ecliptic.ecs',
    configure(services) {
      services.bindFactory(SCENE, [CONFIG], ({ memory }) => {
        return new Scene({
          maxEntities: memory.entities,
          arenaBudget: memory.sceneBytes,
          ...options,
        });
      });
      services.bindFactory(COMMANDS, [SCENE], (scene) => new Commands(scene));
    },
    steps: [
      {
        name: 'Scene',
        at: 'scene',
        initialize({ get, frame }) {
          const scene = get(SCENE);
          frame.on('poll', 'begin frame', () => scene.beginFrame());
          frame.on('snapshot', 'snapshot transforms', () => scene.snapshotTransforms());
        },
        cleanups: [{ at: 'scene', cleanup: ({ get }) => get(SCENE).dispose() }],
      },
      {
        name: 'WorldCommands',
        at: 'worldCommands',
        needs: ['scene'],
        initialize({ get, frame }) {
          const commands = get(COMMANDS);
          frame.on('flush', 'flush commands', () => commands.flush());
        },
        cleanups: [{ at: 'scene', cleanup: ({ get }) => get(COMMANDS).clear() }],
      },
    ],
  };
}
