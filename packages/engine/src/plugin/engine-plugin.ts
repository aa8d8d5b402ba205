import type { EngineContext } from '../engine/engine-context.js';
import type { ServiceRegistry } from '../services/service-registry.js';

/**
 * Why an engine stops: `requested` by `requestClose()`, the window or a signal; `aborted` by the `AbortSignal` of `run()`;
 * `failed` because a frame or a later step of the initialization failed; `shutdown` because `shutdown()` was called while
 * nothing of that had happened.
 */
export type StopReason = 'requested' | 'aborted' | 'failed' | 'shutdown';

/**
 * A part of an engine: a subsystem, a game, a tool. Made by a factory that returns a named object. Every hook is optional.
 *
 * Hooks of different plugins never run at the same time. A hook that throws, rejects or takes longer than the time-out of the
 * configuration ends the initialization: what was completed is undone, and the error names the plugin.
 *
 * @example
 * ```ts
 * export function weather(options: { wind: number }): EnginePlugin {
 *   return {
 *     id: 'acme.weather',
 *     requires: ['ecliptic.ecs'],
 *     configure: (services) => services.bindValue(WEATHER, new Weather(options.wind)),
 *     initialize: (engine) => {
 *       engine.get(WORLD_TICK).registerSystem(windSystem);
 *     },
 *   };
 * }
 * ```
 */
export interface EnginePlugin {
  /** `<author>.<name>`, as `acme.weather`; one of each in an engine. */
  readonly id: string;
  /** Plugins that must be there, and come first. */
  readonly requires?: readonly string[];
  /** Plugins that come first where they are there. */
  readonly after?: readonly string[];
  /** Binds tokens. Nothing runs yet: no other service may be asked for, but those of the engine itself. Synchronous. */
  configure?(services: ServiceRegistry): void;
  /** Registers systems, importers, mounts, frame hooks. The subsystems are live; the system graph isn't committed yet. */
  initialize?(engine: EngineContext): void | Promise<void>;
  /** Everything is live and the graph is committed. */
  start?(engine: EngineContext): void | Promise<void>;
  /** First of the shutdown, in reverse order, for plugins that were started: everything is still live, so save here. */
  stop?(reason: StopReason, engine: EngineContext): void | Promise<void>;
  /** Last of the shutdown, in reverse order, for plugins that were initialized: the subsystems are gone. */
  dispose?(engine: EngineContext): void | Promise<void>;
}

/** A plugin, a preset (a list of plugins, nested as deep as you like), or nothing. */
export type PluginOption =
  | EnginePlugin
  | false
  | null
  | undefined
  | ''
  | 0
  | readonly PluginOption[];
