import type { Clock, EventLog } from '@ecliptic/core';
import type { EngineConfig } from '../config/engine-config.js';
import type { EnginePlatform } from '../platform/engine-platform.js';
import type { EnginePlugin } from '../plugin/engine-plugin.js';
import type { MountSpec } from '../services/engine-tokens.js';

/** What an engine is made of, checked and complete. */
export interface EngineParts {
  readonly platform: EnginePlatform;
  /** In the order of their dependencies. */
  readonly plugins: readonly EnginePlugin[];
  readonly mounts: readonly MountSpec[];
  readonly clock: Clock;
  readonly config: EngineConfig;
  readonly log: EventLog;
}

/** Owner of what is no plugin's. */
export const ENGINE_OWNER = 'engine';
