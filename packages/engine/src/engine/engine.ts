import { Epochs } from '@ecliptic/core';
import type { EngineConfig } from '../config/engine-config.js';
import { FrameSchedule, type FrameHooks } from '../frame/frame-hooks.js';
import type { FrameState } from '../frame/frame-state.js';
import type { GameTime } from '../frame/game-time.js';
import { MainLoop } from '../frame/main-loop.js';
import { runFrames } from '../frame/run-frames.js';
import type { Input } from '../input/input-latch.js';
import { CleanupStack } from '../lifecycle/cleanup-stack.js';
import { Closing } from '../lifecycle/closing.js';
import { withDeadline } from '../lifecycle/deadline.js';
import {
  CleanupError,
  EngineInitializationError,
  EngineShutdownError,
} from '../lifecycle/engine-errors.js';
import { Initializer } from '../lifecycle/initializer.js';
import type { OwnedStep } from '../lifecycle/lifecycle-step.js';
import { EngineServices, type ServiceRegistry } from '../services/service-registry.js';
import type { Token } from '../services/token.js';
import { configurePlugins } from './configure-plugins.js';
import { EngineContexts } from './engine-contexts.js';
import { ENGINE_OWNER, type EngineParts } from './engine-parts.js';
import { wrongState, type EngineState } from './engine-state.js';
import { platformStep } from './platform-step.js';

/**
 * Brings plugins up in order, runs frames, and takes everything down in order. Made by {@link createEngine}. One engine is
 * initialized once; for another run make another engine.
 *
 * @example
 * ```ts
 * await using engine = createEngine({ platform: headlessPlatform(), plugins: [ecs(), scheduler(), game()] });
 * await engine.initialize();
 * await engine.run();
 * ```
 */
export class Engine {
  readonly #parts: EngineParts;
  readonly #epochs = new Epochs();
  readonly #closing: Closing;
  readonly #cleanups: CleanupStack;
  /** Run after everything else, because anything may use a service to its end. */
  readonly #serviceCleanups: CleanupStack;
  readonly #services: EngineServices;
  readonly #hooks: FrameSchedule;
  readonly #loop: MainLoop;
  readonly #contexts: EngineContexts;
  #state: EngineState = 'created';
  #initialization: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #shutdown: Promise<void> | undefined;

