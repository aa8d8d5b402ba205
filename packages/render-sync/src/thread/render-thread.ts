import {
  type Clock,
  EclipticError,
  EventLog,
  NANOSECONDS_PER_SECOND,
  unpackError,
} from '@ecliptic/core';
import { DEFAULT_FRAME_BUDGET, type FrameBudget } from '../frame-state/frame-state-layout.js';
import { frameStateFormat } from '../frame-state/frame-state-format.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { createMailbox } from '../mailbox/create-mailbox.js';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import { overlayStateFormat, type OverlayState } from '../overlay/overlay-state.js';
import { portLink } from '../queue/message-link.js';
import { ReliableSender } from '../queue/reliable-queue.js';
import {
  wallTime,
  type RenderAnswer,
  type RenderStart,
  type RenderThreadStats,
} from './render-protocol.js';
import { connectWorker, type RenderWorker, type WorkerConnection } from './worker-connection.js';

/** Options of a {@link RenderThread}. */
export interface RenderThreadOptions {
  /** Makes the worker; its module calls `serveRender`. */
  readonly worker: () => RenderWorker;
  /** The engine's clock. */
  readonly clock: Clock;
  readonly budget?: Partial<FrameBudget>;
  /** Most quads of an overlay. Default 16,384. */
  readonly overlayQuads?: number;
  /** Shared memory or transfers; default: shared where there is any. */
  readonly shared?: boolean;
  /** An `OffscreenCanvas`; it is transferred. Reaches the worker's backend. */
  readonly surface?: Transferable;
  /** For the worker's backend: anything that can be cloned. */
  readonly config?: unknown;
  /** Frames a second where no display sets the pace. Default 60. */
  readonly frameRate?: number;
  /** Nanoseconds that loading the worker and preparing the backend may take. Default 20 s. */
  readonly startTimeout?: number;
  /** Nanoseconds that {@link RenderThread.stop} waits for the worker to end. Default 5 s. */
  readonly stopTimeout?: number;
  /** Told once when the renderer failed or its worker died. */
  readonly onFailure?: (error: Error) => void;
  readonly log?: EventLog;
}

/**
 * A renderer on a thread of its own: makes the worker, the mailboxes and the queue, and stops it again. The
 * other side is `serveRender`. Hand `frames` and `messages` to a {@link RenderSync}.
 *
 * @example
 * ```ts
 * const thread = new RenderThread({
 *   clock,
 *   worker: () => new Worker(new URL('./render.worker.js', import.meta.url), { type: 'module' }),
 * });
 * await thread.started;
 * const sync = new RenderSync({ scene, frames: thread.frames, messages: thread.messages });
 * // …
 * await thread.stop();
 * ```
 */
export class RenderThread {
  /** Resolves when the backend is ready; rejects when it can't be made or the worker dies before. */
  readonly started: Promise<void>;
  readonly frames: MailboxWriter<RenderFrameState>;
  readonly overlays: MailboxWriter<OverlayState>;
  readonly messages: ReliableSender<RenderMessage>;
  readonly budget: FrameBudget;
  readonly #clock: Clock;
  readonly #stopTimeout: number;
  readonly #log: EventLog;
  readonly #onFailure: ((error: Error) => void) | undefined;
  readonly #connection: WorkerConnection;
  readonly #ended: Promise<void>;
  readonly #asked = new Map<number, (stats: RenderThreadStats | undefined) => void>();
  #resolveStarted: () => void = () => {};
  #rejectStarted: (error: Error) => void = () => {};
  #resolveEnded: () => void = () => {};
  #state: 'starting' | 'running' | 'stopping' | 'ended' = 'starting';
  #stopped: Promise<void> | undefined;
  #failure: Error | undefined;
  #questions = 0;

