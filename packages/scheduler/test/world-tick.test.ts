import { EventLog, ManualClock, type EclipticError } from '@ecliptic/core';
import {
  Commands,
  defineComponent,
  defineResource,
  f32,
  i32,
  query,
  read,
  Scene,
  write,
  type EntityId,
} from '@ecliptic/ecs';
import { describe, expect, it } from 'vitest';
import {
  defineSystem,
  MutableTimeStep,
  SystemsFailedError,
  WorldTick,
  type System,
  type WorldTickOptions,
} from '../src/index.js';

const Position = defineComponent('Position', { x: f32() });
const Velocity = defineComponent('Velocity', { x: f32() });
const Count = defineComponent('Count', { value: i32() });

class RecordingLog extends EventLog {
  readonly records: string[] = [];
  override warn(event: string): void {
    this.records.push(`warn ${event}`);
  }
  override error(event: string): void {
    this.records.push(`error ${event}`);
  }
}

function setUp(systems: readonly System[] = [], options: WorldTickOptions = {}) {
  const scene = new Scene({ maxEntities: 1_024, arenaBudget: 4 * 1024 * 1024 });
  const commands = new Commands(scene);
  const worldTick = new WorldTick(scene, options);
  for (const system of systems) worldTick.registerSystem(system);
  const step = (): void => {
    void worldTick.tick(1 / 60, commands);
    commands.flush();
  };
  return { scene, commands, worldTick, step };
}

/** A system that only says that it ran. */
function marker(name: string, ran: string[], part: object = {}): System {
  return defineSystem({ name, ...part, update: () => void ran.push(name) });
}

function errorOf(act: () => unknown): EclipticError {
  try {
    act();
  } catch (error) {
    return error as EclipticError;
  }
  throw new Error('it did not throw');
}

describe('Running waves (31)', () => {
  it('a reader that is ordered after the writer sees the write in the same tick', () => {
    const seen: number[] = [];
    const reader = defineSystem({
      name: 'reader',
      queries: { all: query(read(Position)) },
      update: ({ all }) => all.each((row, position) => seen.push(position.x[row] ?? 0)),
    });
    const writer = defineSystem({
      name: 'writer',
      queries: { all: query(write(Position), read(Velocity)) },
      before: ['reader'],
      update({ all }, { dt }) {
        for (const table of all.tables()) {
          const { x } = table.column(Position);
          const velocity = table.column(Velocity).x;
          for (let row = 0; row < table.count; row++) {
            x[row] = (x[row] ?? 0) + (velocity[row] ?? 0) * dt;
          }
        }
      },
    });
    const { scene, worldTick, step } = setUp([reader, writer]);
    scene.createEntity([Position, { x: 1 }], [Velocity, { x: 30 }]);
    worldTick.commit();
    step();
    step();
    expect(seen).toEqual([1.5, 2]);
  });

  it('phases run in order, whatever order systems were registered in', () => {
    const ran: string[] = [];
    const phases = ['lateUpdate', 'prePhysics', 'render', 'physics', 'postPhysics'];
    const { worldTick, step } = setUp(phases.map((phase) => marker(phase, ran, { phase })));
    worldTick.commit();
    step();
    expect(ran).toEqual(['prePhysics', 'physics', 'postPhysics', 'render', 'lateUpdate']);
  });

  it('steps and frames run their own systems, and both run those of both', () => {
    const ran: string[] = [];
    const { worldTick, commands } = setUp([
      marker('tick', ran),
      marker('frame', ran, { updateKind: 'frame' }),
      marker('both', ran, { updateKind: 'both' }),
    ]);
    worldTick.commit();
    void worldTick.tick(0.01, commands);
    expect(ran.splice(0)).toEqual(['tick', 'both']);
    void worldTick.tickFrame(0.01, commands);
    expect(ran).toEqual(['frame', 'both']);
  });

  it('a system sees the time of the step', () => {
    const seen: unknown[] = [];
    const system = defineSystem({
      name: 'watch',
      updateKind: 'both',
      update: (_, { dt, time }) =>
        void seen.push([dt, time.frameCount, time.totalSeconds, time.isFixedStep]),
    });
    const { worldTick, commands } = setUp([system]);
    worldTick.commit();
    void worldTick.tick(0.5, commands);
    void worldTick.tick(0.5, commands);
    void worldTick.tickFrame(0.25, commands);
    const own = new MutableTimeStep();
    own.delta = 2;
    own.frameCount = 77;
    void worldTick.tick(own, commands);
    expect(seen).toEqual([
      [0.5, 0, 0, true],
      [0.5, 1, 0.5, true],
      [0.25, 0, 0, false],
      [2, 77, 0, true],
    ]);
    expect(errorOf(() => worldTick.tick(Number.NaN, commands)).code).toBe(
      'scheduler/invalid-delta',
    );
  });
});

