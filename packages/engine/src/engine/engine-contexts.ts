import type { Epochs } from '@ecliptic/core';
import type { FrameSchedule } from '../frame/frame-hooks.js';
import type { MainLoop } from '../frame/main-loop.js';
import type { Closing } from '../lifecycle/closing.js';
import {
  CLOCK,
  CONFIG,
  EPOCHS,
  INPUT,
  LOG,
  MOUNTS,
  PLATFORM,
  TIME,
} from '../services/engine-tokens.js';
import type { EngineServices } from '../services/service-registry.js';
import type { EngineContext } from './engine-context.js';
import { ENGINE_OWNER, type EngineParts } from './engine-parts.js';

/** What an engine shows to plugins. */
export interface EngineContextsOptions {
  readonly parts: EngineParts;
  readonly services: EngineServices;
  readonly hooks: FrameSchedule;
  readonly loop: MainLoop;
  readonly epochs: Epochs;
  readonly closing: Closing;
}

/** The engine as its plugins see it: as services, and as one context each. */
export class EngineContexts {
  readonly #options: EngineContextsOptions;
  readonly #contexts = new Map<string, EngineContext>();

  constructor(options: EngineContextsOptions) {
    this.#options = options;
  }

  /** Binds the engine's own services. */
  bindServices(): void {
    const { parts, loop, epochs } = this.#options;
    const services = this.#options.services.for(ENGINE_OWNER);
    services.bindValue(CLOCK, parts.clock);
    services.bindValue(CONFIG, parts.config);
    services.bindValue(LOG, parts.log);
    services.bindValue(PLATFORM, parts.platform);
    services.bindValue(MOUNTS, parts.mounts);
    services.bindValue(EPOCHS, epochs);
    services.bindValue(INPUT, loop.input);
    services.bindValue(TIME, loop.time);
  }

  /** The context of one plugin; the same one every time. */
  of(plugin: string): EngineContext {
    const context = this.#contexts.get(plugin) ?? this.#make(plugin);
    this.#contexts.set(plugin, context);
    return context;
  }

  #make(plugin: string): EngineContext {
    const { parts, hooks, loop, epochs, closing } = this.#options;
    const services = this.#options.services.for(plugin);
    return {
      plugin,
      services,
      get: (token) => services.get(token),
      find: (token) => services.find(token),
      frame: hooks.for(plugin),
      time: loop.time,
      input: loop.input,
      epochs,
      signal: closing.signal,
      clock: parts.clock,
      config: parts.config,
      log: parts.log,
      platform: parts.platform,
      requestClose: (why = `${plugin} asked for it`) => closing.request('requested', why),
    };
  }
}
