import { EclipticError } from '@ecliptic/core';

/** Where an engine is in its life. `failed`: it could not be initialized, and everything was undone. */
export type EngineState =
  | 'created'
  | 'initializing'
  | 'ready'
  | 'running'
  | 'shutting-down'
  | 'shut-down'
  | 'failed';

/** The error for a call that an engine can't follow in this state. */
export function wrongState(call: string, state: EngineState): EclipticError {
  const fixes: Partial<Record<EngineState, string>> = {
    created: 'Call initialize() first, and wait for it.',
    initializing: 'Wait for initialize().',
    running: 'run() drives the frames; wait for it to return.',
  };
  return new EclipticError(
    'engine/wrong-state',
    `${call}() can't be called: the engine is ${state}`,
    {
      subjects: { call, state },
      fix: fixes[state] ?? 'Make a new engine with createEngine().',
    },
  );
}
