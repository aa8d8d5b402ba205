import { EclipticError, EventLog, systemClock, type Clock } from '@ecliptic/core';
import { parseEngineConfig, type EngineConfigInput } from '../config/engine-config.js';
import type { EnginePlatform } from '../platform/engine-platform.js';
import type { PluginOption } from '../plugin/engine-plugin.js';
import { resolvePlugins } from '../plugin/plugin-graph.js';
import type { MountSpec } from '../services/engine-tokens.js';
import { Engine } from './engine.js';

/** What to compose an engine from. */
export interface EngineOptions {
  /** What it runs on: `nodePlatform()`, `browserPlatform({ canvas })` or `headlessPlatform()`. */
  readonly platform: EnginePlatform;
  /** Plugins and presets; falsy entries are skipped. The order counts only where nothing else says it. */
  readonly plugins: readonly PluginOption[];
  /** What the virtual file system shows; needs the `vfs()` plugin. */
  readonly mounts?: readonly MountSpec[];
  /** Source of time; the machine's by default. */
  readonly clock?: Clock;
  /** Settings and budgets; defaults for what is left out. */
  readonly config?: EngineConfigInput;
  /** Where the engine reports; a log of the subsystem `engine` by default. */
  readonly log?: EventLog;
}

/**
 * Composes an engine. Nothing runs yet, but the configuration and the list of plugins are checked. Two engines in one process
 * share nothing.
 *
 * @throws EclipticError `engine/missing-options`, `engine/invalid-config`, `engine/plugin-graph`
 * @example
 * ```ts
 * const engine = createEngine({ platform: headlessPlatform(), plugins: [ecs(), scheduler(), game()] });
 * await engine.initialize();
 * await engine.run();
 * await engine.shutdown();
 * ```
 */
export function createEngine(options: EngineOptions): Engine {
  requireOptions(options);
  const log = options.log ?? new EventLog('engine');
  return new Engine({
    platform: options.platform,
    plugins: resolvePlugins(options.plugins),
    mounts: options.mounts ?? [],
    clock: options.clock ?? systemClock(),
    config: parseEngineConfig(options.config, log),
    log,
  });
}

/** JavaScript lets anything pass, and a platform is soon forgotten. */
function requireOptions(options: Partial<EngineOptions> | null | undefined): void {
  const missing: string[] = [];
  if (!options?.platform || typeof options.platform !== 'object') missing.push('platform');
  if (!Array.isArray(options?.plugins)) missing.push('plugins');
  if (missing.length === 0) return;
  throw new EclipticError(
    'engine/missing-options',
    `createEngine() was not given ${missing.join(' and ')}`,
    {
      subjects: { missing },
      fix: 'Call it as createEngine({ platform: headlessPlatform(), plugins: [ecs(), scheduler()] }).',
    },
  );
}