describe('Unordered conflicts (32)', () => {
  const writer = (name: string, part: object = {}): System =>
    defineSystem({
      name,
      queries: { all: query(write(Position), read(Velocity)) },
      ...part,
      update() {},
    });

  it('are reported for all pairs in one message, with the call that fixes each', () => {
    const { worldTick } = setUp([
      writer('a'),
      writer('b'),
      defineSystem({ name: 'c', reads: [Position, 'wind'], update() {} }),
      defineSystem({ name: 'd', writes: ['wind'], update() {} }),
    ]);
    const error = errorOf(() => worldTick.commit());
    expect(error.code).toBe('scheduler/unordered-conflict');
    expect(error.message).toMatchInlineSnapshot(`
      "4 pairs of systems touch the same data in no order:
        Position
          "a" (writes) and "b" (writes)
          "a" (writes) and "c" (reads)
          "b" (writes) and "c" (reads)
        wind
          "c" (reads) and "d" (writes)
      Order each pair one way or the other, or accept it with anyOrderWith:
        worldTick.orderBefore('a', 'b')
        worldTick.orderBefore('a', 'c')
        worldTick.orderBefore('b', 'c')
        worldTick.orderBefore('c', 'd')"
    `);
    expect(error.subjects['pairs']).toEqual([
      { first: 'a', second: 'b', targets: ['Position'] },
      { first: 'a', second: 'c', targets: ['Position'] },
      { first: 'b', second: 'c', targets: ['Position'] },
      { first: 'c', second: 'd', targets: ['wind'] },
    ]);
    expect(worldTick.committed).toBe(false);
  });

  it('after the reported calls the commit succeeds', () => {
    const { worldTick } = setUp([writer('a'), writer('b')]);
    expect(errorOf(() => worldTick.commit()).message).toContain("worldTick.orderBefore('a', 'b')");
    worldTick.orderBefore('a', 'b').commit();
    expect(worldTick.committed).toBe(true);
  });

  it('anyOrderWith accepts a pair, which still runs in one order', () => {
    const { worldTick } = setUp([writer('a', { order: 1 }), writer('b')]);
    worldTick.anyOrderWith('a', 'b');
    worldTick.commit();
    expect(worldTick.toMermaid()).toContain('s1 -.-> s0');
  });

  it('can be warnings, or nothing', () => {
    const log = new RecordingLog('scheduler');
    setUp([writer('a'), writer('b')], { conflicts: 'warn', log }).worldTick.commit();
    expect(log.records).toEqual(['warn unordered_conflict']);
    setUp([writer('a'), writer('b')], { conflicts: 'off', log }).worldTick.commit();
    expect(log.records).toHaveLength(1);
  });

  it('resources conflict by their token', () => {
    const Wind = defineResource<number>('Wind');
    const { worldTick } = setUp([
      defineSystem({ name: 'blow', writes: [Wind], update() {} }),
      defineSystem({ name: 'sail', reads: [Wind], update() {} }),
    ]);
    expect(errorOf(() => worldTick.commit()).subjects['pairs']).toEqual([
      { first: 'blow', second: 'sail', targets: ['Wind'] },
    ]);
  });
});

