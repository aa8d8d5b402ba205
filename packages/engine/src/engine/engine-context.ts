import type { Clock, Epochs, EventLog } from '@ecliptic/core';
import type { EngineConfig } from '../config/engine-config.js';
import type { FrameHooks } from '../frame/frame-hooks.js';
import type { GameTime } from '../frame/game-time.js';
import type { Input } from '../input/input-latch.js';
import type { EnginePlatform } from '../platform/engine-platform.js';
import type { ServiceRegistry } from '../services/service-registry.js';
import type { Token } from '../services/token.js';

/** The engine as one plugin sees it. */
export interface EngineContext {
  /** The plugin's id: errors of what it registers here carry it. */
  readonly plugin: string;
  /** All services. */
  readonly services: ServiceRegistry;
  /** Short for `services.get`. */
  readonly get: <T>(token: Token<T>) => T;
  /** Short for `services.find`: for services of plugins that may be left out. */
  readonly find: <T>(token: Token<T>) => T | undefined;
  /** To have functions called in every frame. */
  readonly frame: FrameHooks;
  /** Simulated time. */
  readonly time: GameTime;
  /** What the user does. */
  readonly input: Input;
  /** To recognise results of async work that come too late. */
  readonly epochs: Epochs;
  /** Aborted when the engine is told to close, or fails to start. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly config: EngineConfig;
  readonly log: EventLog;
  readonly platform: EnginePlatform;
  /**
   * Ends `run()` after the current frame, or the initialization after its current step. The way to quit from inside a plugin;
   * awaiting `shutdown()` there would wait for itself.
   *
   * @param why - for the log
   */
  readonly requestClose: (why?: string) => void;
}