  /** @internal */
  constructor(parts: EngineParts) {
    const { clock, config, log, platform } = parts;
    this.#parts = parts;
    this.#closing = new Closing(log);
    this.#cleanups = new CleanupStack(clock, config.timeouts.cleanup);
    this.#serviceCleanups = new CleanupStack(clock, config.timeouts.cleanup);
    this.#services = new EngineServices(this.#serviceCleanups);
    this.#hooks = new FrameSchedule(clock, log, config.timeouts.frame);
    this.#loop = new MainLoop({
      clock,
      log,
      platform,
      config: config.loop,
      hooks: this.#hooks,
      epochs: this.#epochs,
      requestClose: (why) => this.requestClose(why),
    });
    this.#contexts = new EngineContexts({
      parts,
      services: this.#services,
      hooks: this.#hooks,
      loop: this.#loop,
      epochs: this.#epochs,
      closing: this.#closing,
    });
  }

  get state(): EngineState {
    return this.#state;
  }

  /** All services. */
  get services(): ServiceRegistry {
    return this.#services.for(ENGINE_OWNER);
  }

  /** The configuration, complete. */
  get config(): EngineConfig {
    return this.#parts.config;
  }

  /** To have functions called in every frame, without writing a plugin. */
  get frame(): FrameHooks {
    return this.#hooks.for(ENGINE_OWNER);
  }

  /** The current or last frame. */
  get frameState(): FrameState {
    return this.#loop.state;
  }

  get time(): GameTime {
    return this.#loop.time;
  }

  get input(): Input {
    return this.#loop.input;
  }

  get epochs(): Epochs {
    return this.#epochs;
  }

  /**
   * Short for `services.get`.
   *
   * @throws EclipticError as that does; `engine/wrong-state` for what plugins bind, before {@link Engine.initialize}
   */
  get<T>(token: Token<T>): T {
    if (this.#state === 'created' && !this.services.has(token)) {
      throw wrongState('get', this.#state);
    }
    return this.#services.get(token);
  }

  /**
   * Configures all plugins, checks how everything fits together, then runs the steps and hooks in the order of initialization.
   *
   * @throws EngineInitializationError if anything fails, or the engine is told to close meanwhile, after all that had completed
   *   was undone. `engine/wrong-state` the second time.
   */
  initialize(): Promise<void> {
    if (this.#state !== 'created') return Promise.reject(wrongState('initialize', this.#state));
    this.#state = 'initializing';
    this.#initialization = this.#initialize();
    return this.#initialization;
  }

  /**
   * Runs frames until {@link Engine.requestClose}, a signal, the window, or `signal`. Everything is still live when it returns.
   *
   * @throws EngineFrameError if a frame fails and the configuration says `stop`. `engine/wrong-state` unless initialized and
   *   not running.
   */
  run(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#state !== 'ready') return Promise.reject(wrongState('run', this.#state));
    this.#state = 'running';
    this.#running = this.#run(options.signal);
    return this.#running;
  }

  /**
   * Runs one frame, without waiting for the frame-rate cap or the display: for hosts and tests that set the pace themselves.
   *
   * @throws EngineFrameError; the next frame works. `engine/nested-frame`. `engine/wrong-state` unless initialized and not running.
   */
  async runFrame(): Promise<FrameState> {
    if (this.#state !== 'ready') throw wrongState('runFrame', this.#state);
    const frame = this.#loop.frame();
    this.#running = frame.catch(() => undefined); // a shutdown from inside waits for it; the caller gets the error
    await frame;
    return this.#loop.state;
  }

  /**
   * Ends `run()` after the current frame, or the initialization after its current step. Nothing is taken down: that is
   * {@link Engine.shutdown}'s part.
   *
   * @param why - for the log
   */
  requestClose(why = 'requested'): void {
    this.#closing.request('requested', why);
  }

  /**
   * Takes everything down, in the order of shutdown, each completed step once. Ends `run()` first, and waits for its current
   * frame. Can be called at any time and any number of times: all calls share one promise. From inside a hook, don't wait for
   * it: it waits for the hook, until the time-out.
   *
   * @throws EngineShutdownError if clean-ups failed; all the others ran
   */
  shutdown(): Promise<void> {
    this.#closing.request('shutdown', 'shutdown() was called');
    this.#shutdown ??= this.#shutDown();
    return this.#shutdown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  async #initialize(): Promise<void> {
    await Promise.resolve(); // so that shutdown() right after initialize() finds the promise
    try {
      this.#contexts.bindServices();
      this.#cleanups.push({
        name: 'terminate',
        plugin: ENGINE_OWNER,
        at: 'terminate',
        cleanup: () => this.#terminate(),
      });
      const steps = configurePlugins(this.#parts, this.#services, [
        platformStep(this.#parts, this.#serviceCleanups, (why) => this.requestClose(why)),
      ]);
      await this.#initializer(steps).run();
      if (this.#state === 'initializing') this.#state = 'ready';
    } catch (error) {
      throw await this.#failInitialization(error);
    }
  }

  #initializer(steps: readonly OwnedStep[]): Initializer {
    const { plugins, clock, log, config } = this.#parts;
    return new Initializer({
      plugins,
      steps,
      clock,
      log,
      cleanups: this.#cleanups,
      timeouts: config.timeouts,
      contextOf: (plugin) => this.#contexts.of(plugin),
      closing: this.#closing,
    });
  }

  async #failInitialization(failure: unknown): Promise<EngineInitializationError> {
    const error =
      failure instanceof EngineInitializationError
        ? failure
        : new EngineInitializationError(ENGINE_OWNER, 'compose', failure, []);
    this.#closing.request('failed', error.message);
    const cleanupErrors = await this.#unwind();
    this.#state = 'failed';
    this.#parts.log.flush();
    return new EngineInitializationError(error.plugin, error.step, error.cause, cleanupErrors);
  }

  async #run(signal: AbortSignal | undefined): Promise<void> {
    const { config, log } = this.#parts;
    try {
      await runFrames({
        loop: this.#loop,
        closing: this.#closing,
        config: config.loop,
        log,
        signal,
      });
    } finally {
      if (this.#state === 'running') this.#state = 'ready';
    }
  }

  async #shutDown(): Promise<void> {
    const errors: CleanupError[] = [];
    if (this.#initialization) {
      // Its error is the initializer's caller's; by the time it settles everything was undone.
      await this.#initialization.catch(() => undefined);
    }
    if (this.#state === 'failed') return;
    this.#state = 'shutting-down';
    const stuck = await this.#waitForFrame();
    if (stuck) errors.push(stuck);
    errors.push(...(await this.#unwind()));
    this.#state = 'shut-down';
    this.#parts.log.flush();
    if (errors.length > 0) throw new EngineShutdownError(errors);
  }

  /** A frame that hangs, or waits for this very shutdown, must not hold it up for ever. */
  async #waitForFrame(): Promise<CleanupError | undefined> {
    const running = this.#running?.catch(() => undefined); // the error is that of run()'s caller
    if (running === undefined) return undefined;
    const { clock, config } = this.#parts;
    try {
      await withDeadline(running, clock, config.timeouts.cleanup, 'The current frame');
      return undefined;
    } catch (error) {
      return new CleanupError(ENGINE_OWNER, 'the current frame', error);
    }
  }

  async #unwind(): Promise<CleanupError[]> {
    return [...(await this.#cleanups.unwind()), ...(await this.#serviceCleanups.unwind())];
  }

  /** From here on subsystems go: late results are stale, and a frame that is stuck touches nothing any more. */
  #terminate(): void {
    this.#epochs.advance('run');
    this.#hooks.close();
  }
}