describe('Misuse is a coded error at that call (33)', () => {
  const a = marker('a', []);
  const b = marker('b', []);

  it('ordering a system with itself', () => {
    const { worldTick } = setUp([a]);
    expect(errorOf(() => worldTick.orderBefore('a', a)).code).toBe('scheduler/self-order');
    expect(errorOf(() => worldTick.anyOrderWith('a', 'a')).code).toBe('scheduler/self-order');
    const self = marker('self', [], { after: ['self'] });
    expect(errorOf(() => worldTick.registerSystem(self)).code).toBe('scheduler/self-order');
  });

  it('an unknown name or id', () => {
    const { worldTick } = setUp([a]);
    expect(errorOf(() => worldTick.orderBefore('a', 'nobody')).code).toBe(
      'scheduler/unknown-system',
    );
    expect(errorOf(() => worldTick.orderBefore(99, 'a')).code).toBe('scheduler/unknown-system');
    expect(errorOf(() => worldTick.setEnabled(b, false)).code).toBe('scheduler/unknown-system');
    expect(errorOf(() => worldTick.setGroupEnabled('none', false)).code).toBe(
      'scheduler/unknown-group',
    );
  });

  it('a duplicate name, an unknown phase', () => {
    const { worldTick } = setUp([a]);
    expect(errorOf(() => worldTick.registerSystem(marker('a', []))).code).toBe(
      'scheduler/duplicate-system',
    );
    expect(errorOf(() => worldTick.registerSystem(marker('x', [], { phase: 'noon' }))).code).toBe(
      'scheduler/unknown-phase',
    );
    expect(errorOf(() => setUp([], { phases: ['a', 'a'] })).code).toBe('scheduler/invalid-phases');
  });

  it('an order against the phase order, or between a step and a frame', () => {
    const { worldTick } = setUp([
      a,
      marker('late', [], { phase: 'render' }),
      marker('frame', [], { updateKind: 'frame' }),
    ]);
    expect(errorOf(() => worldTick.orderBefore('late', 'a')).code).toBe(
      'scheduler/order-against-phase',
    );
    expect(errorOf(() => worldTick.orderBefore('a', 'frame')).code).toBe(
      'scheduler/order-across-kinds',
    );
  });

  it('registering after commit, committing twice, ticking before commit', () => {
    const { worldTick, commands } = setUp([a]);
    expect(errorOf(() => worldTick.tick(1, commands)).code).toBe('scheduler/not-committed');
    expect(errorOf(() => worldTick.toMermaid()).code).toBe('scheduler/not-committed');
    worldTick.commit();
    for (const act of [
      () => worldTick.registerSystem(b),
      () => worldTick.unregisterSystem(a),
      () => worldTick.orderBefore('a', 'b'),
      () => worldTick.anyOrderWith('a', 'b'),
      () => worldTick.commit(),
    ]) {
      expect(errorOf(act).code).toBe('scheduler/already-committed');
    }
  });

  it('a 65th system, unless the budget is raised', () => {
    const systems = Array.from({ length: 65 }, (_, i) => marker(`s${i}`, []));
    const { worldTick } = setUp(systems.slice(0, 64));
    expect(errorOf(() => worldTick.registerSystem(systems[64] as System)).code).toBe(
      'scheduler/system-budget',
    );
    setUp(systems, { maxSystems: 65 }).worldTick.commit();
  });

  it('a system without a name or an update', () => {
    const untyped = defineSystem as (definition: object) => System;
    expect(errorOf(() => untyped({ name: '', update() {} })).code).toBe('scheduler/invalid-system');
    expect(errorOf(() => untyped({ name: 'x' })).code).toBe('scheduler/invalid-system');
  });

  it('ticking from inside a system', () => {
    let error: EclipticError | undefined;
    const { worldTick, commands, step } = setUp([
      defineSystem({
        name: 'again',
        update: () => void (error = errorOf(() => worldTick.tick(1, commands))),
      }),
    ]);
    worldTick.commit();
    step();
    expect(error?.code).toBe('scheduler/tick-in-progress');
  });

  it('a cycle, at commit, after which the schedule is still open', () => {
    const { worldTick } = setUp([a, b]);
    worldTick.orderBefore('a', 'b').orderBefore('b', 'a');
    expect(errorOf(() => worldTick.commit()).code).toBe('scheduler/order-cycle');
    expect(worldTick.committed).toBe(false);
  });
});

