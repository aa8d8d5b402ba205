import { Arena, EventLog, type EclipticError } from '@ecliptic/core';
import {
  changed,
  Commands,
  defineComponent,
  f32,
  object,
  query,
  read,
  Scene,
  write,
  type EntityId,
} from '@ecliptic/ecs';
import { once } from 'node:events';
import { threadId, Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  defineSystem,
  WorldTick,
  yieldToEventLoop,
  type System,
  type WorkerOptions,
} from '../src/index.js';
import { JobBoard } from '../src/workers/job-board.js';
import * as systems from './workers/systems.js';

const { Frozen, Mixed, Other, Position, Thread, Trouble, Velocity } = systems;

const create = (): Worker => new Worker(new URL('./workers/systems.worker.ts', import.meta.url));

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

class RecordingLog extends EventLog {
  readonly records: string[] = [];
  override warn(event: string): void {
    this.records.push(`warn ${event}`);
  }
  override error(event: string): void {
    this.records.push(`error ${event}`);
  }
}

async function setUp(list: readonly System[], workers: Partial<WorkerOptions> = {}) {
  const log = new RecordingLog('scheduler');
  const scene = new Scene({ maxEntities: 16_384, arenaBudget: 16 * 1024 * 1024 });
  const worldTick = new WorldTick(scene, {
    log,
    workers: { create, count: 1, offload: 'always', ...workers },
  });
  cleanUps.push(() => worldTick.dispose());
  for (const system of list) worldTick.registerSystem(system);
  worldTick.commit();
  await worldTick.workersReady();
  const commands = new Commands(scene);
  const step = async (): Promise<void> => {
    await worldTick.tick(1 / 60, commands);
    commands.flush();
  };
  return { scene, worldTick, commands, step, log };
}

async function errorOf(act: () => unknown): Promise<EclipticError> {
  try {
    await act();
  } catch (error) {
    return error as EclipticError;
  }
  throw new Error('it did not throw');
}

