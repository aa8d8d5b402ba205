import type { EnginePlugin } from '@ecliptic/engine';
import { INSPECTOR } from '../plugin/inspection.js';
import {
  serveInspector,
  type InspectorServer,
  type InspectorServerOptions,
} from './serve-inspector.js';

/** Options of {@link inspectorServer}. */
export interface InspectorServerPluginOptions extends InspectorServerOptions {
  /** Told where it listens, once it does: print it, for whoever is to connect. It contains the token. */
  readonly onListening: (endpoint: string) => void;
}

/**
 * Serves the inspector of `inspection()` while the engine runs; see {@link serveInspector}.
 *
 * @example
 * ```ts
 * const plugins = [ecs(), game(), editing(), inspection(), inspectorServer({ onListening: console.error })];
 * ```
 */
export function inspectorServer(options: InspectorServerPluginOptions): EnginePlugin {
  let server: InspectorServer | undefined;
  return {
    id: 'ecliptic.inspectorServer',
    requires: ['ecliptic.inspection'],
    async start({ get }) {
      server = await serveInspector(get(INSPECTOR), options);
      options.onListening(server.endpoint);
    },
    stop: () => server?.close(),
  };
}
