import { scope } from '#render-scope';
import { type Clock, EventLog, NANOSECONDS_PER_MILLISECOND, packError } from '@ecliptic/core';
import type { RenderBackend } from '../backend/render-backend.js';
import { frameStateFormat } from '../frame-state/frame-state-format.js';
import { RenderLoop } from '../loop/render-loop.js';
import { openMailbox } from '../mailbox/create-mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import { overlayStateFormat } from '../overlay/overlay-state.js';
import { portLink } from '../queue/message-link.js';
import { ReliableReceiver } from '../queue/reliable-queue.js';
import {
  wallTime,
  type RenderAnswer,
  type RenderRequest,
  type RenderStart,
} from './render-protocol.js';

/** What a backend of a render worker is made from. */
export interface RenderSetup {
  /** What the owner passed as `surface`: an `OffscreenCanvas`, or `undefined`. */
  readonly surface: unknown;
  /** What the owner passed as `config`. */
  readonly config: unknown;
}

/**
 * Makes the module of a worker render for a `RenderThread`. On a main thread, where the same module
 * may be imported for its types, it does nothing.
 *
 * @param createBackend - makes the backend in this worker
 *
 * @example
 * ```ts
 * // render.worker.ts
 * import { NullBackend } from '@ecliptic/render-sync';
 * import { serveRender } from '@ecliptic/render-sync/worker';
 * serveRender(() => new NullBackend());
 * ```
 */
export function serveRender(
  createBackend: (setup: RenderSetup) => RenderBackend | Promise<RenderBackend>,
): void {
  if (!scope.isWorker) return;
  const post = (answer: RenderAnswer): void => scope.post(answer);
  let loop: RenderLoop | undefined;
  let ended = false;

  const end = async (error?: unknown): Promise<void> => {
    if (ended) return;
    ended = true;
    let failure = error;
    try {
      await loop?.dispose();
    } catch (cleanUpError) {
      failure ??= cleanUpError;
    }
    if (failure !== undefined) post({ kind: 'ecliptic:render-failed', error: packError(failure) });
    else post({ kind: 'ecliptic:render-stopped' });
    scope.close();
  };

  const start = async (message: RenderStart): Promise<void> => {
    const { surface, config, framePeriod } = message;
    const clock = clockOf(message);
    const backend = await createBackend({ surface, config });
    // Told to stop meanwhile.
    if (ended) {
      await backend.dispose();
      return;
    }
    const format = frameStateFormat(message.budget);
    const overlayFormat = overlayStateFormat(message.overlayQuads);
    const made = new RenderLoop({
      backend,
      frames: openMailbox(message.frames, format),
      overlays: openMailbox(message.overlays, overlayFormat),
      messages: new ReliableReceiver<RenderMessage>(portLink(message.messages)),
      clock,
      log: new EventLog('render-sync'),
    });
    loop = made;
    await made.initialize();
    if (ended) return;
    post({ kind: 'ecliptic:render-ready' });
    let due = clock.now();
    const frame = (): void => {
      if (ended) return;
      try {
        made.runOnce();
      } catch (error) {
        void end(error);
        return;
      }
      const now = clock.now();
      due = Math.max(due + framePeriod, now);
      scope.nextFrame(frame, (due - now) / NANOSECONDS_PER_MILLISECOND);
    };
    frame();
  };

  scope.onMessage((received) => {
    const message = received as RenderStart | RenderRequest;
    if (message.kind === 'ecliptic:render-start') {
      start(message).catch(end);
    } else if (message.kind === 'ecliptic:render-stop') {
      void end();
    } else if (message.kind === 'ecliptic:render-stats' && loop) {
      const { backend, stats, resources } = loop;
      post({
        kind: 'ecliptic:render-stats',
        id: message.id,
        stats: {
          backend: backend.name,
          loop: stats,
          resources: resources.stats,
          backendStats: backend.stats,
        },
      });
    }
  });
}

/** The engine's clock, continued on this thread. */
function clockOf({ engineTime, wallTime: then }: RenderStart): Clock {
  return {
    now: () => Math.round(engineTime + (wallTime() - then) * NANOSECONDS_PER_MILLISECOND),
    schedule(delay, callback) {
      const timer = setTimeout(callback, Math.max(0, delay / NANOSECONDS_PER_MILLISECOND));
      return () => clearTimeout(timer);
    },
  };
}
