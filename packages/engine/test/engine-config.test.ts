import { EventLog } from '@ecliptic/core';
import { describe, expect, test, vi } from 'vitest';
import { createEngine, headlessPlatform, parseEngineConfig } from '../src/index.js';
import { thrownBy } from './support/recorder.js';

function problemsOf(config: unknown): unknown {
  const error = thrownBy(() => parseEngineConfig(config));
  expect(error.code).toBe('engine/invalid-config');
  return error.subjects['problems'];
}

describe('the options', () => {
  const platform = headlessPlatform();
  test.each([
    [[], ['platform', 'plugins']],
    [[null], ['platform', 'plugins']],
    [[{}], ['platform', 'plugins']],
    [[{ plugins: [] }], ['platform']],
    [[{ platform }], ['plugins']],
    [[{ platform: null, plugins: [] }], ['platform']],
    [[{ platform: headlessPlatform, plugins: {} }], ['platform', 'plugins']],
  ])('what is not given is named: createEngine(...%j)', (given, missing) => {
    const error = thrownBy(() => Reflect.apply(createEngine, undefined, given));
    expect(error.code).toBe('engine/missing-options');
    expect(error.subjects).toEqual({ missing });
    for (const name of missing) expect(error.message).toContain(name);
    expect(error.fix).toContain('headlessPlatform()');
  });
});

describe('the configuration', () => {
  test('is complete whatever is left out, with the documented budgets', () => {
    expect(parseEngineConfig(undefined)).toEqual(parseEngineConfig({ loop: {}, memory: {} }));
    expect(parseEngineConfig({ memory: { actors: 8 } })).toMatchObject({
      loop: { fixedRate: 60, maxSteps: 5, maxFrameDelta: 0.25, frameRateCap: 300 },
      timeouts: { cleanup: 5 },
      memory: { entities: 65_536, actors: 8, mainThreadQueueSlots: 512, sceneBytes: 128 * 2 ** 20 },
    });
  });

  test('bad values are listed all at once, each with where it is and what it should be', () => {
    const problems = problemsOf({
      loop: { fixedRate: 0.5, onFrameError: 'ignore' },
      memory: { actors: -1, entities: 'many', mainThreadQueueSlots: 500 },
      timeouts: { cleanup: Number.NaN },
    });
    expect(problems).toEqual([
      'loop.fixedRate is 0.5; expected a whole number',
      expect.stringContaining('loop.onFrameError is "ignore"; expected ("stop" | "continue")'),
      expect.stringContaining('timeouts.cleanup is NaN'),
      expect.stringContaining('memory.entities is "many"; expected number'),
      expect.stringContaining('memory.actors is -1; expected >=1'),
      'memory.mainThreadQueueSlots is 500; expected a power of two from 2 to 65,536',
    ]);
    expect(problemsOf({ memory: { sceneBytes: 2 ** 33 } })).toEqual([
      expect.stringContaining('memory.sceneBytes is 8589934592; expected <=4294967296'),
    ]);
    expect(problemsOf(7)).toEqual([expect.stringContaining('the configuration is 7')]);
    expect(problemsOf({ memory: null })).toEqual([expect.stringContaining('memory is null')]);
  });

  test('unknown keys warn with their path, and are ignored', () => {
    const log = new EventLog('engine');
    const warn = vi.spyOn(log, 'warn');
    const config = { memroy: {}, loop: { fixedrate: 30, toString: 1 } } as object;
    createEngine({ platform: headlessPlatform(), plugins: [], config, log });
    expect(warn.mock.calls.map(([event, properties]) => [event, properties?.['key']])).toEqual([
      ['unknown_config_key', 'memroy'],
      ['unknown_config_key', 'loop.fixedrate'],
      ['unknown_config_key', 'loop.toString'],
    ]);
  });
});
