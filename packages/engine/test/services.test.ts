import { EclipticError } from '@ecliptic/core';
import { container, inject, injectable, singleton } from 'tsyringe';
import { describe, expect, test } from 'vitest';
import { CLOCK, createToken, type EnginePlugin, type ServiceRegistry } from '../src/index.js';
import { failureOf, settle, testEngine, thrownBy } from './support/recorder.js';

interface Wind {
  readonly speed: number;
}
interface Sails {
  readonly wind: Wind;
}
const WIND = createToken<Wind>('test.wind');
const SAILS = createToken<Sails>('test.sails');
const ROPES = createToken<object>('test.ropes');

function binding(id: string, configure: (services: ServiceRegistry) => void): EnginePlugin {
  return { id, configure };
}

/** The problems that the check of the services found. */
async function problemsOf(plugins: readonly EnginePlugin[]): Promise<unknown> {
  const error = await failureOf(() => testEngine({ plugins }).engine.initialize());
  expect(error.cause).toMatchObject({ code: 'engine/service-graph' });
  return (error.cause as EclipticError).subjects['problems'];
}

@injectable()
class Ship implements Sails {
  readonly wind: Wind;
  constructor(@inject(WIND) wind: Wind) {
    this.wind = wind;
  }
}

@injectable()
class Undecorated {
  readonly wind: Wind;
  readonly other: object;
  constructor(@inject(WIND) wind: Wind, other: object) {
    this.wind = wind;
    this.other = other;
  }
}

@singleton()
class ProcessWide {}

