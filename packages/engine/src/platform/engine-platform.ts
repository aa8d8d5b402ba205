import type { Clock, EventLog } from '@ecliptic/core';
import type { VFSBackend } from '@ecliptic/vfs';
import type { PlatformEvent } from './platform-event.js';

/** What a platform may do with the engine it belongs to. */
export interface PlatformHost {
  /** Ends `run()` after the current frame. @param why - for the log, as `SIGINT` */
  requestClose(why: string): void;
  readonly clock: Clock;
  readonly log: EventLog;
}

/** The engine's own assets, found and checked. */
export interface PackagedAssets {
  /** Where they are, for logs and errors: a folder or an address. */
  readonly root: string;
  /** Opens them for reading: a back end of `@ecliptic/vfs`. */
  open(): Promise<VFSBackend>;
}

/**
 * What an engine runs on: the source of events, the pace of frames, the place of the engine's assets. One object serves one
 * engine.
 */
export interface EnginePlatform {
  /** As `node`, `browser`, `headless`. */
  readonly name: string;
  /** Opens the window, listens for events; the first step of the initialization. */
  open?(host: PlatformHost): void | Promise<void>;
  /** Closes the window, ends the listening to events; at the window's place in the shutdown. */
  close?(): void | Promise<void>;
  /** Undoes what of `open` must outlive the window; last of all, after every plugin and service was disposed of. */
  release?(): void | Promise<void>;
  /** Emits what happened since the last call; the first thing in each frame. */
  poll?(emit: (event: PlatformEvent) => void): void;
  /** Waits until a frame is wanted, as by the display; after the frame-rate cap. */
  nextFrame?(signal: AbortSignal): Promise<void>;
  /**
   * Finds and checks the engine's own assets.
   *
   * @throws EclipticError `engine/asset-root` if they aren't what they should be
   */
  packagedAssets?(): Promise<PackagedAssets>;
}
