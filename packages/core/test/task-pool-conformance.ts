import { configureSync, resetSync, type LogRecord } from '@logtape/logtape';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EclipticError, EventLog, ManualClock } from '../src/index.js';
import { createTaskPool, transfer, type TaskPool, type TaskPoolOptions } from '../src/pool.js';

/** The worker modules of `fixtures/pool`, as a platform takes them. */
export interface PoolFixtures {
  readonly tasks: TaskPoolOptions['worker'];
  readonly broken: TaskPoolOptions['worker'];
  readonly silent: TaskPoolOptions['worker'];
  readonly missing: TaskPoolOptions['worker'];
}

/** What a task's promise rejected with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it resolved');
}

async function failure(promise: Promise<unknown>): Promise<EclipticError> {
  const error = await rejection(promise);
  if (error instanceof EclipticError) return error;
  throw error;
}

/** Starts a task that never ends; resolves once it really runs. */
async function running(
  pool: TaskPool,
  task: string,
  signal?: AbortSignal,
): Promise<{ ended: Promise<unknown> }> {
  let started: (value: unknown) => void;
  const begun = new Promise((resolve) => (started = resolve));
  const options = { onProgress: (value: unknown) => started(value), ...(signal && { signal }) };
  const ended = rejection(pool.run(task, undefined, options));
  await begun;
  return { ended };
}

