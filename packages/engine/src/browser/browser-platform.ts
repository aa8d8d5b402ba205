import type { EnginePlatform, PlatformHost } from '../platform/engine-platform.js';
import type { PlatformEvent } from '../platform/platform-event.js';
import { platformInUse } from '../platform/platform-in-use.js';
import { listenToCanvas } from './listen-to-canvas.js';

/** How long a frame waits for the display, nanoseconds: a hidden tab is shown no frames, but its queues must be served. */
const HIDDEN_PERIOD = 1_000_000_000;

/** Options of {@link browserPlatform}. */
export interface BrowserPlatformOptions {
  /** What is drawn on: its size and the input on it are followed. It must be in the document. */
  readonly canvas: HTMLCanvasElement;
  /**
   * Opens the engine's own assets, where the page serves them: a read-only back end that is mounted at `/Ecliptic`. Left out,
   * nothing is mounted there.
   */
  readonly packagedAssets?: EnginePlatform['packagedAssets'];
}

/**
 * The platform of a page: frames at the pace of the display, input and size of a canvas, hidden tabs. In a worker there is no
 * document: use `headlessPlatform()` there, and push the page's events to it.
 *
 * @example
 * ```ts
 * import { createEngine } from '@ecliptic/engine';
 * import { browserPlatform } from '@ecliptic/engine/browser';
 *
 * const canvas = document.querySelector('canvas') as HTMLCanvasElement;
 * const engine = createEngine({ platform: browserPlatform({ canvas }), plugins: [game()] });
 * ```
 */
export function browserPlatform(options: BrowserPlatformOptions): EnginePlatform {
  let events: PlatformEvent[] = [];
  let host: PlatformHost | undefined;
  let stop: (() => void) | undefined;
  return {
    name: 'browser',
    open(engine) {
      if (stop) throw platformInUse('browserPlatform');
      host = engine;
      stop = listenToCanvas(options.canvas, (event) => events.push(event));
    },
    close() {
      stop?.();
      stop = undefined;
      events = [];
    },
    poll(emit) {
      const polled = events;
      events = [];
      for (const event of polled) emit(event);
    },
    nextFrame: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          cancelAnimationFrame(frame);
          cancelTimer?.();
          signal.removeEventListener('abort', done);
          resolve();
        };
        const frame = requestAnimationFrame(done);
        const cancelTimer = host?.clock.schedule(HIDDEN_PERIOD, done);
        signal.addEventListener('abort', done);
      }),
    ...(options.packagedAssets ? { packagedAssets: options.packagedAssets } : {}),
  };
}