describe('services', () => {
  test('values, factories and @injectable classes are bound by token, made once, when first asked for', async () => {
    let made = 0;
    const { engine } = testEngine({
      plugins: [
        binding('test.ship', (services) => services.bindClass(SAILS, Ship)),
        binding('test.wind', (services) =>
          services.bindFactory(WIND, [CLOCK], (clock) => ({ speed: ++made, clock })),
        ),
        binding('test.ropes', (services) => services.bindValue(ROPES, {})),
      ],
    });
    await engine.initialize();
    expect(made).toBe(0);
    expect(engine.get(SAILS)).toBeInstanceOf(Ship);
    expect(engine.get(SAILS)).toBe(engine.get(SAILS));
    expect(engine.get(SAILS).wind).toBe(engine.get(WIND));
    expect(made).toBe(1);
    expect(engine.services.has(ROPES)).toBe(true);
    await engine.shutdown();
  });

  test('an @injectable class that is no service is made anew each time', async () => {
    const { engine } = testEngine({
      plugins: [binding('test.wind', (services) => services.bindValue(WIND, { speed: 3 }))],
    });
    await engine.initialize();
    const ship = engine.services.create(Ship);
    expect(ship.wind.speed).toBe(3);
    expect(engine.services.create(Ship)).not.toBe(ship);
    expect(() => engine.services.create(Undecorated)).toThrow(
      expect.objectContaining({ code: 'engine/service-failed' }),
    );
    await engine.shutdown();
  });

  test('missing services, cycles and parameters without a token are listed, with paths, before anything is made (52)', async () => {
    let made = 0;
    const make = (): never => {
      made++;
      throw new Error('must not be made');
    };
    const twin = createToken<object>('test.ropes');
    const problems = await problemsOf([
      binding('a', (services) => services.bindFactory(WIND, [SAILS], make)),
      binding('b', (services) => services.bindFactory(SAILS, [WIND], make)),
      binding('c', (services) =>
        services.bindFactory(ROPES, [twin, createToken('test.knots')], make),
      ),
      binding('d', (services) => services.bindClass(createToken('test.undecorated'), Undecorated)),
    ]);
    expect(problems).toEqual([
      '"test.ropes" (bound by c) needs "test.ropes", which no plugin binds (a different token of that name is bound: is its package loaded twice?)',
      '"test.ropes" (bound by c) needs "test.knots", which no plugin binds',
      '"test.undecorated" (bound by d): constructor parameter 2 has no @inject(TOKEN)',
      'cycle: "test.wind" → "test.sails" → "test.wind"'.replaceAll('"', ''),
    ]);
    expect(made).toBe(0);
  });

  test('a service bound twice is an error that names both plugins, unless one says that it replaces the other', async () => {
    const first = binding('first', (services) => services.bindValue(WIND, { speed: 1 }));
    const second = (replace: boolean): EnginePlugin =>
      binding('second', (services) => services.bindValue(WIND, { speed: 2 }, { replace }));
    const error = await failureOf(() =>
      testEngine({ plugins: [first, second(false)] }).engine.initialize(),
    );
    expect(error).toMatchObject({
      plugin: 'second',
      step: 'configure',
      cause: { code: 'engine/duplicate-service' },
    });
    expect(error.message).toContain('first binds it');

    const { engine } = testEngine({ plugins: [first, second(true)] });
    await engine.initialize();
    expect(engine.get(WIND).speed).toBe(2);
    expect(() => engine.services.bindValue(WIND, { speed: 3 }, { replace: true })).toThrow(
      expect.objectContaining({ code: 'engine/duplicate-service' }),
    );
    await engine.shutdown();
  });

  test('what is missing at run time is a coded error, or undefined where it is optional', async () => {
    const { engine } = testEngine();
    await engine.initialize();
    expect(() => engine.get(WIND)).toThrow(
      expect.objectContaining({
        code: 'engine/missing-service',
        subjects: { service: 'test.wind' },
      }),
    );
    expect(engine.services.find(WIND)).toBeUndefined();
    expect(() => engine.services.create(Ship)).toThrow(
      expect.objectContaining({ code: 'engine/missing-service' }),
    );
    await engine.shutdown();
  });

  test('a factory that throws is named with its plugin, and is asked again the next time', async () => {
    let fail = true;
    const { engine } = testEngine({
      plugins: [
        binding('test.wind', (services) =>
          services.bindFactory(WIND, [], () => {
            if (fail) throw new Error('calm');
            return { speed: 1 };
          }),
        ),
      ],
    });
    await engine.initialize();
    expect(() => engine.get(WIND)).toThrow(
      expect.objectContaining({
        code: 'engine/service-failed',
        subjects: { service: 'test.wind', owner: 'test.wind' },
        cause: expect.objectContaining({ message: 'calm' }),
      }),
    );
    fail = false;
    expect(engine.get(WIND).speed).toBe(1);
    await engine.shutdown();
  });

  test('services that ask for each other while they are made are a coded error with the path', async () => {
    const SAIL = createToken<{ wind: unknown }>('test.sail');
    const { engine } = testEngine({
      plugins: [
        binding('test.boat', (services) => {
          services.bindFactory(SAIL, [], () => ({ wind: services.get(WIND) }));
          services.bindFactory(WIND, [], () => ({ speed: services.get(SAIL) ? 1 : 0 }));
        }),
      ],
    });
    await engine.initialize();
    const error = thrownBy(() => engine.get(SAIL));
    expect(error.code).toBe('engine/service-failed');
    expect(error.message).toContain('Services need each other: test.sail → test.wind → test.sail');
    await engine.shutdown();
  });

  test('services are disposed of at the very end, once, the latest made first, also when one fails', async () => {
    const calls: string[] = [];
    const disposable = (id: string, token: typeof WIND, fail = false): EnginePlugin => ({
      id,
      configure: (services) =>
        services.bindFactory(token, [], () => ({ speed: 0 }), {
          dispose: () => {
            calls.push(`dispose ${id}`);
            if (fail) throw new Error('boom');
          },
        }),
      dispose: () => void calls.push(`plugin ${id}`),
    });
    const tokens = ['a', 'b', 'c'].map((name) => createToken<Wind>(name));
    const [a, b, c] = tokens as [typeof WIND, typeof WIND, typeof WIND];
    const { engine } = testEngine({
      plugins: [disposable('a', a), disposable('b', b, true), disposable('c', c)],
    });
    await engine.initialize();
    engine.get(b);
    engine.get(a);
    await failureOf(() => engine.shutdown());
    expect(calls).toEqual(['plugin c', 'plugin b', 'plugin a', 'dispose a', 'dispose b']);
  });

  test('a service that hangs when it is disposed of is timed out and named; the others are disposed of', async () => {
    const calls: string[] = [];
    const { engine, clock } = testEngine({
      plugins: [
        binding('first', (services) =>
          services.bindValue(WIND, { speed: 1 }, { dispose: () => void calls.push('wind') }),
        ),
        binding('hangs', (services) =>
          services.bindValue(ROPES, {}, { dispose: () => new Promise(() => {}) }),
        ),
      ],
    });
    await engine.initialize();
    const failure = failureOf(() => engine.shutdown());
    await settle();
    clock.advance(5_000_000_000);
    expect(await failure).toMatchObject({
      errors: [{ plugin: 'hangs', step: 'test.ropes', cause: { code: 'engine/timeout' } }],
    });
    expect(calls).toEqual(['wind']);
  });

  test('while plugins are configured only values can be asked for', async () => {
    const made: string[] = [];
    const { engine } = testEngine({
      plugins: [
        binding('test.wind', (services) => {
          services.bindValue(ROPES, {}, { dispose: () => void made.push('ropes released') });
          services.bindFactory(WIND, [], () => ({ speed: made.push('wind') }));
        }),
        binding('test.hasty', (services) => {
          made.push(services.get(CLOCK) && 'clock', services.get(ROPES) && 'ropes');
          services.get(WIND);
        }),
      ],
    });
    expect(await failureOf(() => engine.initialize())).toMatchObject({
      plugin: 'test.hasty',
      step: 'configure',
      cause: { code: 'engine/too-early', subjects: { service: 'test.wind' } },
    });
    expect(made.slice(2)).toEqual(['ropes released']);
  });

  test('nothing reaches the process-wide container, and nothing of it reaches an engine (56)', async () => {
    container.register(WIND, { useValue: { speed: 99 } });
    try {
      const { engine } = testEngine();
      await engine.initialize();
      expect(engine.services.has(WIND)).toBe(false);
      expect(() => engine.get(WIND)).toThrow(
        expect.objectContaining({ code: 'engine/missing-service' }),
      );
      expect(() => engine.services.create(ProcessWide)).toThrow(
        expect.objectContaining({ code: 'engine/process-wide-class' }),
      );
      engine.services.bindValue(SAILS, { wind: { speed: 1 } });
      expect(container.isRegistered(SAILS)).toBe(false);
      await engine.shutdown();
    } finally {
      container.clearInstances();
      container.reset();
    }
  });
});
