import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createEngine,
  headlessPlatform,
  type EnginePlugin,
  type PluginOption,
} from '../src/index.js';
import { recordingPlugin, thrownBy } from './support/recorder.js';

function problemsOf(plugins: readonly PluginOption[]): readonly string[] {
  const error = thrownBy(() => createEngine({ platform: headlessPlatform(), plugins }));
  expect(error.code).toBe('engine/plugin-graph');
  return error.subjects['problems'] as string[];
}

async function orderOf(plugins: readonly EnginePlugin[]): Promise<string[]> {
  const calls: string[] = [];
  const recorded = plugins.map(({ id, requires = [], after = [] }) => ({
    id,
    requires,
    after,
    initialize: () => void calls.push(id),
  }));
  const engine = createEngine({ platform: headlessPlatform(), plugins: recorded });
  await engine.initialize();
  await engine.shutdown();
  return calls;
}

describe('the plugin graph', () => {
  test('missing, duplicate and cyclic dependencies are listed, with paths, before anything starts (52)', () => {
    const calls: string[] = [];
    const problems = problemsOf([
      recordingPlugin('a.twice', calls),
      recordingPlugin('a.twice', calls),
      recordingPlugin('b.lonely', calls, { requires: ['b.absent'] }),
      recordingPlugin('c.one', calls, { requires: ['c.two'] }),
      recordingPlugin('c.two', calls, { requires: ['c.three'] }),
      recordingPlugin('c.three', calls, { after: ['c.one'] }),
      recordingPlugin('d.self', calls, { requires: ['d.self'] }),
      recordingPlugin('not an id', calls),
    ]);
    expect(problems).toEqual([
      'plugin 8 has the id "not an id"; an id is words joined by dots, as "acme.weather"',
      '"a.twice" is there 2 times',
      '"b.lonely" requires "b.absent", which isn\'t there',
      'cycle: "c.one" → "c.two" → "c.three" → "c.one"',
      '"d.self" depends on itself',
    ]);
    expect(calls).toEqual([]);
  });

  test('what is no plugin is told apart: a factory that was not called, a promise, text', () => {
    const factory = function weather(): EnginePlugin {
      return { id: 'acme.weather' };
    };
    const wrong: unknown[] = [factory, Promise.resolve(factory()), 'acme.weather', {}];
    expect(problemsOf(wrong as EnginePlugin[])).toEqual([
      'plugin 1 is the function weather: call it',
      'plugin 2 is a promise: wait for it',
      'plugin 3 is "acme.weather", which is no plugin',
      expect.stringContaining('plugin 4 has the id undefined'),
    ]);
  });

  test('presets are nested lists, and falsy entries are skipped', async () => {
    const a = { id: 'a' };
    const b = { id: 'b' };
    const engine = createEngine({
      platform: headlessPlatform(),
      plugins: [false, [null, [a, undefined], [[b], '']], 0],
    });
    await engine.initialize();
    await engine.shutdown();
    expect(problemsOf([[a, [a]]])).toEqual(['"a" is there 2 times']);
  });

  test('a plugin comes after what it requires, after what it prefers if that is there, else in the order of the list', async () => {
    expect(
      await orderOf([
        { id: 'a', after: ['c', 'nowhere'] },
        { id: 'b' },
        { id: 'c', requires: ['d'] },
        { id: 'd' },
      ]),
    ).toEqual(['d', 'c', 'a', 'b']);
  });

  test('any acyclic graph in any order starts each plugin once, after all it depends on', async () => {
    const graphs = fc.integer({ min: 1, max: 12 }).chain((size) =>
      fc.tuple(
        fc.array(fc.array(fc.nat({ max: 100 }), { maxLength: 4 }), {
          minLength: size,
          maxLength: size,
        }),
        fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(graphs, async ([edges, order]) => {
        const plugins = edges.map((targets, index) => ({
          id: `p${index}`,
          requires: index === 0 ? [] : targets.map((target) => `p${target % index}`),
        }));
        const started = await orderOf(order.map((index) => plugins[index] as EnginePlugin));
        expect(started.toSorted()).toEqual(plugins.map(({ id }) => id).toSorted());
        for (const { id, requires } of plugins) {
          for (const required of requires) {
            expect(started.indexOf(required)).toBeLessThan(started.indexOf(id));
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
