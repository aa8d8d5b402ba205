import { createToken, type EngineContext, type EnginePlugin, type Token } from '@ecliptic/engine';
import {
  ASSET_REGISTRY,
  IMPORT_COORDINATOR,
  OVERLAYS,
  RENDER_SYNC,
  WORLD_TICK,
} from '@ecliptic/engine/plugins';
import type { InspectorLimits } from '../inspector/inspector-limits.js';
import type { InspectorLog } from '../inspector/inspector-log.js';
import type { InspectedFiles, InspectedMailbox } from '../inspector/inspector-sources.js';
import { Inspector } from '../inspector/inspector.js';
import { EDITOR_SESSION } from './editing.js';

/** Looks into the engine. Give it the lines of your clients. */
export const INSPECTOR: Token<Inspector> = createToken<Inspector>('authoring.inspector');

/** Options of {@link inspection}. */
export interface InspectionOptions {
  /** Shown to clients. */
  readonly name?: string;
  /** Its `sink` is among those of the application's LogTape. */
  readonly log?: InspectorLog;
  /** How the scene is saved and loaded. */
  readonly files?: (engine: EngineContext) => InspectedFiles;
  /** Milliseconds a frame; see `InspectorOptions`. */
  readonly budget?: number;
  readonly limits?: Partial<InspectorLimits>;
}

/**
 * An inspector of the engine: it shows what the engine's plugins bind, answers at the start of each frame, and edits through the
 * session of `editing()`. Nobody reaches it until you attach a line, or serve it with `inspectorServer()` of
 * `@ecliptic/authoring/node`.
 *
 * Binds {@link INSPECTOR}, which can be had from `start` on.
 *
 * @example
 * ```ts
 * const engine = createEngine({ platform, plugins: [ecs(), scheduler(), game(), editing(), inspection()] });
 * await engine.initialize();
 * engine.get(INSPECTOR).attach(portConnection(port));
 * ```
 */
export function inspection(options: InspectionOptions = {}): EnginePlugin {
  const { name, log, files, budget, limits = {} } = options;
  let context: EngineContext | undefined;
  return {
    id: 'ecliptic.inspection',
    requires: ['ecliptic.editing'],
    configure(services) {
      services.bindFactory(INSPECTOR, [EDITOR_SESSION], (session) => {
        const sources = { name, log, session, files: context && files?.(context) };
        const { clock } = context ?? {};
        return new Inspector(
          { ...sources, ...(context && partsOf(context)) },
          { limits, ...(clock && { clock }), ...(budget !== undefined && { budget }) },
        );
      });
    },
    initialize(engine) {
      context = engine;
    },
    start({ get, frame }) {
      const inspector = get(INSPECTOR);
      frame.on('poll', 'answer inspectors', () => inspector.tick());
    },
    stop: (_, { get }) => get(INSPECTOR).dispose(),
  };
}

/** What there is to inspect. */
function partsOf({ find }: EngineContext) {
  const mailboxes: Record<string, InspectedMailbox> = {};
  const sync = find(RENDER_SYNC);
  const overlays = find(OVERLAYS);
  if (sync) {
    mailboxes['frames'] = {
      get stats() {
        return sync.frameStats;
      },
    };
  }
  if (overlays) mailboxes['overlays'] = overlays;
  return {
    worldTick: find(WORLD_TICK),
    assets: find(ASSET_REGISTRY),
    imports: find(IMPORT_COORDINATOR),
    mailboxes,
  };
}