  constructor(options: RenderThreadOptions) {
    const { clock, overlayQuads = 16_384, frameRate = 60 } = options;
    const { startTimeout = 20 * NANOSECONDS_PER_SECOND, stopTimeout = 5 * NANOSECONDS_PER_SECOND } =
      options;
    this.#clock = clock;
    this.#stopTimeout = stopTimeout;
    this.#log = options.log ?? new EventLog('render-sync');
    this.#onFailure = options.onFailure;
    this.budget = { ...DEFAULT_FRAME_BUDGET, ...options.budget };
    this.#ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.started = new Promise((resolve, reject) => {
      this.#resolveStarted = resolve;
      this.#rejectStarted = reject;
    });
    this.started.catch(() => {});

    const kind = options.shared === undefined ? {} : { shared: options.shared };
    const frames = createMailbox(frameStateFormat(this.budget), kind);
    const overlays = createMailbox(overlayStateFormat(overlayQuads), kind);
    const { port1, port2 } = new MessageChannel();
    this.frames = frames.writer;
    this.overlays = overlays.writer;
    this.messages = new ReliableSender<RenderMessage>(portLink(port1));
    this.#connection = connectWorker(
      options.worker(),
      (message) => this.#hear(message as RenderAnswer),
      (cause) => this.#onEnd(cause),
    );
    const start: RenderStart = {
      kind: 'ecliptic:render-start',
      frames: frames.handle,
      overlays: overlays.handle,
      messages: port2,
      budget: this.budget,
      overlayQuads,
      engineTime: clock.now(),
      wallTime: wallTime(),
      framePeriod: Math.round(NANOSECONDS_PER_SECOND / frameRate),
      surface: options.surface,
      config: options.config,
    };
    const surface = options.surface === undefined ? [] : [options.surface];
    this.#connection.post(start, [...frames.transfer, ...overlays.transfer, port2, ...surface]);
    const cancel = clock.schedule(startTimeout, () => this.#onLateStart(startTimeout));
    const settled = (): void => cancel();
    this.started.then(settled, settled);
  }

  /** Why it failed; `undefined` while all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Counters of the other side; `undefined` when it has ended. */
  stats(): Promise<RenderThreadStats | undefined> {
    if (this.#state === 'ended') return Promise.resolve(undefined);
    const id = ++this.#questions;
    // Who waits for an answer must not lose it because nothing else keeps the process alive.
    this.#connection.hold(true);
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#connection.post({ kind: 'ecliptic:render-stats', id });
    });
  }

  /**
   * Ends the renderer and joins its worker: no GPU work happens after it resolved. A worker that doesn't
   * end within the time-out is terminated and reported (`render_thread_hung`). Again: the same promise.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    if (this.#state !== 'ended') {
      this.#state = 'stopping';
      this.#connection.hold(true);
      this.#connection.post({ kind: 'ecliptic:render-stop' });
      const cancel = this.#clock.schedule(this.#stopTimeout, () => {
        this.#log.error('render_thread_hung', { timeout: this.#stopTimeout });
        this.#resolveEnded();
      });
      await this.#ended;
      cancel();
      await this.#connection.terminate();
      this.#state = 'ended';
    }
    this.#rejectStarted(
      new EclipticError('render-sync/thread-stopped', 'The render thread was stopped'),
    );
    this.frames.dispose();
    this.overlays.dispose();
    this.messages.dispose();
    this.#answerAll();
  }

  #hear(message: RenderAnswer): void {
    switch (message.kind) {
      case 'ecliptic:render-ready':
        if (this.#state === 'starting') this.#state = 'running';
        this.#connection.hold(false);
        this.#resolveStarted();
        break;
      case 'ecliptic:render-stats':
        this.#asked.get(message.id)?.(message.stats);
        this.#asked.delete(message.id);
        if (this.#asked.size === 0 && this.#state === 'running') this.#connection.hold(false);
        break;
      case 'ecliptic:render-failed':
        this.#fail(
          new EclipticError('render-sync/render-failed', 'The renderer failed', {
            cause: unpackError(message.error),
            fix: 'See the cause; start a new render thread to go on.',
          }),
        );
        break;
      case 'ecliptic:render-stopped':
        this.#resolveEnded();
    }
  }

  #onEnd(cause: unknown): void {
    const expected = this.#state === 'stopping' || this.#state === 'ended';
    if (!expected || cause !== undefined) {
      this.#fail(
        new EclipticError('render-sync/thread-died', 'The worker of the render thread ended', {
          cause,
          fix: 'See the cause. Its module must call serveRender().',
        }),
      );
    }
    this.#resolveEnded();
  }

  #onLateStart(timeout: number): void {
    this.#fail(
      new EclipticError('render-sync/thread-start-timeout', 'The render thread did not start', {
        subjects: { timeout },
        fix: 'Its module must call serveRender(), and the backend’s initialize() must settle.',
      }),
    );
    void this.#connection.terminate();
  }

  #fail(error: Error): void {
    this.#resolveEnded();
    if (this.#failure !== undefined || this.#state === 'ended') return;
    const told = this.#state !== 'starting';
    this.#failure = error;
    this.#state = 'ended';
    this.#rejectStarted(error);
    this.#answerAll();
    this.messages.end(error);
    this.#log.error('render_thread_failed', { error });
    if (told) this.#onFailure?.(error);
  }

  #answerAll(): void {
    for (const answer of this.#asked.values()) answer(undefined);
    this.#asked.clear();
  }
}