describe('Systems on workers', () => {
  it('rows of a system are run by this thread and by workers', async () => {
    const { scene, worldTick, step } = await setUp([systems.sign], { count: 2 });
    const entities: EntityId[] = [];
    for (let i = 0; i < 2_000; i++) entities.push(scene.createEntity([Thread, { id: -1 }]));
    await step();
    const ids = new Set(entities.map((entity) => scene.getComponent(entity, Thread)?.id));
    expect(ids.has(-1)).toBe(false);
    expect(ids.size).toBeGreaterThan(1);
    const [metrics] = worldTick.metrics();
    expect(metrics?.workerShare).toBeGreaterThan(0);
    expect(metrics?.workerShare).toBeLessThanOrEqual(1);
  });

  it('and inline come to the same state, also while tables come, grow and shrink', async () => {
    const list = [systems.move, systems.mix, systems.gather];
    const inline = await setUp(list, { offload: 'never' });
    const shared = await setUp(list, { count: 2 });
    const populate = ({ scene }: { scene: Scene }, tick: number): void => {
      for (let i = 0; i < 40; i++) {
        const n = 40 * tick + i;
        const entity = scene.createEntity([Position, { value: [n, -n, n / 3] }]);
        if (n % 2 === 0) scene.addComponent(entity, Velocity, { value: [1, n, 0.5], damping: 0.9 });
        if (n % 3 === 0) scene.addComponent(entity, Mixed, { a: n, b: n, c: n % 256 });
        if (n % 5 === 0) scene.addComponent(entity, Other);
        if (n % 7 === 0) scene.addComponent(entity, Frozen);
      }
      scene.query(systems.move.queries['movers'] as never).entities.forEach((entity, row) => {
        if ((row + tick) % 9 === 0) scene.destroyEntity(entity);
      });
    };
    for (let tick = 0; tick < 60; tick++) {
      populate(inline, tick);
      populate(shared, tick);
      await inline.step();
      await shared.step();
      expect(shared.scene.stateHash()).toBe(inline.scene.stateHash());
    }
    expect(inline.worldTick.metrics()[0]?.workerShare).toBe(0);
  });

  it('commands of workers are applied in order of rows, whichever thread asked (23)', async () => {
    const inline = await setUp([systems.breed], { offload: 'never' });
    const shared = await setUp([systems.breed], { count: 2 });
    for (const { scene } of [inline, shared]) {
      for (let i = 0; i < 300; i++) scene.createEntity(Position, [Other, { value: i }]);
    }
    for (let tick = 0; tick < 20; tick++) {
      await inline.step();
      await shared.step();
      expect(shared.scene.stateHash()).toBe(inline.scene.stateHash());
    }
    expect(inline.scene.entityCount).toBeGreaterThan(400);
  });

  it('systems that are not declared worker-safe run here, beside those that are (40)', async () => {
    const threads: number[] = [];
    const here = defineSystem({
      name: 'here',
      queries: { rows: query(read(Other)) },
      update: () => void threads.push(threadId),
    });
    const { scene, worldTick, step } = await setUp([here, systems.sign]);
    for (let i = 0; i < 200; i++) scene.createEntity(Thread);
    await step();
    expect(threads).toEqual([threadId]);
    expect(worldTick.metrics().map(({ name, runs }) => [name, runs])).toEqual([
      ['here', 1],
      ['sign', 1],
    ]);
    expect(worldTick.metrics()[1]?.workerShare).toBeGreaterThan(0);
  });

  it('where it does not pay, systems run inline by themselves', async () => {
    const { scene, worldTick, step } = await setUp([systems.move], { offload: 'auto' });
    scene.createEntity(Position, Velocity);
    for (let i = 0; i < 30; i++) await step();
    expect(worldTick.metrics()[0]).toMatchObject({ runs: 30, workerShare: 0 });
  });

  it.each([
    ['always', 1],
    ['auto', 0],
  ] as const)(
    'workers that a tick needs are woken before its first system runs (%s)',
    async (offload, times) => {
      const asleep = vi.spyOn(JobBoard.prototype, 'asleep', 'get').mockReturnValue(true);
      const wake = vi.spyOn(JobBoard.prototype, 'wake');
      const seen: number[] = [];
      const first = defineSystem({
        name: 'first',
        phase: 'prePhysics',
        update: () => void seen.push(wake.mock.calls.length),
      });
      const { scene, step } = await setUp([first, systems.sign], { offload });
      scene.createEntity(Thread);
      wake.mockClear();
      await step();
      wake.mockRestore();
      asleep.mockRestore();
      expect(seen).toEqual([times]);
    },
  );

  it('writes of workers are seen by `changed`', async () => {
    const { scene, step } = await setUp([systems.move]);
    const moved = scene.query(changed(Position));
    const entity = scene.createEntity(Position, [Velocity, { value: [60, 0, 0] }]);
    moved.each(() => undefined);
    expect(moved.count()).toBe(0);
    await step();
    expect(moved.entities).toEqual([entity]);
    expect(scene.getComponent(entity, Position)?.value.x).toBeCloseTo(1);
  });

  it('rows that workers report as changed are seen by exact `changed`, and no others', async () => {
    const inline = await setUp([systems.tick], { offload: 'never' });
    const shared = await setUp([systems.tick], { count: 2 });
    const seen = [inline, shared].map(({ scene }) => {
      for (let i = 0; i < 500; i++) scene.createEntity([systems.Exact, { value: i }]);
      const query = scene.query(changed(systems.Exact), read(systems.Exact));
      query.each(() => undefined);
      return query;
    });
    for (let step = 0; step < 6; step++) {
      await inline.step();
      await shared.step();
      const rows = seen.map((query) => {
        const found: number[] = [];
        query.each((row) => found.push(row));
        return found;
      });
      expect(rows[1]).toEqual(rows[0]);
      expect(rows[0]?.length).toBeGreaterThan(50);
      expect(rows[0]?.length).toBeLessThan(500);
    }
  });

  it('an error of a job names the system and keeps its stack; the next tick works (38)', async () => {
    const { scene, step } = await setUp([systems.trouble], { count: 2 });
    for (let i = 0; i < 400; i++) scene.createEntity([Trouble, { kind: i >= 300 ? 1 : 0 }]);
    const first = await errorOf(step);
    expect([first.code, first.subjects['system']]).toEqual(['scheduler/system-failed', 'trouble']);
    expect(first.message).toContain('System "trouble" failed: row 300 is bad');
    const cause = first.cause as Error;
    expect([cause.name, cause.message]).toEqual(['RangeError', 'row 300 is bad']);
    expect(cause.stack).toContain('systems.ts');
    scene.forEach([Trouble], (_, each) => {
      each.kind = 0;
    });
    await step();
  });

  it('a worker that hangs past the time-out is named with its system and replaced (39)', async () => {
    const { scene, worldTick, step, log } = await setUp([systems.trouble, systems.move], {
      timeout: 200_000_000,
    });
    const entities = Array.from({ length: 64 }, () => scene.createEntity([Trouble, { kind: 2 }]));
    const error = await errorOf(step);
    expect([error.code, error.subjects]).toEqual([
      'scheduler/worker-hung',
      { system: 'trouble', worker: 0 },
    ]);
    expect(log.records).toEqual(['warn worker_replaced']);
    for (const entity of entities) scene.setComponent(entity, Trouble, { kind: 0 });
    const mover = scene.createEntity(Position, [Velocity, { value: [60, 0, 0] }]);
    await step();
    await untilShared(worldTick, step);
    expect(scene.getComponent(mover, Position)?.value.x).toBeGreaterThan(1);
  });

  it('a worker that dies is named with its system and replaced (39)', async () => {
    const { scene, worldTick, step, log } = await setUp([systems.trouble], { count: 2 });
    const entities = Array.from({ length: 64 }, () => scene.createEntity([Trouble, { kind: 3 }]));
    const error = await errorOf(step);
    expect([error.code, error.subjects['system']]).toEqual(['scheduler/worker-died', 'trouble']);
    expect((error.cause as Error).message).toBe('The worker ended with code 7');
    expect(log.records).toContain('warn worker_replaced');
    for (const entity of entities) scene.setComponent(entity, Trouble, { kind: 0 });
    await untilShared(worldTick, step);
  });

  it.each(['always', 'never'] as const)(
    'a component that nobody declared or registered is refused (offload: %s)',
    async (offload) => {
      const { scene, step } = await setUp([systems.straying], { offload });
      for (let i = 0; i < 100; i++) scene.createEntity(Trouble);
      for (let i = 0; i < 2; i++) {
        const error = await errorOf(step);
        expect(error.subjects['system']).toBe('straying');
        expect(error.cause).toMatchObject({
          code: 'scheduler/unknown-component',
          subjects: { component: 'Stray' },
        });
      }
      scene.registerComponent(systems.Stray);
      await step();
      expect(scene.query(systems.Stray).count()).toBe(100);
    },
  );

  it.each([
    ['throws', 1, 'scheduler/system-failed'],
    ['hangs', 2, 'scheduler/worker-hung'],
  ])('of a system that %s between its commands none is applied', async (_, kind, code) => {
    const { scene, step } = await setUp([systems.faltering], { timeout: 200_000_000 });
    const rows = Array.from({ length: 64 }, () => scene.createEntity([Trouble, { kind }]));
    expect((await errorOf(step)).code).toBe(code);
    expect(scene.entityCount).toBe(64);
    for (const entity of rows) scene.setComponent(entity, Trouble, { kind: 0 });
    await step();
    const links = [...scene.query(systems.Link).entities];
    const targets = links.map((link) => scene.getComponent(link, systems.Link)?.to);
    expect(targets).toEqual(rows);
  });

  it.each(['always', 'never'] as const)(
    'a placeholder that a system kept is nobody in a later update (offload: %s)',
    async (offload) => {
      const { scene, step } = await setUp([systems.hoarding], { offload });
      for (let i = 0; i < 64; i++) scene.createEntity(Trouble);
      for (let i = 1; i <= 4; i++) {
        await step();
        expect(scene.entityCount).toBe(64 + 64 * i);
      }
      for (const link of scene.query(systems.Link).entities) {
        expect(scene.getComponent(link, systems.Link)?.to).toBe(0);
      }
    },
  );

  it('a system that returns a promise though it is synchronous fails', async () => {
    const { scene, step } = await setUp([systems.promising]);
    for (let i = 0; i < 100; i++) scene.createEntity(Trouble);
    const error = await errorOf(step);
    expect([error.code, error.subjects['system']]).toEqual(['scheduler/async-system', 'promising']);
  });

  it('undeclared access is caught on workers too (41)', async () => {
    const writes = await setUp([systems.sneaky]);
    const reads = await setUp([systems.curious]);
    for (let i = 0; i < 100; i++) {
      writes.scene.createEntity(Position, Velocity);
      reads.scene.createEntity(Position, Velocity);
    }
    const wrote = await errorOf(writes.step);
    expect([wrote.code, wrote.subjects['system']]).toEqual([
      'scheduler/undeclared-access',
      'sneaky',
    ]);
    expect(wrote.message).toContain('wrote "value" of "Position"');
    const read = await errorOf(reads.step);
    expect(read.cause).toMatchObject({ code: 'scheduler/undeclared-access' });
    expect((read.cause as Error).message).toContain('"Velocity"');
  });

  it('while a wave is waited for, nobody can move what workers write', async () => {
    const { scene, worldTick, commands } = await setUp([systems.slow]);
    for (let i = 0; i < 64; i++) scene.createEntity(Thread);
    const tick = worldTick.tick(1 / 60, commands);
    expect(tick).toBeInstanceOf(Promise);
    const error = await errorOf(() => scene.createEntity(Thread));
    expect(error.code).toBe('ecs/structure-locked');
    await tick;
    scene.createEntity(Thread);
  });

  it('an orderly stop in the middle of a wave lets it finish, starts no other, and ends the workers', async () => {
    const started: Worker[] = [];
    const later = vi.fn<() => void>();
    const { scene, worldTick, commands } = await setUp(
      [systems.slow, defineSystem({ name: 'later', after: ['slow'], update: later })],
      {
        create: () => {
          const worker = create();
          started.push(worker);
          return worker;
        },
      },
    );
    const rows = Array.from({ length: 64 }, () => scene.createEntity([Thread, { id: -1 }]));
    const tick = worldTick.tick(1 / 60, commands);
    expect(tick).toBeInstanceOf(Promise);
    const disposed = worldTick.dispose();
    await expect(tick).rejects.toMatchObject({ code: 'scheduler/disposed' });
    await disposed;
    const ids = rows.map((entity) => scene.getComponent(entity, Thread)?.id);
    expect(ids).not.toContain(-1);
    expect(new Set(ids).size).toBe(2);
    expect(later).not.toHaveBeenCalled();
    expect(started.map((worker) => worker.threadId)).toEqual([-1]);
    // Nothing is locked any more.
    scene.createEntity(Thread);
  });

  it('disposing stops the workers', async () => {
    const started: Worker[] = [];
    const { worldTick } = await setUp([systems.move], {
      create: () => {
        const worker = create();
        started.push(worker);
        return worker;
      },
    });
    const exits = Promise.all(started.map((worker) => once(worker, 'exit')));
    await worldTick.dispose();
    await exits;
    expect(started.map((worker) => worker.threadId)).toEqual([-1]);
  });

  it('committing again gives workers the systems of now', async () => {
    const { scene, worldTick, step } = await setUp([systems.move]);
    worldTick.reopen();
    worldTick.unregisterSystem('move');
    worldTick.registerSystem(systems.mix);
    worldTick.commit();
    await worldTick.workersReady();
    const entity = scene.createEntity(Mixed);
    await step();
    expect(scene.getComponent(entity, Mixed)?.c).toBe(1);
    expect(worldTick.metrics()).toHaveLength(1);
  });
});

