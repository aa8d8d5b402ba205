import { type EclipticError, EventLog, ManualClock } from '@ecliptic/core';
import {
  createEngine,
  headlessPlatform,
  type Engine,
  type EngineContext,
  type EngineOptions,
  type EnginePlugin,
} from '../../src/index.js';

/** Lets everything that is already due run, without any time passing. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** An engine on a clock of its own that moves only when told to. */
export function testEngine(options: Partial<EngineOptions> = {}): {
  engine: Engine;
  clock: ManualClock;
} {
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock();
  const engine = createEngine({
    platform: headlessPlatform(),
    plugins: [],
    log: new EventLog('engine'),
    ...options,
    clock,
  });
  return { engine, clock };
}

/** A plugin that writes down each call of its hooks. */
export function recordingPlugin(
  id: string,
  calls: string[],
  more: Partial<EnginePlugin> = {},
): EnginePlugin {
  return {
    id,
    configure: () => void calls.push(`${id} configure`),
    initialize: () => void calls.push(`${id} initialize`),
    start: () => void calls.push(`${id} start`),
    stop: (reason) => void calls.push(`${id} stop ${reason}`),
    dispose: () => void calls.push(`${id} dispose`),
    ...more,
  };
}

/** A plugin with one hook. */
export function plugin(
  id: string,
  initialize: (engine: EngineContext) => void | Promise<void>,
): EnginePlugin {
  return { id, initialize };
}

/** The error that `run` throws or rejects with. */
export async function failureOf(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown');
}

/** The coded error that `run` throws. */
export function thrownBy(run: () => unknown): EclipticError {
  try {
    run();
  } catch (error) {
    return error as EclipticError;
  }
  throw new Error('Nothing was thrown');
}
