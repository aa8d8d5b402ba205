import { configureSync, resetSync, type LogRecord } from '@logtape/logtape';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EventLog } from '../src/index.js';

let records: LogRecord[];

beforeEach(() => {
  records = [];
  configureSync({
    reset: true,
    sinks: { memory: (record) => records.push(record) },
    loggers: [
      { category: ['ecliptic'], sinks: ['memory'], lowestLevel: 'debug' },
      { category: ['logtape', 'meta'], sinks: [], lowestLevel: 'fatal' },
    ],
  });
});
afterEach(() => resetSync());

const brief = (): unknown[] => records.map(({ level, properties }) => [level, properties]);

describe('records', () => {
  test('are subsystem, event and properties, of the category of the subsystem', () => {
    const log = new EventLog('ecs');
    log.debug('a');
    log.info('b', { count: 3 });
    log.warn('c', { event: 'can not be overwritten', subsystem: 'nor this' });
    log.error('d', { cause: new Error('x') });
    expect(brief()).toEqual([
      ['debug', { subsystem: 'ecs', event: 'a' }],
      ['info', { subsystem: 'ecs', event: 'b', count: 3 }],
      ['warning', { subsystem: 'ecs', event: 'c' }],
      ['error', { subsystem: 'ecs', event: 'd', cause: new Error('x') }],
    ]);
    expect(records[0]?.category).toEqual(['ecliptic', 'ecs']);
  });

  test('say all of it in their message, which is what sinks for people print', () => {
    const log = new EventLog('ecs');
    log.warn('full', { capacity: 3, asset: 'rock {1}.png' });
    log.warnOnce('stale', 17);
    expect(records.map(({ message }) => message)).toEqual([
      ['ecs/full capacity=', 3, ' asset=', 'rock {1}.png', ''],
      ['ecs/stale subject=', 17, ''],
    ]);
  });

  test('are silent and harmless where the application configures no logging', () => {
    resetSync();
    const log = new EventLog('ecs');
    log.error('nobody_listens');
    expect(log.warnOnce('stale', 1)).toBe(true);
    expect(log.warnOnce('stale', 1)).toBe(false);
    log.flush();
    expect(records).toEqual([]);
  });
});

describe('a warning that repeats', () => {
  test('is printed once for each event and subject; flush says how many were held back, then it prints again', () => {
    const log = new EventLog('ecs');
    expect([1, 1, 2, 1].map((entity) => log.warnOnce('stale', entity, { row: 7 }))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(log.warnOnce('other', 1)).toBe(true);
    expect(brief().slice(0, 2)).toEqual([
      ['warning', { subsystem: 'ecs', event: 'stale', subject: 1, row: 7 }],
      ['warning', { subsystem: 'ecs', event: 'stale', subject: 2, row: 7 }],
    ]);
    records = [];
    log.flush();
    expect(brief()).toEqual([
      [
        'warning',
        {
          subsystem: 'ecs',
          event: 'warnings_suppressed',
          suppressedEvent: 'stale',
          subject: 1,
          count: 2,
        },
      ],
    ]);
    log.flush();
    expect(records).toHaveLength(1);
    expect(log.warnOnce('stale', 1)).toBe(true);
  });

  test('tells subjects of different types apart', () => {
    const log = new EventLog('ecs');
    const subjects = [1, '1', 1n, true, 'true', null, 'null', undefined, 'undefined', Symbol('1')];
    expect(subjects.map((subject) => log.warnOnce('odd', subject))).toEqual(
      subjects.map(() => true),
    );
    expect(log.warnOnce('odd', 1)).toBe(false);
  });

  test('of more than 1,024 subjects is announced once and counted together', () => {
    const log = new EventLog('ecs');
    for (let entity = 0; entity < 2_000; entity++) log.warnOnce('stale', entity);
    log.warnOnce('stale', 1_999);
    log.warnOnce('stale', 3);
    expect(records).toHaveLength(1_025);
    expect(records.at(-1)?.properties).toMatchObject({ event: 'warning_subjects_exhausted' });
    records = [];
    log.flush();
    expect(brief()).toEqual([
      [
        'warning',
        {
          subsystem: 'ecs',
          event: 'warnings_suppressed',
          suppressedEvent: 'stale',
          subject: 3,
          count: 1,
        },
      ],
      [
        'warning',
        { subsystem: 'ecs', event: 'warnings_suppressed', suppressedEvent: '*', count: 977 },
      ],
    ]);
    log.flush();
    expect(records).toHaveLength(2);
  });

  test('of one log is not held back by another', () => {
    expect(new EventLog('ecs').warnOnce('stale', 1)).toBe(true);
    expect(new EventLog('ecs').warnOnce('stale', 1)).toBe(true);
  });

  test('is neither lost nor counted twice: printed and suppressed add up to the calls', () => {
    const call = fc.record({
      event: fc.constantFrom('a', 'b', 'c'),
      subject: fc.integer({ min: 0, max: 3 }),
    });
    const step = fc.oneof(
      { weight: 9, arbitrary: call },
      { weight: 1, arbitrary: fc.constant('flush' as const) },
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        records = [];
        const log = new EventLog('ecs');
        let printed = 0;
        for (const current of steps) {
          if (current === 'flush') log.flush();
          else if (log.warnOnce(current.event, current.subject)) printed++;
        }
        log.flush();
        const summaries = records.filter(
          ({ properties }) => properties['event'] === 'warnings_suppressed',
        );
        expect(records.length - summaries.length).toBe(printed);
        const suppressed = summaries.reduce(
          (sum, { properties }) => sum + Number(properties['count']),
          0,
        );
        expect(printed + suppressed).toBe(steps.filter((current) => current !== 'flush').length);
      }),
    );
  });
});