describe('Lifecycle of systems (34, 35)', () => {
  it('no systems is a legal schedule', () => {
    const { worldTick, step } = setUp();
    worldTick.commit();
    step();
    expect(worldTick.metrics()).toEqual([]);
  });

  it('a disabled system keeps its place in the graph', () => {
    const ran: string[] = [];
    const { worldTick, step } = setUp([
      marker('c', ran, { after: ['b'] }),
      marker('b', ran, { after: ['a'], groups: ['ai', 'slow'] }),
      marker('a', ran),
    ]);
    worldTick.commit();
    worldTick.setEnabled('b', false);
    step();
    expect(ran.splice(0)).toEqual(['a', 'c']);
    worldTick.setEnabled('b', true);
    worldTick.setGroupEnabled('ai', false);
    step();
    expect(ran.splice(0)).toEqual(['a', 'c']);
    worldTick.setGroupEnabled('ai', true);
    step();
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  it('init that throws leaves the system unregistered', () => {
    const { worldTick } = setUp();
    const bad = defineSystem({
      name: 'bad',
      init() {
        throw new Error('no device');
      },
      update() {},
    });
    const error = errorOf(() => worldTick.registerSystem(bad));
    expect([error.code, error.subjects['system'], error.cause]).toEqual([
      'scheduler/system-init',
      'bad',
      new Error('no device'),
    ]);
    expect(errorOf(() => worldTick.setEnabled('bad', true)).code).toBe('scheduler/unknown-system');
    worldTick.registerSystem(marker('bad', []));
  });

  it('init sees the scene and the state, update the state, teardown runs once', async () => {
    const events: unknown[] = [];
    const system = defineSystem({
      name: 'counter',
      state: () => ({ runs: 0 }),
      init({ scene, state }) {
        scene.createEntity(Count);
        events.push(['init', state.runs]);
      },
      update(_, { state }) {
        state.runs++;
      },
      teardown: ({ state }) => void events.push(['teardown', state.runs]),
    });
    const { worldTick, step, scene, commands } = setUp([system]);
    worldTick.commit();
    step();
    step();
    expect(scene.entityCount).toBe(1);
    await worldTick.dispose();
    await worldTick.dispose();
    expect(events).toEqual([
      ['init', 0],
      ['teardown', 2],
    ]);
    expect(errorOf(() => worldTick.tick(1, commands)).code).toBe('scheduler/disposed');
  });

  it('teardown runs for all, in reverse order, also when one throws', async () => {
    const events: string[] = [];
    const system = (name: string, fails: boolean): System =>
      defineSystem({
        name,
        update() {},
        teardown() {
          events.push(name);
          if (fails) throw new Error(name);
        },
      });
    const one = setUp([system('a', false), system('b', true), system('c', false)]);
    await expect(one.worldTick.dispose()).rejects.toThrow('b');
    expect(events).toEqual(['c', 'b', 'a']);
    const two = setUp([system('a', true), system('b', true)]);
    await expect(two.worldTick.dispose()).rejects.toMatchObject({
      errors: [new Error('b'), new Error('a')],
    });
  });

  it('a schedule can be reopened: unregistering drops the orders that name the system', () => {
    const ran: string[] = [];
    const gone = marker('gone', ran);
    const { worldTick, step } = setUp([marker('a', ran), gone]);
    worldTick.orderBefore('gone', 'a').commit();
    worldTick.reopen();
    worldTick.unregisterSystem(gone);
    worldTick.registerSystem(marker('b', ran));
    worldTick.orderBefore('b', 'a').commit();
    step();
    expect(ran).toEqual(['b', 'a']);
  });

  it('a system can be replaced between ticks, keeping place, switches and, if asked, state', () => {
    const ran: string[] = [];
    const version = (label: string, part: object = {}): System =>
      defineSystem({
        name: 'b',
        state: () => [label],
        ...part,
        update: (_, { state }) => void ran.push(`${label} with state of ${state[0]}`),
        teardown: () => void ran.push(`${label} torn down`),
      });
    const { worldTick, step } = setUp([marker('c', ran), version('one'), marker('a', ran)]);
    worldTick.orderBefore('a', 'b').orderBefore('b', 'c').commit();
    worldTick.replaceSystem(version('two'), { keepState: true });
    step();
    expect(ran.splice(0)).toEqual(['one torn down', 'a', 'two with state of one', 'c']);
    const error = errorOf(() => worldTick.replaceSystem(version('three', { before: ['a'] })));
    expect(error.code).toBe('scheduler/order-cycle');
    step();
    expect(ran).toEqual(['three torn down', 'a', 'two with state of one', 'c']);
    expect(errorOf(() => worldTick.replaceSystem(marker('x', ran))).code).toBe(
      'scheduler/unknown-system',
    );
  });
});

describe('Commands (23, 37)', () => {
  it('commands of one wave are invisible to the next and visible after flush', () => {
    const counts: number[] = [];
    const spawner = defineSystem({
      name: 'spawner',
      update: (_, { commands }) => commands.addComponent(commands.createEntity(), Count),
    });
    const counter = defineSystem({
      name: 'counter',
      after: ['spawner'],
      queries: { all: query(read(Count)) },
      update: ({ all }) => void counts.push(all.count()),
    });
    const { worldTick, step } = setUp([spawner, counter]);
    worldTick.commit();
    step();
    step();
    step();
    expect(counts).toEqual([0, 1, 2]);
  });

  it('are merged in order of registration, whatever order systems run in', () => {
    const spawner = (name: string, value: number, part: object = {}): System =>
      defineSystem({
        name,
        ...part,
        update: (_, { commands }) =>
          commands.addComponent(commands.createEntity(), Count, { value }),
      });
    const { scene, worldTick, step } = setUp([
      spawner('late', 1, { phase: 'render' }),
      spawner('second', 2, { order: 5 }),
      spawner('first', 3),
    ]);
    worldTick.commit();
    step();
    const values: number[] = [];
    scene.forEach([read(Count)], (_, count) => values.push(count.value));
    expect(values).toEqual([1, 2, 3]);
  });

  it('structural changes and flushing inside a system are errors that name it', () => {
    const errors: EclipticError[] = [];
    const { worldTick, scene, commands, step } = setUp([
      defineSystem({
        name: 'rude',
        update() {
          errors.push(errorOf(() => scene.createEntity()));
          errors.push(errorOf(() => commands.flush()));
        },
      }),
    ]);
    worldTick.commit();
    step();
    expect(errors.map(({ code }) => code)).toEqual([
      'ecs/structure-locked',
      'ecs/structure-locked',
    ]);
    expect(errors[0]?.message).toContain('system "rude" runs');
    scene.createEntity();
    expect(scene.entityCount).toBe(1);
  });
});

describe('Failures (38)', () => {
  const failing = (name: string, part: object = {}): System =>
    defineSystem({
      name,
      ...part,
      update(_, { commands }) {
        commands.createEntity();
        throw new Error(`${name} is broken`);
      },
    });

  it('no new wave starts, its wave finishes, all staging is dropped, the next tick works', () => {
    const ran: string[] = [];
    let broken = true;
    const { scene, worldTick, commands, step } = setUp([
      defineSystem({
        name: 'breaks',
        update(_, context) {
          context.commands.createEntity();
          if (broken) throw new Error('once');
        },
      }),
      marker('same wave', ran),
      marker('next wave', ran, { after: ['breaks'] }),
    ]);
    worldTick.commit();
    const error = errorOf(() => worldTick.tick(1, commands));
    expect([error.code, error.subjects['system'], error.cause]).toEqual([
      'scheduler/system-failed',
      'breaks',
      new Error('once'),
    ]);
    expect(ran.splice(0)).toEqual(['same wave']);
    expect(commands.isEmpty()).toBe(true);
    scene.createEntity();
    broken = false;
    step();
    expect(ran).toEqual(['same wave', 'next wave']);
    expect(scene.entityCount).toBe(2);
  });

  it('more than one become an AggregateError in system order', () => {
    const { worldTick, commands } = setUp([
      failing('b', { order: 2 }),
      failing('a', { order: 1 }),
      marker('fine', []),
    ]);
    worldTick.commit();
    const error = errorOf(() => worldTick.tick(1, commands)) as unknown as SystemsFailedError;
    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toBeInstanceOf(SystemsFailedError);
    expect(error.code).toBe('scheduler/systems-failed');
    expect(error.errors.map(({ subjects }) => subjects['system'])).toEqual(['b', 'a']);
  });

  it('with `retain` the tick goes on without its commands, and it is reported once', () => {
    const log = new RecordingLog('scheduler');
    const ran: string[] = [];
    const { scene, worldTick, step } = setUp(
      [failing('flaky', { onFailure: 'retain' }), marker('next', ran, { after: ['flaky'] })],
      { log },
    );
    worldTick.commit();
    step();
    step();
    expect(ran).toEqual(['next', 'next']);
    expect(scene.entityCount).toBe(0);
    expect(log.records).toEqual(['error system_failed']);
    expect(worldTick.metrics()[0]).toMatchObject({ runs: 2, failures: 2, enabled: true });
  });

  it('with `disable` it does not run again until it is enabled', () => {
    const log = new RecordingLog('scheduler');
    const { worldTick, step } = setUp([failing('flaky', { onFailure: 'disable' })], { log });
    worldTick.commit();
    step();
    step();
    expect(worldTick.metrics()[0]).toMatchObject({ runs: 1, failures: 1, enabled: false });
    worldTick.setEnabled('flaky', true);
    step();
    expect(worldTick.metrics()[0]).toMatchObject({ runs: 2, failures: 2 });
  });

  it('a synchronous system that returns a promise fails, and its rejection is not lost on the process', () => {
    const liar = defineSystem({
      name: 'liar',
      update: () => Promise.reject(new Error('unseen')),
    });
    const { worldTick, commands } = setUp([liar]);
    worldTick.commit();
    const error = errorOf(() => worldTick.tick(1, commands));
    expect([error.code, error.subjects['system']]).toEqual(['scheduler/async-system', 'liar']);
  });
});

describe('Asynchronous systems', () => {
  it('are waited for by their wave, and run beside the others of it', async () => {
    const events: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { scene, worldTick, commands } = setUp([
      defineSystem({
        name: 'slow',
        async: true,
        async update(_, context) {
          events.push('slow begins');
          await gate;
          context.commands.createEntity();
          events.push('slow ends');
        },
      }),
      marker('beside', events),
      marker('after', events, { after: ['slow'] }),
    ]);
    worldTick.commit();
    const tick = worldTick.tick(1, commands);
    expect(tick).toBeInstanceOf(Promise);
    expect(events).toEqual(['slow begins', 'beside']);
    expect(errorOf(() => worldTick.tick(1, commands)).code).toBe('scheduler/tick-in-progress');
    expect(errorOf(() => worldTick.reopen()).code).toBe('scheduler/tick-in-progress');
    release();
    await tick;
    expect(events).toEqual(['slow begins', 'beside', 'slow ends', 'after']);
    commands.flush();
    expect(scene.entityCount).toBe(1);
  });

  it('a rejection fails the tick, which can be repeated (38)', async () => {
    let broken = true;
    const ran: string[] = [];
    const { worldTick, commands } = setUp([
      defineSystem({
        name: 'net',
        async: true,
        async update() {
          if (broken) throw new Error('offline');
        },
      }),
      marker('next', ran, { after: ['net'] }),
    ]);
    worldTick.commit();
    await expect(worldTick.tick(1, commands)).rejects.toMatchObject({
      code: 'scheduler/system-failed',
      cause: new Error('offline'),
    });
    broken = false;
    await worldTick.tick(1, commands);
    expect(ran).toEqual(['next']);
  });

  it('disposing in the middle of a wave lets it finish and starts no other', async () => {
    const events: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { worldTick, commands } = setUp([
      defineSystem({
        name: 'slow',
        async: true,
        async update() {
          await gate;
          events.push('slow ends');
        },
        teardown: () => void events.push('teardown'),
      }),
      marker('never', events, { after: ['slow'] }),
    ]);
    worldTick.commit();
    const tick = worldTick.tick(1, commands);
    const disposed = worldTick.dispose();
    release();
    await expect(tick).rejects.toMatchObject({ code: 'scheduler/disposed' });
    await disposed;
    expect(events).toEqual(['slow ends', 'teardown']);
  });
});

describe('Undeclared access (41)', () => {
  const Wind = defineResource<number>('Wind');

  function probe(part: object, act: (scene: never, entity: EntityId) => void, development = true) {
    let code = 'allowed';
    let entity = 0;
    const { scene, worldTick, step } = setUp(
      [
        defineSystem({
          name: 'probe',
          ...part,
          update(_, context) {
            try {
              act(context.scene as never, entity);
            } catch (error) {
              code = (error as EclipticError).code;
            }
          },
        }),
      ],
      { development },
    );
    entity = scene.createEntity([Position, { x: 1 }]);
    scene.setResource(Wind, 3);
    worldTick.commit();
    step();
    return code;
  }
  const readX = (scene: Scene, entity: EntityId) => scene.getComponent(entity, Position)?.x;
  const writeX = (scene: Scene, entity: EntityId): void => {
    const position = scene.getComponent(entity, Position);
    if (position !== undefined) position.x = 5;
  };
  const setX = (scene: Scene, entity: EntityId) => scene.setComponent(entity, Position, { x: 5 });
  const readWind = (scene: Scene) => scene.getResource(Wind);
  const writeWind = (scene: Scene) => scene.setResource(Wind, 4);

  it.each([
    ['reading nothing declared', {}, readX, 'scheduler/undeclared-access'],
    ['reading what is declared', { reads: [Position] }, readX, 'allowed'],
    ['reading what a query reads', { queries: { q: query(read(Position)) } }, readX, 'allowed'],
    ['reading what is written', { writes: [Position] }, readX, 'allowed'],
    ['writing what is read', { reads: [Position] }, writeX, 'scheduler/undeclared-access'],
    ['setting what is read', { reads: [Position] }, setX, 'scheduler/undeclared-access'],
    ['writing what is written', { writes: [Position] }, writeX, 'allowed'],
    ['setting what a query writes', { queries: { q: query(write(Position)) } }, setX, 'allowed'],
    ['reading a resource', {}, readWind, 'scheduler/undeclared-access'],
    ['reading a declared resource', { reads: [Wind] }, readWind, 'allowed'],
    ['reading a resource by name', { reads: ['Wind'] }, readWind, 'allowed'],
    ['writing a read resource', { reads: [Wind] }, writeWind, 'scheduler/undeclared-access'],
    ['writing a written resource', { writes: [Wind] }, writeWind, 'allowed'],
  ])('%s', (_, part, act, expected) => {
    expect(probe(part, act)).toBe(expected);
  });

  it.each([
    ['columns by row', 'each'],
    ['columns of tables', 'tables'],
  ])('writing %s that a query only reads is caught, unless another query writes them', (_, way) => {
    const system = (part: object): System =>
      defineSystem({
        name: 'sneaky',
        ...part,
        queries: { all: query(read(Position), write(Velocity)) },
        update({ all }) {
          if (way === 'each') {
            all.each((row, position) => void ((position.x as Float32Array)[row] = 5));
          } else {
            for (const table of all.tables()) table.column(Position).x.fill(6);
          }
        },
      });
    const bad = setUp([system({})]);
    const shipped = setUp([system({})], { development: false });
    const good = setUp([system({ writes: [Position] })]);
    for (const { scene, worldTick } of [bad, shipped, good]) {
      scene.createEntity(Position, Velocity);
      worldTick.commit();
    }
    const error = errorOf(bad.step);
    expect([error.code, error.subjects]).toEqual([
      'scheduler/undeclared-access',
      { system: 'sneaky', target: 'Position', field: 'x', access: 'writes' },
    ]);
    shipped.step();
    good.step();
  });

  it('is not checked in shipped builds', () => {
    expect(probe({}, readX, false)).toBe('allowed');
  });
});

describe('Metrics and traces', () => {
  it('give what each system costs', () => {
    const clock = new ManualClock();
    let duration = 0;
    const { scene, worldTick, step } = setUp(
      [
        defineSystem({
          name: 'busy',
          queries: { all: query(read(Position)) },
          update: () => clock.advance(duration),
        }),
      ],
      { clock },
    );
    scene.createEntity(Position);
    scene.createEntity(Position, Velocity);
    worldTick.commit();
    for (duration = 1; duration <= 300; duration++) step();
    expect(worldTick.metrics()).toEqual([
      {
        name: 'busy',
        phase: 'physics',
        enabled: true,
        runs: 300,
        failures: 0,
        last: 300,
        mean: (45 + 300) / 2,
        p99: 298,
        rows: 2,
        workerShare: 0,
      },
    ]);
  });

  it('a trace says what ran when, in the format of Chrome', () => {
    const clock = new ManualClock(5_000);
    const { worldTick, step } = setUp(
      [
        defineSystem({ name: 'a', update: () => clock.advance(2_000) }),
        defineSystem({ name: 'b', phase: 'render', update: () => clock.advance(500) }),
      ],
      { clock },
    );
    worldTick.commit();
    step();
    worldTick.startTrace();
    step();
    const trace = worldTick.stopTrace();
    step();
    expect(JSON.parse(JSON.stringify(trace))).toEqual({
      displayTimeUnit: 'ns',
      traceEvents: [
        {
          name: 'thread_name',
          cat: '__metadata',
          ph: 'M',
          ts: 0,
          pid: 1,
          tid: 0,
          args: { name: 'simulation' },
        },
        { name: 'a', cat: 'physics', ph: 'X', ts: 7.5, dur: 2, pid: 1, tid: 0 },
        { name: 'b', cat: 'render', ph: 'X', ts: 9.5, dur: 0.5, pid: 1, tid: 0 },
      ],
    });
    expect(worldTick.stopTrace().traceEvents).toEqual([]);
  });

  it('waves() names the systems that may run together, ticks before frames, in order', () => {
    const { worldTick } = setUp([
      marker('frame', [], { updateKind: 'frame' }),
      marker('late', [], { phase: 'lateUpdate' }),
      marker('a', []),
      marker('b', []),
      marker('after', [], { after: ['a'] }),
    ]);
    expect(errorOf(() => worldTick.waves()).code).toBe('scheduler/not-committed');
    worldTick.commit();
    const { phase } = marker('any', []);
    expect(worldTick.waves()).toEqual([
      { kind: 'tick', phase, systems: ['a', 'b'] },
      { kind: 'tick', phase, systems: ['after'] },
      { kind: 'tick', phase: 'lateUpdate', systems: ['late'] },
      { kind: 'frame', phase, systems: ['frame'] },
    ]);
    worldTick.setEnabled('b', false);
    expect(worldTick.waves()[0]?.systems).toEqual(['a', 'b']);
  });

  it('toMermaid draws phases, declared orders and accepted conflicts, the same each time', () => {
    const { worldTick } = setUp([
      defineSystem({ name: 'say "hi"', writes: ['x'], update() {} }),
      defineSystem({ name: 'b', writes: ['x'], update() {} }),
      defineSystem({ name: 'c', after: ['b'], update() {} }),
      defineSystem({ name: 'draw', phase: 'render', update() {} }),
    ]);
    worldTick.anyOrderWith(0, 1).commit();
    expect(worldTick.toMermaid()).toMatchInlineSnapshot(`
      "flowchart LR
        subgraph p0["physics"]
          s0["say #quot;hi#quot;"]
          s1["b"]
          s2["c"]
        end
        subgraph p1["render"]
          s3["draw"]
        end
        p0 ==> p1
        s0 -.-> s1
        s1 --> s2
      "
    `);
  });
});
