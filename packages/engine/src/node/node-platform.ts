import { constants } from 'node:os';
import type { EnginePlatform } from '../platform/engine-platform.js';
import { platformInUse } from '../platform/platform-in-use.js';
import { findPackagedAssets } from './packaged-assets.js';

/** Options of {@link nodePlatform}. */
export interface NodePlatformOptions {
  /**
   * Signals of the operating system that close the engine; SIGINT and SIGTERM by default. The first one closes it in good
   * order, the second ends the process at once. Empty: leave signals to the host.
   */
  readonly signals?: readonly NodeJS.Signals[];
  /**
   * Absolute folder of the engine's own assets, for tools and tests. By default that of the environment variable
   * `ECLIPTIC_ASSET_ROOT`, else the one in this package, whatever the working directory is.
   */
  readonly assetRoot?: string;
}

/**
 * The platform of servers, tools and tests in Node: no window; closes in good order on SIGINT and SIGTERM; mounts the
 * engine's own assets from this package.
 *
 * @example
 * ```ts
 * import { createEngine } from '@ecliptic/engine';
 * import { nodePlatform } from '@ecliptic/engine/node';
 *
 * await using engine = createEngine({ platform: nodePlatform(), plugins: [game()] });
 * await engine.initialize();
 * await engine.run(); // until SIGINT, SIGTERM or engine.requestClose()
 * ```
 */
export function nodePlatform(options: NodePlatformOptions = {}): EnginePlatform {
  const { signals = ['SIGINT', 'SIGTERM'] } = options;
  let listener: ((signal: NodeJS.Signals) => void) | undefined;
  return {
    name: 'node',
    open(host) {
      if (listener) throw platformInUse('nodePlatform');
      let received = 0;
      listener = (signal) => {
        received++;
        if (received > 1) process.exit(128 + constants.signals[signal]);
        host.requestClose(signal);
      };
      for (const signal of signals) process.on(signal, listener);
    },
    // Not in close(): a signal must not cut the plugins' dispose short.
    release() {
      if (listener === undefined) return;
      for (const signal of signals) process.off(signal, listener);
      listener = undefined;
    },
    packagedAssets: () =>
      findPackagedAssets(options.assetRoot ?? process.env['ECLIPTIC_ASSET_ROOT']),
  };
}