/** Ticks until a worker takes part again. */
async function untilShared(worldTick: WorldTick, step: () => Promise<void>): Promise<void> {
  while ((worldTick.metrics()[0]?.workerShare ?? 0) === 0) {
    await step();
    await yieldToEventLoop();
  }
}

describe('Workers that do not start', () => {
  async function startWith(file: string, list: readonly System[] = [systems.move]) {
    const log = new RecordingLog('scheduler');
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const worldTick = new WorldTick(scene, {
      log,
      workers: {
        create: () => new Worker(new URL(file, import.meta.url)),
        count: 1,
        offload: 'always',
      },
    });
    cleanUps.push(() => worldTick.dispose());
    for (const system of list) worldTick.registerSystem(system);
    worldTick.commit();
    const error = await errorOf(() => worldTick.workersReady());
    // The same schedule goes on inline.
    const entity = scene.createEntity(Position, [Velocity, { value: [60, 0, 0] }]);
    await worldTick.tick(1 / 60, new Commands(scene));
    expect(scene.getComponent(entity, Position)?.value.x).toBeCloseTo(1);
    expect(log.records).toEqual(['error worker_start_failed']);
    return error;
  }

  it('a module that is missing', async () => {
    const error = await startWith('./workers/nowhere.ts');
    expect(error.code).toBe('scheduler/worker-start');
    expect((error.cause as NodeJS.ErrnoException).code).toBe('ERR_MODULE_NOT_FOUND');
  });

  it('a module that throws on import', async () => {
    const error = await startWith('./workers/throwing.worker.ts');
    expect([error.code, (error.cause as Error).message]).toEqual([
      'scheduler/worker-start',
      'this module does not load',
    ]);
  });

  it('a module that never answers, because it loops or serves nothing', async () => {
    vi.useFakeTimers();
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const terminate = vi.fn<() => Promise<number>>(() => Promise.resolve(1));
    const worldTick = new WorldTick(scene, {
      log: new RecordingLog('scheduler'),
      workers: {
        count: 1,
        startTimeout: 2_000_000_000,
        create: () => ({
          on: () => undefined,
          postMessage: () => undefined,
          unref: () => undefined,
          terminate,
        }),
      },
    });
    worldTick.registerSystem(systems.move);
    worldTick.commit();
    const failure = errorOf(() => worldTick.workersReady());
    await vi.advanceTimersByTimeAsync(1_999);
    expect(terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    const error = await failure;
    expect([error.code, (error.cause as Error).message]).toEqual([
      'scheduler/worker-start',
      'It did not answer within 2000 ms',
    ]);
    expect(terminate).toHaveBeenCalledOnce();
    await worldTick.dispose();
  });

  it.each([
    [
      'no workers today',
      () => {
        throw new Error('no workers today');
      },
    ],
    ['create() gave undefined, not a worker', () => undefined],
    ['create() gave a promise, not a worker', () => Promise.resolve()],
  ])('a worker that can not even be made: %s', async (message, make) => {
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const worldTick = new WorldTick(scene, {
      log: new RecordingLog('scheduler'),
      workers: {
        count: 1,
        create: make as never,
      },
    });
    worldTick.registerSystem(systems.move);
    worldTick.commit();
    const error = await errorOf(() => worldTick.workersReady());
    expect([error.code, (error.cause as Error).message]).toEqual([
      'scheduler/worker-start',
      message,
    ]);
    expect(error.message).toContain(`Worker 0 did not start: ${message}`);
    await worldTick.dispose();
  });

  it.each([
    ['module', () => new Worker((() => undefined) as never)],
    [
      'options',
      () =>
        new Worker(new URL('./workers/systems.worker.ts', import.meta.url), {
          workerData: { update: () => undefined },
        }),
    ],
  ])('a non-cloneable worker %s is named, and all runs inline', async (_, make) => {
    let cause: unknown;
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const worldTick = new WorldTick(scene, {
      log: new RecordingLog('scheduler'),
      workers: {
        count: 1,
        offload: 'always',
        create: () => {
          try {
            return make();
          } catch (error) {
            cause = error;
            throw error;
          }
        },
      },
    });
    cleanUps.push(() => worldTick.dispose());
    worldTick.registerSystem(systems.move);
    worldTick.commit();
    const error = await errorOf(() => worldTick.workersReady());
    expect(error.code).toBe('scheduler/worker-start');
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.cause).toBe(cause);
    const entity = scene.createEntity(Position, [Velocity, { value: [60, 0, 0] }]);
    expect(worldTick.tick(1 / 60, new Commands(scene))).toBeUndefined();
    expect(scene.getComponent(entity, Position)?.value.x).toBeCloseTo(1);
  });

  it('a worker file that lacks a registered system', async () => {
    const error = await startWith('./workers/no-systems.worker.ts');
    expect(error.code).toBe('scheduler/worker-system-missing');
    expect(error.message).toContain('"move"');
  });

  it('a worker file that serves two systems of one name', async () => {
    const error = await startWith('./workers/duplicate.worker.ts');
    expect([error.code, error.subjects['system']]).toEqual(['scheduler/duplicate-system', 'move']);
  });

  it('a worker file that serves something else', async () => {
    const error = await startWith('./workers/not-a-list.worker.ts');
    expect(error.code).toBe('scheduler/invalid-system');
  });

  it('a worker file with another version of a system', async () => {
    const error = await startWith('./workers/other-version.worker.ts');
    expect(error.code).toBe('scheduler/worker-system-differs');
  });
});

