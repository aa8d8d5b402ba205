import { createToken, type EnginePlugin, type Token } from '@ecliptic/engine';
import { RENDER_SYNC, SCENE } from '@ecliptic/engine/plugins';
import { EditorSession, type EditorSessionOptions } from '../session/editor-session.js';

/** The editing of the engine's scene. Made when it is first asked for: ask in `start`, when the scene is there. */
export const EDITOR_SESSION: Token<EditorSession> =
  createToken<EditorSession>('authoring.editorSession');

/**
 * Editing of the engine's scene. What is submitted to the session runs at the start of a frame, where no system runs. Where the
 * scene was loaded or play mode ended, what is drawn is bound anew, late results of the old scene are dropped, and time makes no jump.
 *
 * Binds {@link EDITOR_SESSION}.
 */
export function editing(options: EditorSessionOptions = {}): EnginePlugin {
  return {
    id: 'ecliptic.editing',
    requires: ['ecliptic.ecs'],
    configure(services) {
      services.bindFactory(EDITOR_SESSION, [SCENE], (scene) => new EditorSession(scene, options));
    },
    start({ get, find, frame, time }) {
      const session = get(EDITOR_SESSION);
      frame.on('poll', 'apply edits', () => void session.flush());
      session.subscribe((event) => {
        if (event !== 'replace' && event !== 'stop') return;
        find(RENDER_SYNC)?.replaceScene();
        time.resync();
      });
    },
    stop: (_, { get }) => get(EDITOR_SESSION).dispose(),
  };
}