/** The behaviour that every platform's pool must have. */
export function describeTaskPool(platform: string, fixtures: PoolFixtures): void {
  describe(`a task pool on ${platform}`, () => {
    let pools: TaskPool[];
    /** Of one worker, which no test stops: starting one is dear. */
    let shared: TaskPool;

    beforeAll(() => {
      shared = createTaskPool({ name: 'test', worker: fixtures.tasks, size: 1 });
    });
    afterAll(() => shared.close());
    beforeEach(() => {
      pools = [];
    });
    afterEach(async () => {
      resetSync();
      await Promise.all(pools.map((pool) => pool.close()));
    });

    const makePool = (options: Partial<TaskPoolOptions> = {}): TaskPool => {
      const pool = createTaskPool({ name: 'test', worker: fixtures.tasks, size: 1, ...options });
      pools.push(pool);
      return pool;
    };

    test('runs tasks by name and gives their results', async () => {
      const pool = makePool({ size: 2 });
      const sums = Array.from({ length: 20 }, (_, n) =>
        pool.run<number>('add', { left: n, right: 1 }),
      );
      expect(await Promise.all(sums)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      expect(await pool.run('echo', new Map([['a', [1n, undefined, new Date(0)]]]))).toEqual(
        new Map([['a', [1n, undefined, new Date(0)]]]),
      );
      expect(pool.stats()).toMatchObject({ running: 0, completed: 21, failed: 0, replaced: 0 });
    });

    test('starts workers when they are needed, at most as many as its size, and keeps them', async () => {
      const pool = makePool({ size: 2 });
      expect(pool.stats().workers).toBe(0);
      const first = pool.run('count', undefined);
      expect(pool.stats()).toMatchObject({ workers: 1, running: 1 });
      expect(await first).toBe(1);
      expect(await pool.run('count', undefined)).toBe(2);
      const burst = Array.from({ length: 5 }, () => pool.run('count', undefined));
      expect(pool.stats()).toMatchObject({
        workers: 2,
        running: 2,
        queued: { immediate: 0, normal: 3, background: 0 },
      });
      await Promise.all(burst);
      expect(pool.stats().workers).toBe(2);
    });

    test('runs the more urgent first, and in order of submission within a priority', async () => {
      const order: string[] = [];
      const submit = async (
        name: string,
        priority?: 'background' | 'normal' | 'immediate',
      ): Promise<void> => {
        await shared.run('echo', name, priority && { priority });
        order.push(name);
      };
      await Promise.all([
        submit('first', 'background'),
        submit('background 1', 'background'),
        submit('normal 1'),
        submit('immediate 1', 'immediate'),
        submit('background 2', 'background'),
        submit('normal 2', 'normal'),
        submit('immediate 2', 'immediate'),
      ]);
      expect(order).toEqual([
        'first',
        'immediate 1',
        'immediate 2',
        'normal 1',
        'normal 2',
        'background 1',
        'background 2',
      ]);
    });

    test('starts all workers at once where it is asked to', async () => {
      const pool = makePool({ size: 2, eager: true });
      expect(pool.stats()).toMatchObject({ workers: 2, running: 0 });
      expect(await pool.run('count', undefined)).toBe(1);
      expect(pool.stats().workers).toBe(2);
    });

    test('an eager worker that does not start fails the task that meets it, and others', async () => {
      const pool = makePool({ worker: fixtures.broken, eager: true });
      for (let i = 0; i < 2; i++) {
        expect((await failure(pool.run('echo', 1))).code).toBe('core/pool-worker-start');
      }
    });

    test('moves what is listed to the worker and back', async () => {
      const numbers = new Float32Array([1, 2, 3]);
      const result = shared.run<{ doubled: Float32Array }>('double', numbers, {
        transfer: [numbers.buffer],
      });
      expect((await result).doubled).toEqual(new Float32Array([2, 4, 6]));
      expect(numbers.byteLength).toBe(0);
    });

    test('shares shared memory', async () => {
      const numbers = new Int32Array(new SharedArrayBuffer(4));
      await shared.run('storeShared', numbers);
      expect(numbers[0]).toBe(42);
    });

    test('hands on reports of progress, in order, all before the result', async () => {
      const seen: unknown[] = [];
      const result = await shared.run('steps', 50, { onProgress: (value) => seen.push(value) });
      expect(result).toBe('done');
      expect(seen).toEqual(Array.from({ length: 50 }, (_, step) => (step + 1) / 50));
    });

    test('does not need anyone to listen to progress', async () => {
      expect(await shared.run('steps', 3)).toBe('done');
    });

    test('rejects with what a listener to progress throws', async () => {
      const calls = await shared.run<number>('count', undefined);
      const broken = new Error('listener');
      const seen: unknown[] = [];
      const onProgress = (value: unknown): void => {
        seen.push(value);
        throw broken;
      };
      expect(await rejection(shared.run('steps', 2, { onProgress }))).toBe(broken);
      expect(seen).toEqual([0.5]);
      expect(await shared.run('count', undefined)).toBe(calls + 1);
    });

    test('a report that comes after its task is over reaches nobody, least of all the next task', async () => {
      const flag = new Int32Array(new SharedArrayBuffer(4));
      const first: unknown[] = [];
      const next: unknown[] = [];
      await shared.run('reportLate', flag, { onProgress: (value) => first.push(value) });
      await shared.run('awaitFlag', flag, { onProgress: (value) => next.push(value) });
      expect([first, next]).toEqual([['in time'], ['seen']]);
    });

    describe('a task that fails', () => {
      test('rejects with its error as the cause, and its worker goes on', async () => {
        const pool = makePool();
        await pool.run('count', undefined);
        const error = await failure(pool.run('fail', 'no such file'));
        expect(error.code).toBe('core/pool-task-failed');
        expect(error.subjects).toEqual({ pool: 'test', task: 'fail' });
        expect(error.message).toContain('no such file');
        const cause = error.cause as Error;
        expect(cause).toMatchObject({ name: 'RangeError', message: 'no such file' });
        expect(cause.stack).toContain('tasks.worker');
        expect(cause.cause).toMatchObject({ message: 'deeper' });
        expect(await pool.run('count', undefined)).toBe(2);
        expect(pool.stats()).toMatchObject({ completed: 2, failed: 1, replaced: 0 });
      });

      test('keeps code, subjects and fix of an EclipticError', async () => {
        const error = await failure(shared.run('failWithCode', undefined));
        const cause = error.cause as EclipticError;
        expect(cause).toBeInstanceOf(EclipticError);
        expect(cause).toMatchObject({ code: 'assets/import', fix: 'Export it again.' });
        expect(cause.message).toBe('Bad file. Export it again.');
        expect(cause.subjects).toMatchObject({ asset: 'rock.gltf', lines: [1, 2] });
        expect(String(cause.subjects['importer'])).toContain('=>');
      });

      test('may throw anything', async () => {
        const error = await failure(shared.run('failOddly', undefined));
        expect(error.code).toBe('core/pool-task-failed');
        expect((error.cause as Error).message).toContain('[object Object]');
        const unreadable = await failure(shared.run('failUnreadably', undefined));
        expect(unreadable.code).toBe('core/pool-task-failed');
      });

      test('by a report of progress that is not cloneable', async () => {
        const error = await failure(shared.run('badProgress', undefined, { onProgress: () => {} }));
        expect(error).toMatchObject({
          code: 'core/pool-task-failed',
          cause: { name: 'DataCloneError' },
        });
      });
    });

    test('names a task that no worker serves, and those that one does', async () => {
      for (const task of ['nonsense', 'toString', '__proto__']) {
        const error = await failure(shared.run(task, undefined, { onProgress: () => {} }));
        expect(error.code).toBe('core/pool-task-unknown');
        expect(error.message).toContain(`"${task}"`);
        expect(error.message).toContain('"echo", "add"');
      }
    });

    test('says which input could not be sent; the worker goes on', async () => {
      const calls = await shared.run<number>('count', undefined);
      const buffer = new ArrayBuffer(8);
      const inputs = [
        shared.run('echo', () => {}),
        shared.run('echo', 1, { transfer: [{}] }),
        shared.run('echo', buffer, { transfer: [buffer, buffer] }),
      ];
      for (const input of inputs) {
        const error = await failure(input);
        expect(error.code).toBe('core/pool-input-not-cloneable');
        expect(error.cause).toBeDefined();
      }
      expect(await shared.run('count', undefined)).toBe(calls + 1);
    });

    test('says which result could not be sent; the next task runs', async () => {
      const error = await failure(shared.run('unsendable', undefined));
      expect(error).toMatchObject({
        code: 'core/pool-output-not-cloneable',
        cause: { name: 'DataCloneError' },
      });
      expect(await shared.run('echo', 1)).toBe(1);
    });

    describe('a worker that dies', () => {
      test('fails only the task that it ran, with the cause, and is replaced', async () => {
        const pool = makePool({ size: 2 });
        const tasks = ['echo', 'crash', 'echo', 'echo'].map((task, n) => pool.run(task, n));
        const settled = await Promise.allSettled(tasks);
        expect(settled.map(({ status }) => status)).toEqual([
          'fulfilled',
          'rejected',
          'fulfilled',
          'fulfilled',
        ]);
        const error = await failure(tasks[1] as Promise<unknown>);
        expect(error.code).toBe('core/pool-worker-died');
        expect(error.subjects).toMatchObject({ task: 'crash' });
        expect((error.cause as Error).message).toContain('crashed');
        expect(pool.stats()).toMatchObject({ completed: 3, failed: 1, replaced: 1 });
      });

      test('says why it did also when it had done other tasks before', async () => {
        const pool = makePool();
        await Promise.all([1, 2, 3].map((n) => pool.run('echo', n)));
        const error = await failure(pool.run('crash', undefined));
        expect(error.code).toBe('core/pool-worker-died');
        expect((error.cause as Error).message).toContain('crashed');
      });

      test('while idle fails nothing; it is reported and replaced', async () => {
        const record = new Promise<LogRecord>((resolve) => {
          configureSync({
            reset: true,
            sinks: { first: resolve },
            loggers: [
              { category: 'ecliptic', sinks: ['first'] },
              { category: ['logtape', 'meta'], lowestLevel: 'fatal' },
            ],
          });
        });
        const pool = makePool({ log: new EventLog('core') });
        await pool.run('crashLater', undefined);
        expect((await record).properties).toMatchObject({ event: 'worker_replaced', pool: 'test' });
        expect(pool.stats()).toMatchObject({ workers: 0, completed: 1, failed: 0, replaced: 1 });
        expect(await pool.run('count', undefined)).toBe(1);
      });
    });

    describe('a worker that does not start', () => {
      test('because its module throws fails its task with the cause; each further task tries again', async () => {
        const pool = makePool({ worker: fixtures.broken });
        for (let attempt = 1; attempt <= 2; attempt++) {
          const error = await failure(pool.run('echo', attempt));
          expect(error.code).toBe('core/pool-worker-start');
          expect((error.cause as Error).message).toContain('broken on import');
          expect(pool.stats()).toMatchObject({ workers: 0, failed: attempt, replaced: attempt });
        }
      });

      test('because its module is missing is a coded error', async () => {
        const pool = makePool({ worker: fixtures.missing, size: 2 });
        const errors = await Promise.all([1, 2, 3].map((n) => failure(pool.run('echo', n))));
        expect(errors.map(({ code }) => code)).toEqual(
          Array.from({ length: 3 }, () => 'core/pool-worker-start'),
        );
        expect(errors[0]?.cause).toBeInstanceOf(Error);
      });

      test('because its module serves nothing is a coded error', async () => {
        const clock = new ManualClock();
        const pool = makePool({ worker: fixtures.silent, clock, startTimeout: 5_000 });
        const failing = failure(pool.run('echo', 1));
        clock.advance(5_000);
        expect((await failing).code).toBe('core/pool-worker-start');
      });
    });

    describe('a task that hangs', () => {
      test('past its time-out is named; its worker is replaced and the queue goes on', async () => {
        const clock = new ManualClock();
        const pool = makePool({ clock, timeout: 1_000 });
        const { ended } = await running(pool, 'hang');
        const next = pool.run('echo', 'next');
        clock.advance(999);
        expect(pool.stats().running).toBe(1);
        clock.advance(1);
        const error = (await ended) as EclipticError;
        expect(error.code).toBe('core/pool-task-timeout');
        expect(error.message).toContain('"hang"');
        expect(error.subjects).toEqual({ pool: 'test', task: 'hang', timeout: 1_000 });
        expect(await next).toBe('next');
        expect(pool.stats()).toMatchObject({ timedOut: 1, failed: 0, replaced: 1, completed: 1 });
      });

      test('may have a time-out of its own', async () => {
        const clock = new ManualClock();
        const pool = makePool({ clock });
        const begun = running(pool, 'wait');
        await begun;
        clock.advance(29_999_999_999);
        expect(pool.stats().timedOut).toBe(0);
        clock.advance(1);
        expect(await (await begun).ended).toMatchObject({ code: 'core/pool-task-timeout' });
        const own = failure(
          pool.run('wait', undefined, { timeout: 5, onProgress: () => clock.advance(5) }),
        );
        expect(await own).toMatchObject({ code: 'core/pool-task-timeout' });
      });

      test('leaves no timer behind when it does end', async () => {
        const clock = new ManualClock();
        await makePool({ clock }).run('echo', 1);
        expect(clock.pending).toBe(0);
      });
    });

    describe('cancelling', () => {
      test('takes a waiting task from the queue, which is never run', async () => {
        const pool = makePool();
        const abort = new AbortController();
        const reason = new Error('not needed');
        const first = pool.run('count', undefined);
        const waiting = rejection(pool.run('count', undefined, { signal: abort.signal }));
        const last = pool.run('count', undefined);
        abort.abort(reason);
        expect(await waiting).toBe(reason);
        expect([await first, await last]).toEqual([1, 2]);
        expect(pool.stats()).toMatchObject({ cancelled: 1, completed: 2, replaced: 0 });
      });

      test.each(['hang', 'wait'])(
        'stops a task that is running (%s) by replacing its worker',
        async (task) => {
          const pool = makePool();
          const abort = new AbortController();
          const { ended } = await running(pool, task, abort.signal);
          abort.abort();
          expect(await ended).toBe(abort.signal.reason);
          expect(await pool.run('count', undefined)).toBe(1);
          expect(pool.stats()).toMatchObject({ cancelled: 1, replaced: 1 });
        },
      );

      test('while the worker starts, or before, or after the end, is well too', async () => {
        const pool = makePool();
        const abort = new AbortController();
        const starting = rejection(pool.run('count', undefined, { signal: abort.signal }));
        abort.abort();
        expect(await starting).toBe(abort.signal.reason);
        expect(await rejection(pool.run('count', undefined, { signal: abort.signal }))).toBe(
          abort.signal.reason,
        );
        const late = new AbortController();
        expect(await pool.run('count', undefined, { signal: late.signal })).toBe(1);
        late.abort();
        expect(await pool.run('count', undefined)).toBe(2);
        expect(pool.stats()).toMatchObject({ cancelled: 1, completed: 2 });
      });
    });

    describe('closing', () => {
      test('rejects what waits and what runs, and what comes after', async () => {
        const pool = makePool();
        const { ended } = await running(pool, 'hang');
        const waiting = failure(pool.run('echo', 1));
        await pool.close();
        for (const error of [await ended, await waiting, await failure(pool.run('echo', 2))]) {
          expect(error).toMatchObject({ code: 'core/pool-closed' });
        }
        expect(pool.stats()).toMatchObject({ workers: 0, running: 0, cancelled: 2, replaced: 0 });
      });

      test('with drain lets everything finish', async () => {
        const pool = makePool();
        const results = [1, 2, 3].map((n) => pool.run('echo', n));
        const closed = pool.close({ drain: true });
        expect(await failure(pool.run('echo', 4))).toMatchObject({ code: 'core/pool-closed' });
        expect(await Promise.all(results)).toEqual([1, 2, 3]);
        await closed;
        expect(pool.stats()).toMatchObject({ workers: 0, completed: 3 });
      });

      test('is idempotent; without drain it cuts a draining pool short', async () => {
        const pool = makePool();
        const { ended } = await running(pool, 'hang');
        const draining = pool.close({ drain: true });
        expect(pool.close()).toBe(draining);
        expect(await ended).toMatchObject({ code: 'core/pool-closed' });
        await draining;
        await pool.close();
        await pool[Symbol.asyncDispose]();
      });

      test('a pool that never ran anything ends at once', async () => {
        const pool = makePool();
        await pool.close({ drain: true });
        expect(pool.stats().workers).toBe(0);
      });
    });

    test('settles every task once in any mixture of faults, and its counts add up', async () => {
      const pool = makePool({ size: 2, timeout: Infinity });
      const kinds = [
        'echo',
        'fail',
        'unsendable',
        'nonsense',
        'cancelled',
        'late',
        'crash',
      ] as const;
      const expected = {
        echo: 'ok',
        fail: 'core/pool-task-failed',
        unsendable: 'core/pool-output-not-cloneable',
        nonsense: 'core/pool-task-unknown',
        cancelled: 'AbortError',
        late: 'ok',
        crash: 'core/pool-worker-died',
      };
      let state = 7;
      const mixture = Array.from({ length: 150 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        // A crash is dear: one in thirty.
        const kind = kinds[(state >> 8) % 30 === 0 ? 6 : (state >> 8) % 6];
        return kind ?? 'echo';
      });
      const outcome = async (kind: (typeof kinds)[number], n: number): Promise<string> => {
        const abort = new AbortController();
        const task = kind === 'cancelled' || kind === 'late' ? 'echo' : kind;
        const result = pool.run(task, n, {
          signal: abort.signal,
          priority: (['background', 'normal', 'immediate'] as const)[n % 3] ?? 'normal',
        });
        if (kind === 'cancelled') abort.abort();
        try {
          await result;
          abort.abort();
          return 'ok';
        } catch (error) {
          return error instanceof EclipticError ? error.code : (error as Error).name;
        }
      };
      const outcomes = await Promise.all(mixture.map(outcome));
      expect(outcomes).toEqual(mixture.map((kind) => expected[kind]));
      const { completed, failed, cancelled, timedOut, running, queued } = pool.stats();
      expect(completed + failed + cancelled + timedOut).toBe(mixture.length);
      expect({ running, queued }).toEqual({
        running: 0,
        queued: { immediate: 0, normal: 0, background: 0 },
      });
    });

    test('refuses options that make no sense', async () => {
      const nonsense: Partial<TaskPoolOptions>[] = [
        { size: 0 },
        { size: 1.5 },
        { size: Number.NaN },
        { timeout: 0 },
        { timeout: Number.NaN },
        { startTimeout: -1 },
        { memoryLimit: 0 },
        { memoryLimit: 7 },
        { memoryLimit: Number.NaN },
      ];
      for (const options of nonsense) {
        expect(() => makePool(options)).toThrow(
          expect.objectContaining({ code: 'core/pool-options' }),
        );
      }
      const pool = makePool();
      expect((await failure(pool.run('echo', 1, { timeout: -1 }))).code).toBe('core/pool-options');
      const urgent = { priority: 'urgent' as 'normal' };
      expect((await failure(pool.run('echo', 1, urgent))).code).toBe('core/pool-options');
      const wrapped = transfer(new ArrayBuffer(8), []);
      expect((await failure(pool.run('echo', wrapped))).code).toBe('core/pool-options');
      expect(pool.stats()).toMatchObject({ workers: 0, running: 0 });
    });
  });
}