describe('Without workers', () => {
  it.each([
    ['no core is left', { count: 0 }, {}],
    ['memory is not shared', { count: 2 }, { backing: 'plain' as const }],
  ])('everything runs inline where %s', async (_, workers, arena) => {
    const scene = new Scene({
      maxEntities: 64,
      arena: new Arena({ budget: 1024 * 1024, ...arena }),
    });
    const never = (): Worker => {
      throw new Error('not to be called');
    };
    const worldTick = new WorldTick(scene, { workers: { create: never, ...workers } });
    worldTick.registerSystem(systems.move);
    worldTick.commit();
    await worldTick.workersReady();
    const entity = scene.createEntity(Position, [Velocity, { value: [60, 0, 0] }]);
    expect(worldTick.tick(1 / 60, new Commands(scene))).toBeUndefined();
    expect(scene.getComponent(entity, Position)?.value.x).toBeCloseTo(1);
  });

  it('a count that makes no sense is an error at commit', () => {
    for (const count of [-1, 1.5, Number.NaN, 257]) {
      const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
      const worldTick = new WorldTick(scene, { workers: { create, count } });
      worldTick.registerSystem(systems.move);
      expect(() => worldTick.commit()).toThrow(
        expect.objectContaining({ code: 'scheduler/invalid-worker-count' }),
      );
    }
  });
});

