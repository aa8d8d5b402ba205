import { EclipticError, EventLog, type Clock } from '@ecliptic/core';
import { FrameTimer } from '@ecliptic/scheduler';
import type { RenderBackend } from '../backend/render-backend.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import type { MailboxReader } from '../mailbox/mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import type { OverlayState } from '../overlay/overlay-state.js';
import type { ReliableReceiver } from '../queue/reliable-queue.js';
import { RenderResources } from '../resources/render-resources.js';
import type { InstanceRecord } from '../scene/instance-record.js';
import { loadInstanceKernel } from './instance-kernel.js';
import { interpolationAlpha } from './interpolation-alpha.js';
import { ReadBackQueue } from './read-back-queue.js';
import { RenderView } from './render-view.js';

/** What a {@link RenderLoop} is made of. */
export interface RenderLoopOptions {
  readonly backend: RenderBackend;
  readonly frames: MailboxReader<RenderFrameState>;
  readonly messages: ReliableReceiver<RenderMessage>;
  readonly overlays?: MailboxReader<OverlayState>;
  /** The engine's clock, or one that agrees with it. */
  readonly clock: Clock;
  /** Default: a log of `render-sync`. */
  readonly log?: EventLog;
}

/** Why {@link RenderLoop.runOnce} did or didn't draw. */
export type RenderOutcome = 'drawn' | 'no-state' | 'no-image';

/** What a {@link RenderLoop} has counted. */
export interface RenderLoopStats {
  /** Frames drawn. */
  readonly frames: number;
  /** Frames drawn from a state that had been drawn before, since no newer one was there. */
  readonly repeated: number;
  /** Number of the state drawn last. */
  readonly sequence: number;
  /** Instances in the frame drawn last. */
  readonly instances: number;
  /** Mean time between the last 8 drawn frames, nanoseconds: for display. */
  readonly smoothedDelta: number;
}

/**
 * The renderer's side of the hand-over, one frame a call: newest state or the retained one → messages → acquire →
 * begin frame, with uploads → build the scene → run the graph → read back what was asked for → present → end frame → smoothed delta.
 * It knows no thread: a render worker runs it, and so does a main loop without one.
 *
 * @example
 * ```ts
 * const loop = new RenderLoop({ backend: new NullBackend(), frames, messages, clock });
 * await loop.initialize();
 * loop.runOnce(); // 'drawn', once a state was published
 * await loop.dispose();
 * ```
 */
export class RenderLoop {
  readonly backend: RenderBackend;
  readonly resources: RenderResources;
  readonly #frames: MailboxReader<RenderFrameState>;
  readonly #messages: ReliableReceiver<RenderMessage>;
  readonly #overlays: MailboxReader<OverlayState> | undefined;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #timer: FrameTimer;
  #view = new RenderView();
  readonly #readBacks: ReadBackQueue;
  readonly #instances = new Map<number, InstanceRecord>();
  #instancesVersion = 0;
  #state: RenderFrameState | undefined;
  #frame = 0;
  #repeated = 0;
  #size = { width: 0, height: 0, pixelRatio: 0 };
  #phase: 'new' | 'ready' | 'disposed' = 'new';

  constructor(options: RenderLoopOptions) {
    this.backend = options.backend;
    this.#log = options.log ?? new EventLog('render-sync');
    this.resources = new RenderResources(options.backend, this.#log);
    this.#frames = options.frames;
    this.#messages = options.messages;
    this.#readBacks = new ReadBackQueue(options.backend, (answer, transfer) =>
      this.#messages.answer(answer, transfer),
    );
    this.#overlays = options.overlays;
    this.#clock = options.clock;
    this.#timer = new FrameTimer(options.clock);
  }

  /** Prepares the backend. Once, before anything else. */
  async initialize(): Promise<void> {
    const [module] = await Promise.all([loadInstanceKernel(this.#log), this.backend.initialize()]);
    this.#view = new RenderView(module);
    if (this.#phase === 'new') this.#phase = 'ready';
  }

  get stats(): RenderLoopStats {
    return {
      frames: this.#frame,
      repeated: this.#repeated,
      sequence: this.#state?.sequence ?? 0,
      instances: this.#view.instanceCount,
      smoothedDelta: this.#timer.smoothedDelta,
    };
  }

  /**
   * Draws a frame, if there is a state and an image.
   *
   * @throws EclipticError `render-sync/loop-not-ready` before `initialize` and after `dispose`;
   * `render-sync/frame-layout` for a state of another layout; whatever the backend throws
   */
  runOnce(): RenderOutcome {
    if (this.#phase !== 'ready') throw notReady(this.#phase);
    const fresh = this.#frames.take();
    if (fresh !== undefined) this.#accept(fresh);
    // Also in frames that draw nothing, or the queue would be full after a while without an image.
    this.#messages.drain((message) => this.#handle(message));
    const state = this.#state;
    if (state === undefined) return 'no-state';
    if (state.width < 1 || state.height < 1) return 'no-image';

    const { backend } = this;
    this.#resize(state);
    if (!backend.acquire()) return 'no-image';
    const frame = this.#frame + 1;
    backend.beginFrame(frame);
    this.#frame = frame;
    this.resources.releaseUnused(frame);
    this.resources.flush();
    this.#view.update(
      state,
      frame,
      interpolationAlpha(state, this.#clock.now()),
      this.#instances,
      this.#instancesVersion,
      this.resources,
    );
    backend.renderScene(this.#view);
    this.#overlays?.take();
    backend.executeGraph(this.#overlays?.latest);
    this.#readBacks.ask(this.#size);
    backend.present();
    backend.endFrame(frame);
    if (fresh === undefined) this.#repeated++;
    this.#timer.tick();
    return 'drawn';
  }

  /** Releases the backend and the ends of the channels. Harmless twice. */
  async dispose(): Promise<void> {
    if (this.#phase === 'disposed') return;
    this.#phase = 'disposed';
    this.#readBacks.dispose();
    this.#frames.dispose();
    this.#overlays?.dispose();
    this.#messages.dispose();
    this.#instances.clear();
    this.#state = undefined;
    await this.backend.dispose();
  }

  #accept(state: RenderFrameState): void {
    if (!state.isWritten) {
      throw new EclipticError('render-sync/frame-layout', 'A frame state has another layout', {
        subjects: { bytes: state.layout.byteLength },
        fix: 'Publish with the budget and the package version that the render loop has.',
      });
    }
    this.#state = state;
  }

  #resize({ width, height, pixelRatio }: RenderFrameState): void {
    const size = this.#size;
    if (size.width === width && size.height === height && size.pixelRatio === pixelRatio) return;
    this.#size = { width, height, pixelRatio };
    this.backend.resize(this.#size);
  }

  #handle(message: RenderMessage): void {
    if (message.kind === 'read-back') {
      this.#readBacks.add(message.id, message.request);
      return;
    }
    if (message.kind !== 'instances') {
      this.resources.handle(message, this.#frame);
      return;
    }
    for (const id of message.removed) this.#instances.delete(id);
    for (const record of message.set) this.#instances.set(record.id, record);
    this.#instancesVersion++;
  }
}

function notReady(phase: string): EclipticError {
  return new EclipticError('render-sync/loop-not-ready', `The render loop is ${phase}`, {
    subjects: { phase },
    fix: 'Await initialize() first, and stop calling runOnce() before dispose().',
  });
}
