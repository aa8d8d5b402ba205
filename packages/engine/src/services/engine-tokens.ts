import type { Clock, Epochs, EventLog } from '@ecliptic/core';
import type { VFSBackend } from '@ecliptic/vfs';
import type { EngineConfig } from '../config/engine-config.js';
import type { GameTime } from '../frame/game-time.js';
import type { Input } from '../input/input-latch.js';
import type { EnginePlatform } from '../platform/engine-platform.js';
import { createToken, type Token } from './token.js';

/** A back end and where it is to be mounted. */
export interface MountSpec {
  /** Absolute path in the virtual file system. */
  readonly at: string;
  readonly backend: VFSBackend;
  /** Of two mounts at one path the higher is asked first; default 0. */
  readonly priority?: number;
  /** Nothing is written through this mount, whatever its back end can. */
  readonly readOnly?: boolean;
  /** Whether the engine disposes of the back end at its end; default `true`. Say `false` for one that others use too. */
  readonly owned?: boolean;
}

/** The engine's source of time. */
export const CLOCK: Token<Clock> = createToken<Clock>('engine.clock');
/** The complete configuration. */
export const CONFIG: Token<EngineConfig> = createToken<EngineConfig>('engine.config');
/** The engine's log. */
export const LOG: Token<EventLog> = createToken<EventLog>('engine.log');
/** What the engine runs on. */
export const PLATFORM: Token<EnginePlatform> = createToken<EnginePlatform>('engine.platform');
/** To recognise results of async work that come too late. */
export const EPOCHS: Token<Epochs> = createToken<Epochs>('engine.epochs');
/** What the user does. */
export const INPUT: Token<Input> = createToken<Input>('engine.input');
/** Simulated time. */
export const TIME: Token<GameTime> = createToken<GameTime>('engine.time');
/** What `createEngine` was told to mount. */
export const MOUNTS: Token<readonly MountSpec[]> =
  createToken<readonly MountSpec[]>('engine.mounts');
