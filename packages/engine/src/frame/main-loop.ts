import { type Clock, EclipticError, type Epochs, type EventLog } from '@ecliptic/core';
import { FixedTimestepAccumulator, FrameRateCap, FrameTimer } from '@ecliptic/scheduler';
import type { LoopConfig } from '../config/engine-config.js';
import { InputLatch, type Input } from '../input/input-latch.js';
import { EngineFrameError } from '../lifecycle/engine-errors.js';
import type { EnginePlatform } from '../platform/engine-platform.js';
import type { PlatformEvent } from '../platform/platform-event.js';
import type { FrameSchedule } from './frame-hooks.js';
import type { FramePlace } from './frame-places.js';
import { MutableFrameState, type FrameState } from './frame-state.js';
import { GameTime } from './game-time.js';

const SECONDS_PER_NANOSECOND = 1e-9;

/** What a loop needs. */
export interface MainLoopOptions {
  readonly clock: Clock;
  readonly log: EventLog;
  readonly config: LoopConfig;
  readonly platform: EnginePlatform;
  readonly hooks: FrameSchedule;
  readonly epochs: Epochs;
  readonly requestClose: (why: string) => void;
}

/** Runs frames: the twelve steps, in their order, and nothing else. What happens in them is the hooks' business. */
export class MainLoop {
  readonly time: GameTime;
  readonly #options: MainLoopOptions;
  readonly #input = new InputLatch();
  readonly #state = new MutableFrameState();
  readonly #timer: FrameTimer;
  readonly #accumulator: FixedTimestepAccumulator;
  readonly #cap: FrameRateCap;
  #inFrame = false;
  #hidden = false;
  #empty = false;

  constructor(options: MainLoopOptions) {
    const { clock, log, config } = options;
    this.#options = options;
    this.#timer = new FrameTimer(clock, {
      maxDelta: Math.round(config.maxFrameDelta / SECONDS_PER_NANOSECOND),
    });
    this.#accumulator = new FixedTimestepAccumulator({
      rate: config.fixedRate,
      maxSteps: config.maxSteps,
      log,
    });
    this.#cap = new FrameRateCap(clock, { rate: config.frameRateCap });
    this.time = new GameTime(this.#accumulator, this.#timer);
  }

  get input(): Input {
    return this.#input;
  }

  get state(): FrameState {
    return this.#state;
  }

  get inFrame(): boolean {
    return this.#inFrame;
  }

  /**
   * Steps 1 to 11.
   *
   * @throws EngineFrameError; `engine/nested-frame`
   */
  async frame(): Promise<void> {
    if (this.#inFrame) {
      throw new EclipticError('engine/nested-frame', 'A frame was started from inside a frame', {
        fix: 'Let run() drive the frames, or await one runFrame() before the next.',
      });
    }
    this.#inFrame = true;
    try {
      await this.#poll(); // 1
      await this.#run('vfs'); // 2
      if (this.#state.surface.visible) await this.#visibleFrame();
      else await this.#minimisedFrame(); // 3
    } finally {
      this.#input.endFrame();
      this.#state.frame++;
      this.#inFrame = false;
    }
  }

  /**
   * Step 12: waits for the frame-rate cap, whatever the frame was like, then for the display; not longer than until `signal`.
   *
   * @throws EngineFrameError
   */
  async pace(signal: AbortSignal): Promise<void> {
    const { platform } = this.#options;
    try {
      await this.#cap.wait(signal);
      await platform.nextFrame?.(signal);
    } catch (cause) {
      if (signal.aborted) return;
      throw new EngineFrameError('engine', `pace/${platform.name} platform`, cause);
    }
  }

  async #visibleFrame(): Promise<void> {
    this.#measure(); // 4, 5
    await this.#fixedSteps(); // 6
    this.#state.alpha = this.#state.time.alpha = this.#accumulator.alpha; // 7
    await this.#run('imports'); // 8
    await this.#run('drain'); // 9
    await this.#run('update'); // 10
    await this.#run('camera');
    await this.#run('overlay'); // 11
    await this.#run('sync');
    await this.#run('publish');
  }

  /** Work for and from other threads goes on, or their queues would fill up; time stands still. */
  async #minimisedFrame(): Promise<void> {
    this.#state.steps = 0;
    this.time.resync();
    await this.#run('imports');
    await this.#run('drain');
  }

  async #poll(): Promise<void> {
    this.#state.events.length = 0;
    const { platform } = this.#options;
    try {
      platform.poll?.((event) => this.#receive(event));
    } catch (cause) {
      throw new EngineFrameError('engine', `poll/${platform.name} platform`, cause);
    }
    await this.#run('poll');
  }

  #receive(event: PlatformEvent): void {
    this.#state.events.push(event);
    const { surface } = this.#state;
    switch (event.type) {
      case 'close':
        this.#options.requestClose('the window was closed');
        break;
      case 'visibility':
        this.#hidden = !event.visible;
        this.time.resync();
        break;
      case 'resize':
        surface.width = event.width;
        surface.height = event.height;
        surface.pixelRatio = event.pixelRatio;
        this.#empty = event.width <= 0 || event.height <= 0;
        this.#options.epochs.advance('size');
        break;
      default:
        this.#input.apply(event);
    }
    surface.visible = !this.#hidden && !this.#empty;
  }

  #measure(): void {
    this.time.applyResync();
    this.#state.now = this.#options.clock.now();
    const delta = this.#timer.tick();
    const virtual = this.#accumulator.accumulate(delta);
    this.time.applySteps();
    const state = this.#state;
    state.rawDelta = this.#timer.delta * SECONDS_PER_NANOSECOND;
    state.smoothedDelta = this.#timer.smoothedDelta * SECONDS_PER_NANOSECOND;
    state.steps = 0;
    const { time } = state;
    time.isFixedStep = false;
    time.delta = Math.min(virtual * SECONDS_PER_NANOSECOND, this.#options.config.maxFrameDelta);
    time.fixedDelta = this.#accumulator.fixedDelta;
    time.frameCount = state.frame;
    time.totalSeconds = this.#accumulator.totalSeconds;
    time.smoothedDelta = state.smoothedDelta;
    time.dropped = this.#accumulator.dropped;
  }

  async #fixedSteps(): Promise<void> {
    const { step } = this.#state;
    while (this.#accumulator.stepsDue > 0 && !this.time.resyncRequested) {
      step.delta = step.fixedDelta = this.#accumulator.fixedDelta;
      step.frameCount = this.#accumulator.stepCount;
      step.totalSeconds = this.#accumulator.totalSeconds;
      step.smoothedDelta = this.#state.smoothedDelta;
      step.dropped = this.#accumulator.dropped;
      await this.#run('systems');
      await this.#run('flush');
      await this.#run('actors');
      await this.#run('snapshot');
      this.#accumulator.consumeStep();
      this.#input.endStep();
      this.#state.steps++;
    }
  }

  #run(place: FramePlace): Promise<void> {
    return this.#options.hooks.run(place, this.#state);
  }
}