describe('Options of workers that make no sense are an error at commit', () => {
  it.each([
    ['create', { create: new URL('./workers/systems.worker.ts', import.meta.url) }],
    ['create', {}],
    ['timeout', { create, timeout: Number.NaN }],
    ['timeout', { create, timeout: 0 }],
    ['startTimeout', { create, startTimeout: -1 }],
    ['offload', { create, offload: 'sometimes' }],
  ])('%s', (option, workers) => {
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const worldTick = new WorldTick(scene, { workers: workers as never });
    worldTick.registerSystem(systems.move);
    expect(() => worldTick.commit()).toThrow(
      expect.objectContaining({
        code: 'scheduler/invalid-worker-options',
        subjects: { option },
      }),
    );
    expect(worldTick.committed).toBe(false);
  });
});

describe('What can not run in pieces is refused when it is defined', () => {
  const Loose = defineComponent('Loose', { x: f32() }, { storage: 'sparse' });
  const Boxed = defineComponent('Boxed', { any: object<{ a: 1 }>() });
  const update = (): void => undefined;
  const untyped = defineSystem as (definition: object) => System;

  it.each([
    ['no query', {}],
    ['a promise', { queries: { q: query(write(Position)) }, async: true }],
    ['state', { queries: { q: query(write(Position)) }, state: () => 1 }],
    ['data of a sparse component', { queries: { q: query(write(Position), read(Loose)) } }],
    ['objects', { queries: { q: query(read(Boxed)) } }],
    [
      'a second query that writes',
      { queries: { q: query(read(Velocity)), r: query(write(Position)) } },
    ],
    [
      'a second query that reads what the first writes',
      { queries: { q: query(write(Position)), r: query(read(Position)) } },
    ],
  ])('%s', (_, part) => {
    expect(() => untyped({ name: 'x', worker: true, update, ...part })).toThrow(
      expect.objectContaining({ code: 'scheduler/not-worker-safe' }),
    );
  });
});
