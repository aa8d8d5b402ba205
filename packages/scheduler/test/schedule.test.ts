import type { EclipticError } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSchedule, type SchedulableSystem, type Schedule } from '../src/schedule/schedule.js';
import { ifPresent, readersOf, writersOf } from '../src/index.js';

const PHASES = ['first', 'second', 'third'];

function system(
  name: string,
  part: Partial<SchedulableSystem> & { reads?: string[]; writes?: string[] } = {},
): SchedulableSystem {
  const { reads = [], writes = [], ...rest } = part;
  return {
    name,
    phase: 'first',
    order: 0,
    updateKind: 'tick',
    access: { reads: new Set(reads), writes: new Set(writes) },
    before: [],
    after: [],
    ...rest,
  };
}

function build(
  systems: SchedulableSystem[],
  orderBefore: [string, string][] = [],
  anyOrder: [string, string][] = [],
): Schedule {
  const index = (name: string): number => systems.findIndex((each) => each.name === name);
  const pairs = (list: [string, string][]) => list.map(([a, b]) => [index(a), index(b)] as const);
  return buildSchedule({
    systems,
    phases: PHASES,
    orderBefore: pairs(orderBefore),
    anyOrder: pairs(anyOrder),
  });
}

function names(systems: SchedulableSystem[], schedule: Schedule, kind: 'tick' | 'frame' = 'tick') {
  return schedule[kind].map((wave) => wave.systems.map((index) => systems[index]?.name));
}

function errorOf(act: () => unknown): EclipticError | undefined {
  try {
    act();
  } catch (error) {
    return error as EclipticError;
  }
  return undefined;
}

describe('Waves (31)', () => {
  it('disjoint systems share a wave', () => {
    const systems = [
      system('a', { writes: ['x'] }),
      system('b', { writes: ['y'] }),
      system('c', { reads: ['z'] }),
    ];
    expect(names(systems, build(systems))).toEqual([['a', 'b', 'c']]);
  });

  it('two readers share a wave', () => {
    const systems = [system('a', { reads: ['x'] }), system('b', { reads: ['x'] })];
    expect(names(systems, build(systems))).toEqual([['a', 'b']]);
  });

  it('writer and reader with an order make two', () => {
    const systems = [system('reader', { reads: ['x'] }), system('writer', { writes: ['x'] })];
    expect(names(systems, build(systems, [['writer', 'reader']]))).toEqual([
      ['writer'],
      ['reader'],
    ]);
  });

  it('a chain of n makes n', () => {
    const systems = Array.from({ length: 20 }, (_, i) =>
      system(`s${i}`, i === 0 ? {} : { after: [`s${i - 1}`] }),
    );
    expect(build(systems.toReversed()).tick).toHaveLength(20);
  });

  it('A→B→C also orders A and C', () => {
    const systems = [system('a', { writes: ['x'] }), system('b'), system('c', { writes: ['x'] })];
    const schedule = build(systems, [
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(schedule.unordered).toEqual([]);
    expect(names(systems, schedule)).toEqual([['a'], ['b'], ['c']]);
  });

  it('phases order their systems and share no wave', () => {
    const systems = [
      system('late', { phase: 'third', writes: ['x'] }),
      system('early', { writes: ['x'] }),
      system('other', { phase: 'second' }),
    ];
    const schedule = build(systems);
    expect(schedule.unordered).toEqual([]);
    expect(names(systems, schedule)).toEqual([['early'], ['other'], ['late']]);
  });

  it('an order on a component concerns those that read or write it, except the system itself', () => {
    const systems = [
      system('reader', { reads: ['x'] }),
      system('other'),
      system('writer', { writes: ['x'], before: [readersOf('x')] }),
      system('starter', { before: [writersOf('x')] }),
      system('updater', {
        reads: ['x'],
        writes: ['x'],
        before: [readersOf('x')],
        after: [writersOf('x')],
      }),
      system('earlier reader', { phase: 'first', reads: ['x'], updateKind: 'frame' }),
    ];
    expect(names(systems, build(systems))).toEqual([
      ['other', 'starter'],
      ['writer'],
      ['updater'],
      ['reader'],
    ]);
  });

  it('fixed steps and frames have their own waves', () => {
    const systems = [
      system('tick', { writes: ['x'] }),
      system('frame', { writes: ['x'], updateKind: 'frame' }),
      system('both', { updateKind: 'both' }),
    ];
    const schedule = build(systems);
    expect(schedule.unordered).toEqual([]);
    expect(names(systems, schedule)).toEqual([['tick', 'both']]);
    expect(names(systems, schedule, 'frame')).toEqual([['frame', 'both']]);
  });
});

describe('`order` only breaks ties (35)', () => {
  it('in a wave lower numbers come first, then registration', () => {
    const systems = [
      system('a', { order: 5 }),
      system('b'),
      system('c', { order: -1 }),
      system('d'),
    ];
    expect(names(systems, build(systems))).toEqual([['c', 'b', 'd', 'a']]);
  });

  it('does not order a conflict, but decides how an accepted one is run', () => {
    const systems = [system('a', { order: 1, writes: ['x'] }), system('b', { writes: ['x'] })];
    expect(build(systems).unordered).toEqual([{ first: 0, second: 1, targets: ['x'] }]);
    const accepted = build(systems, [], [['a', 'b']]);
    expect(accepted.unordered).toEqual([]);
    expect(names(systems, accepted)).toEqual([['b'], ['a']]);
  });

  it('never outweighs a declared order', () => {
    const systems = [system('a', { order: 9, before: ['b'] }), system('b', { order: -9 })];
    expect(names(systems, build(systems))).toEqual([['a'], ['b']]);
  });
});

describe('Cycles (33)', () => {
  it('a cycle prints its path, the same each time', () => {
    const systems = [
      system('a', { before: ['b'] }),
      system('b'),
      system('c', { after: ['b'] }),
      system('unrelated'),
    ];
    const message = () => errorOf(() => build(systems, [['c', 'a']]))?.message;
    expect(message()).toMatchInlineSnapshot(`
      "Systems wait for each other: a → b → c → a
        "a" before "b", by the "before" of the first
        "b" before "c", by the "after" of the second
        "c" before "a", by orderBefore
      Remove one of these orders."
    `);
    expect(message()).toBe(message());
  });

  it('names a shortest cycle through the first system that is on one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.nat(), (length, extra) => {
        const systems = Array.from({ length: length + 3 }, (_, i) => system(`s${i}`));
        const ring = Array.from({ length }, (_, i): [string, string] => [
          `s${i}`,
          `s${(i + 1) % length}`,
        ]);
        const tail: [string, string] = [`s${extra % length}`, `s${length}`];
        const error = errorOf(() => build(systems, [...ring, tail]));
        expect(error?.code).toBe('scheduler/order-cycle');
        expect(error?.subjects['cycle']).toEqual(ring.map(([name]) => name));
      }),
    );
  });

  it('an order against the phases, or between a step and a frame, is an error', () => {
    const systems = [
      system('late', { phase: 'third' }),
      system('early'),
      system('frame', { updateKind: 'frame' }),
    ];
    expect(errorOf(() => build(systems, [['late', 'early']]))?.code).toBe(
      'scheduler/order-against-phase',
    );
    expect(errorOf(() => build(systems, [['early', 'frame']]))?.code).toBe(
      'scheduler/order-across-kinds',
    );
  });

  it('an unknown name is an error, an unknown optional name is not', () => {
    expect(errorOf(() => build([system('a', { after: ['nobody'] })]))?.code).toBe(
      'scheduler/unknown-system',
    );
    const systems = [system('a', { after: [ifPresent('nobody'), ifPresent('b')] }), system('b')];
    expect(names(systems, build(systems))).toEqual([['b'], ['a']]);
  });
});

describe('Any schedule', () => {
  const names8 = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const arbitrary = fc.record({
    systems: fc.array(
      fc.record({
        phase: fc.constantFrom(...PHASES),
        order: fc.integer({ min: -2, max: 2 }),
        reads: fc.subarray(['x', 'y', 'z']),
        writes: fc.subarray(['x', 'y', 'z']),
        updateKind: fc.constantFrom('tick', 'frame', 'both'),
      }),
      { maxLength: 8 },
    ),
    // Always from a lower to a higher number, so there is no cycle.
    orders: fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 }))),
  });

  it('keeps declared orders, separates conflicts, runs each system once, and depends on nothing else', () => {
    fc.assert(
      fc.property(arbitrary, ({ systems: parts, orders }) => {
        const systems = parts.map((part, i) => system(names8[i] ?? '', part as object));
        const legal = orders.filter(([a, b]) => {
          const [first, second] = [systems[a], systems[b]];
          if (a >= b || first === undefined || second === undefined) return false;
          const kinds = new Set([first.updateKind, second.updateKind]);
          return (
            PHASES.indexOf(first.phase) <= PHASES.indexOf(second.phase) &&
            !(kinds.has('tick') && kinds.has('frame'))
          );
        });
        const input = { systems, phases: PHASES, orderBefore: legal, anyOrder: [] };
        const schedule = buildSchedule(input);
        for (const kind of ['tick', 'frame'] as const) {
          const wave = new Map<number, number>();
          for (const [i, { systems: members }] of schedule[kind].entries()) {
            for (const member of members) wave.set(member, i);
          }
          const running = [...systems.keys()].filter((i) =>
            ['both', kind].includes(systems[i]?.updateKind ?? ''),
          );
          expect([...wave.keys()].toSorted((a, b) => a - b)).toEqual(running);
          expect(schedule[kind].flatMap((each) => each.systems)).toHaveLength(running.length);
          const broken = legal.filter(
            ([a, b]) => wave.has(a) && wave.has(b) && (wave.get(a) ?? 0) >= (wave.get(b) ?? 0),
          );
          expect(broken).toEqual([]);
          const together = running.flatMap((a) =>
            running
              .filter((b) => a !== b && wave.get(a) === wave.get(b))
              .map((b) => [systems[a], systems[b]] as const),
          );
          const wrong = together.filter(
            ([one, other]) =>
              one?.phase !== other?.phase ||
              [...(one?.access.writes ?? [])].some(
                (target) => other?.access.writes.has(target) || other?.access.reads.has(target),
              ),
          );
          expect(wrong).toEqual([]);
        }
        expect(buildSchedule(input)).toEqual(schedule);
      }),
      { numRuns: 300 },
    );
  });
});
