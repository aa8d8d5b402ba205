import { EventLog, type EclipticError } from '@ecliptic/core';
import { Commands, defineComponent, f32, read, Scene, type EntityId } from '@ecliptic/ecs';
import { describe, expect, test, vi } from 'vitest';
import { Actor, ActorManager, type ActorHandle, type ActorManagerOptions } from '../src/index.js';

const Health = defineComponent('Health', { points: f32({ default: 100 }) });

function setUp(options?: ActorManagerOptions): { scene: Scene; actors: ActorManager } {
  const scene = new Scene({ maxEntities: 4_096, arenaBudget: 16 * 2 ** 20 });
  return { scene, actors: new ActorManager(scene, options) };
}

/** Writes its hooks down as `name hook`. */
class Recorder extends Actor {
  readonly name: string;
  readonly calls: string[];
  constructor(name: string, calls: string[]) {
    super();
    this.name = name;
    this.calls = calls;
  }
  override onCreate(): void {
    this.calls.push(`${this.name} create`);
  }
  override onDestroy(): void {
    this.calls.push(`${this.name} destroy`);
  }
  override onTick(_dt: number): void {
    this.calls.push(`${this.name} tick`);
  }
}

/** Does what it is told to in its hooks. */
class Puppet extends Actor {
  readonly hooks: Partial<Record<'create' | 'destroy' | 'tick', (self: Puppet) => void>>;
  constructor(hooks: Puppet['hooks']) {
    super();
    this.hooks = hooks;
  }
  override onCreate(): void {
    this.hooks.create?.(this);
  }
  override onDestroy(): void {
    this.hooks.destroy?.(this);
  }
  override onTick(): void {
    this.hooks.tick?.(this);
  }
}

class Player extends Actor {
  readonly points: number;
  ticked = 0;
  constructor(points = 100) {
    super();
    this.points = points;
  }
  override onCreate(): void {
    this.addComponent(Health, { points: this.points });
  }
  override onTick(dt: number): void {
    this.ticked += dt;
  }
}

function thrownBy(run: () => unknown): EclipticError {
  try {
    run();
  } catch (error) {
    return error as EclipticError;
  }
  throw new Error('Nothing was thrown');
}

const boom = (): never => {
  throw new Error('boom');
};

describe('creating and destroying', () => {
  test('create runs onCreate before it returns; the entity is alive, and every query sees its components (24)', () => {
    const { scene, actors } = setUp();
    const query = scene.query(read(Health));
    const handle = actors.create(Player, 42);
    const player = actors.access(handle);
    expect(player?.isAlive()).toBe(true);
    expect(player?.getComponent(Health)?.points).toBe(42);
    const seen: [EntityId, number][] = [];
    query.forEach((entity, health) => seen.push([entity, health.points]));
    expect(seen).toEqual([[player?.entity, 42]]);
    expect(actors.size).toBe(1);
  });

  test('destroy runs onDestroy, then destroys the entity; the handle is stale; again is silent (24)', () => {
    const { scene, actors } = setUp();
    let seen: boolean[] = [];
    const handle = actors.create(Puppet, {
      create: (self) => self.addComponent(Health),
      destroy: (self) => {
        seen = [self.isAlive(), self.hasComponent(Health), self.manager.isLive(self.handle)];
      },
    });
    const actor = actors.access(handle) as Puppet;
    expect(actors.destroy(handle)).toBe(true);
    expect(seen).toEqual([true, true, true]);
    expect(scene.entityCount).toBe(0);
    expect([actors.isLive(handle), actors.access(handle), actor.isAlive()]).toEqual([
      false,
      undefined,
      false,
    ]);
    expect(actors.destroy(handle)).toBe(false);
    expect(actors.size).toBe(0);
  });

  test('a stale handle stays stale when its slot is used again', () => {
    const { actors } = setUp({ capacity: 1 });
    const first = actors.create(Player);
    actors.destroy(first);
    const second = actors.create(Player);
    expect(second).not.toBe(first);
    expect([actors.isLive(first), actors.isLive(second)]).toEqual([false, true]);
    for (const nonsense of [0, -1, 1.5, Number.NaN, 2 ** 40]) {
      expect(actors.isLive(nonsense as ActorHandle)).toBe(false);
    }
  });

  test('component access delegates to the scene', () => {
    const { scene, actors } = setUp();
    const actor = actors.access(actors.create(Actor)) as Actor;
    expect([actor.hasComponent(Health), actor.getComponent(Health)]).toEqual([false, undefined]);
    actor.setComponent(Health, { points: 5 });
    actor.setComponent(Health, { points: 6 });
    expect(scene.getComponent(actor.entity, Health)?.points).toBe(6);
    expect(thrownBy(() => actor.addComponent(Health)).code).toBe('ecs/duplicate-component');
    actor.removeComponent(Health);
    actor.removeComponent(Health);
    expect(scene.hasComponent(actor.entity, Health)).toBe(false);
    expect([actor.scene, actor.manager]).toEqual([scene, actors]);
    expect(actors.actorOf(actor.entity)).toBe(actor.handle);
  });

  test('if onCreate or the constructor throws, entity and slot are freed, and the error says which class (25)', () => {
    class Broken extends Actor {
      override onCreate(): void {
        this.addComponent(Health);
        boom();
      }
    }
    class Unmakeable extends Actor {
      constructor() {
        super();
        boom();
      }
    }
    const { scene, actors } = setUp({ capacity: 1 });
    for (const [type, hook] of [
      [Broken, 'onCreate'],
      [Unmakeable, 'constructor'],
    ] as const) {
      const error = thrownBy(() => actors.create(type));
      expect(error).toMatchObject({
        code: 'actors/create-failed',
        subjects: { actor: type.name, hook },
        cause: { message: 'boom' },
      });
      expect(error.message).toContain(type.name);
      expect([scene.entityCount, actors.size]).toEqual([0, 0]);
    }
    expect(actors.isLive(actors.create(Player))).toBe(true);
  });

  test('the 1,025th actor is a coded error, and the others are unharmed (30)', () => {
    const { scene, actors } = setUp();
    const handles = Array.from({ length: 1_024 }, () => actors.create(Player));
    expect(thrownBy(() => actors.create(Player))).toMatchObject({
      code: 'actors/full',
      subjects: { actor: 'Player', capacity: 1_024 },
    });
    expect([actors.size, scene.entityCount]).toEqual([1_024, 1_024]);
    expect(handles.every((handle) => actors.isLive(handle))).toBe(true);
    actors.destroy(handles[7] as ActorHandle);
    expect(actors.isLive(actors.create(Player))).toBe(true);
  });

  test('a constructor that fills the last slot leaves none for its own actor (30)', () => {
    const { scene, actors } = setUp({ capacity: 1 });
    class Greedy extends Actor {
      constructor() {
        super();
        actors.create(Player);
      }
    }
    expect(thrownBy(() => actors.create(Greedy)).code).toBe('actors/full');
    expect([actors.size, scene.entityCount]).toEqual([1, 1]);
  });

  test('an onDestroy that destroys its own entity ends the actor there', () => {
    const { scene, actors } = setUp();
    const live: boolean[] = [];
    const handle = actors.create(Puppet, {
      destroy: (self) => {
        live.push(actors.isLive(self.handle));
        scene.destroyEntity(self.entity);
        live.push(actors.isLive(self.handle));
      },
    });
    expect(actors.destroy(handle)).toBe(true);
    expect([live, actors.size]).toEqual([[true, false], 0]);
  });

  test('an actor whose destruction was refused in its onCreate never ticks', () => {
    const { scene, actors } = setUp();
    const ticks: string[] = [];
    actors.create(Puppet, {
      create: (self) => scene.query().forEach(() => void thrownBy(() => self.destroy())),
      tick: () => ticks.push('tick'),
    });
    actors.tick(1);
    expect(ticks).toEqual([]);
  });

  test('two actors can’t wrap one entity (30)', () => {
    const { scene, actors } = setUp();
    const entity = scene.createEntity();
    const first = actors.createOn(entity, Player);
    expect(actors.access(first)?.entity).toBe(entity);
    expect(thrownBy(() => actors.createOn(entity, Recorder, 'b', []))).toMatchObject({
      code: 'actors/entity-taken',
      subjects: { actor: 'Recorder', entity, owner: 'Player' },
    });
    actors.destroy(first);
    expect(scene.isAlive(entity)).toBe(false);
    expect(thrownBy(() => actors.createOn(entity, Player)).code).toBe('actors/dead-entity');
  });

  test('an entity that was there before stays if onCreate throws on it', () => {
    const { scene, actors } = setUp();
    const entity = scene.createEntity();
    expect(thrownBy(() => actors.createOn(entity, Puppet, { create: boom })).code).toBe(
      'actors/create-failed',
    );
    expect(scene.isAlive(entity)).toBe(true);
    expect(actors.actorOf(entity)).toBeUndefined();
  });

  test('an entity destroyed under its actor makes the handle stale, and onDestroy still runs once (30)', () => {
    const { scene, actors } = setUp();
    const calls: string[] = [];
    const handle = actors.create(Puppet, {
      create: (self) => self.addComponent(Health),
      destroy: (self) => {
        calls.push(`destroy, has health ${self.hasComponent(Health)}`);
        self.destroy();
      },
    });
    const { entity } = actors.access(handle) as Puppet;
    scene.destroyEntity(entity);
    expect(calls).toEqual(['destroy, has health true']);
    expect([actors.isLive(handle), actors.size]).toEqual([false, 0]);
    expect(actors.destroy(handle)).toBe(false);
    actors.tick(1);
    actors.shutdown();
    expect(calls).toHaveLength(1);
  });

  test('so does one destroyed by a command or with its parent, whatever its onDestroy changes', () => {
    const { scene, actors } = setUp();
    const commands = new Commands(scene);
    const calls: string[] = [];
    const make = (name: string): ActorHandle<Puppet> =>
      actors.create(Puppet, {
        destroy: () => {
          calls.push(name);
          scene.createEntity(Health);
        },
      });
    const [first, parent, child] = [make('first'), make('parent'), make('child')].map((handle) =>
      actors.access(handle),
    ) as [Puppet, Puppet, Puppet];
    scene.setParent(child.entity, parent.entity);
    commands.destroyEntity(first.entity);
    commands.destroyEntity(parent.entity);
    commands.flush();
    expect(calls.toSorted()).toEqual(['child', 'first', 'parent']);
    expect([actors.size, scene.entityCount]).toEqual([0, 3]);
  });

  test('an onDestroy that throws doesn’t keep entity and slot; destroy says so, a destruction by another hand logs it', () => {
    const log = new EventLog('actors');
    const logged = vi.spyOn(log, 'error');
    const errors: EclipticError[] = [];
    const { scene, actors } = setUp({ log, onError: (error) => errors.push(error) });
    const first = actors.create(Puppet, { destroy: boom });
    expect(thrownBy(() => actors.destroy(first))).toMatchObject({
      code: 'actors/destroy-failed',
      subjects: { actor: 'Puppet' },
      cause: { message: 'boom' },
    });
    const second = actors.create(Puppet, { destroy: boom });
    scene.destroyEntity((actors.access(second) as Actor).entity);
    expect([scene.entityCount, actors.size]).toEqual([0, 0]);
    expect(logged.mock.calls.map(([event]) => event)).toEqual(['destroy_failed']);
    expect(errors.map(({ code }) => code)).toEqual(['actors/destroy-failed']);
  });

  test('where the scene refuses to destroy the entity, onDestroy has run once, and the next destroy finishes', () => {
    const { scene, actors } = setUp();
    const calls: string[] = [];
    const handle = actors.create(Recorder, 'a', calls);
    (actors.access(handle) as Actor).addComponent(Health);
    let error: unknown;
    scene.query(read(Health)).forEach(() => {
      error = thrownBy(() => actors.destroy(handle));
    });
    expect((error as EclipticError).code).toMatch(/^ecs\//);
    expect([calls, actors.isLive(handle)]).toEqual([['a create', 'a destroy'], false]);
    actors.tick(1);
    expect(actors.destroy(handle)).toBe(true);
    expect(calls).toEqual(['a create', 'a destroy']);
    expect([scene.entityCount, actors.size]).toEqual([0, 0]);
  });

  test('and so does a destruction by another hand', () => {
    const { scene, actors } = setUp({ capacity: 1 });
    const calls: string[] = [];
    const handle = actors.create(Recorder, 'a', calls);
    const { entity } = actors.access(handle) as Actor;
    scene.addComponent(entity, Health);
    scene.query(read(Health)).forEach(() => void thrownBy(() => actors.destroy(handle)));
    scene.destroyEntity(entity);
    expect(calls).toEqual(['a create', 'a destroy']);
    expect([actors.size, actors.actorOf(entity)]).toEqual([0, undefined]);
    actors.create(Recorder, 'b', calls);
  });

  test('the entity can’t be touched in the constructor, nor by an actor that no manager made', () => {
    class Eager extends Actor {
      constructor() {
        super();
        this.addComponent(Health);
      }
    }
    const { actors } = setUp();
    expect(thrownBy(() => actors.create(Eager))).toMatchObject({
      code: 'actors/create-failed',
      cause: { code: 'actors/not-attached', subjects: { actor: 'Eager' } },
    });
    expect(new Actor().isAlive()).toBe(false);
    expect(thrownBy(() => new Actor().entity).code).toBe('actors/not-attached');
    class Stranger {}
    expect(thrownBy(() => actors.create(Stranger as unknown as typeof Actor)).code).toBe(
      'actors/not-an-actor',
    );
  });

  test('a capacity that is no whole number of at least 1 is refused', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN]) {
      expect(thrownBy(() => setUp({ capacity })).code).toBe('actors/capacity');
    }
  });
});

describe('ticking', () => {
  test('actors tick in order of creation, with the length of the step in seconds', () => {
    const { actors } = setUp();
    const calls: string[] = [];
    const handles = ['a', 'b', 'c'].map((name) => actors.create(Recorder, name, calls));
    const player = actors.create(Player);
    actors.destroy(handles[1] as ActorHandle);
    actors.create(Recorder, 'd', calls);
    calls.length = 0;
    actors.tick(0.25);
    expect(calls).toEqual(['a tick', 'c tick', 'd tick']);
    expect(actors.access(player)?.ticked).toBe(0.25);
  });

  test('an actor may destroy itself or others in onTick; nothing is ticked after its destroy (26)', () => {
    const { actors } = setUp();
    const calls: string[] = [];
    const all: ActorHandle[] = [];
    all.push(actors.create(Recorder, 'first', calls));
    all.push(
      actors.create(Puppet, {
        tick: (self) => {
          calls.push('killer tick');
          for (const handle of all) self.manager.destroy(handle);
        },
        destroy: () => calls.push('killer destroy'),
      }),
    );
    all.push(actors.create(Recorder, 'last', calls));
    calls.length = 0;
    actors.tick(1);
    expect(calls).toEqual([
      'first tick',
      'killer tick',
      'first destroy',
      'killer destroy',
      'last destroy',
    ]);
    actors.tick(1);
    expect(calls).toHaveLength(5);
  });

  test('an actor may destroy itself or others in onDestroy; each onDestroy runs once (26)', () => {
    const { scene, actors } = setUp();
    const calls: string[] = [];
    const pair: ActorHandle[] = [];
    for (const name of ['a', 'b']) {
      pair.push(
        actors.create(Puppet, {
          destroy: (self) => {
            calls.push(name);
            self.destroy();
            for (const handle of pair) actors.destroy(handle);
            if (self.isAlive()) scene.destroyEntity(self.entity);
          },
        }),
      );
    }
    actors.destroy(pair[0] as ActorHandle);
    expect(calls).toEqual(['a', 'b']);
    expect([actors.size, scene.entityCount]).toEqual([0, 0]);
  });

  test('an actor created in onTick first ticks in the next step, whatever slot it got (27)', () => {
    const { actors } = setUp({ capacity: 3 });
    const calls: string[] = [];
    const spare = actors.create(Player);
    actors.create(Puppet, {
      tick: () => {
        if (!actors.destroy(spare)) return;
        actors.create(Recorder, 'young', calls); // a slot that is used again, or a new one
        actors.create(Recorder, 'younger', calls);
      },
    });
    actors.tick(1);
    expect(calls).toEqual(['young create', 'younger create']);
    actors.tick(1);
    expect(calls.slice(2)).toEqual(['young tick', 'younger tick']);
  });

  test('an onTick that throws does not stop the others; it is reported with class and entity, once in the log (28)', () => {
    const log = new EventLog('actors');
    const logged = vi.spyOn(log, 'error');
    const warned = vi.spyOn(log, 'warn');
    const errors: EclipticError[] = [];
    const { actors } = setUp({ log, onError: (error) => errors.push(error) });
    const calls: string[] = [];
    const faulty = actors.create(Puppet, { tick: boom });
    const { entity } = actors.access(faulty) as Actor;
    actors.create(Recorder, 'other', calls);
    for (let step = 0; step < 3; step++) actors.tick(1);
    expect(calls.filter((call) => call === 'other tick')).toHaveLength(3);
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged.mock.calls[0]).toMatchObject(['tick_failed', { actor: 'Puppet', entity }]);
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatchObject({
      code: 'actors/tick-failed',
      subjects: { actor: 'Puppet', entity },
      cause: { message: 'boom' },
    });
    actors.destroy(faulty);
    expect(warned).toHaveBeenCalledWith('tick_failures_suppressed', {
      actor: 'Puppet',
      entity,
      count: 2,
    });
  });

  test('with the policy disable a failing actor is not ticked again, with reject the tick throws after all had their turn (28)', () => {
    let ticks = 0;
    const failing = {
      tick: () => {
        ticks++;
        boom();
      },
    };
    const disabling = setUp({ tickErrors: 'disable' }).actors;
    const disabled = disabling.create(Puppet, failing);
    disabling.tick(1);
    disabling.tick(1);
    expect([ticks, disabling.isLive(disabled)]).toEqual([1, true]);

    const rejecting = setUp({ tickErrors: 'reject' }).actors;
    const calls: string[] = [];
    rejecting.create(Puppet, failing);
    rejecting.create(Recorder, 'other', calls);
    expect(thrownBy(() => rejecting.tick(1))).toMatchObject({
      code: 'actors/tick-failed',
      subjects: { actor: 'Puppet' },
    });
    expect(calls).toContain('other tick');
    rejecting.create(Puppet, failing);
    const both = thrownBy(() => rejecting.tick(1));
    expect(both.subjects).toEqual({ actors: ['Puppet', 'Puppet'] });
    expect((both.cause as AggregateError).errors).toHaveLength(2);
  });

  test('an async onTick is warned about once a class, and its rejection is reported', async () => {
    class Sleepy extends Actor {
      override onTick(): void {
        return Promise.reject(new Error('boom')) as unknown as void;
      }
    }
    const log = new EventLog('actors');
    const warned = vi.spyOn(log, 'warn');
    const errors: EclipticError[] = [];
    const { actors } = setUp({ log, onError: (error) => errors.push(error) });
    actors.create(Sleepy);
    actors.tick(1);
    actors.tick(1);
    await vi.waitFor(() => expect(errors).toHaveLength(2));
    expect(errors[0]).toMatchObject({ code: 'actors/tick-failed', subjects: { actor: 'Sleepy' } });
    expect(warned.mock.calls.filter(([event]) => event === 'async_hook')).toHaveLength(1);
  });

  test('an async onCreate or onDestroy is warned about, and its rejection is reported', async () => {
    const rejects = (): void => Promise.reject(new Error('boom')) as unknown as void;
    class Sleepy extends Actor {
      override onCreate(): void {
        return rejects();
      }
      override onDestroy(): void {
        return rejects();
      }
    }
    const errors: EclipticError[] = [];
    const { actors } = setUp({ onError: (error) => errors.push(error) });
    actors.destroy(actors.create(Sleepy));
    await vi.waitFor(() => expect(errors).toHaveLength(2));
    expect(errors.map(({ code, subjects }) => [code, subjects['hook']])).toEqual([
      ['actors/async-hook-failed', 'onCreate'],
      ['actors/async-hook-failed', 'onDestroy'],
    ]);
  });

  test('a tick inside a tick, or by nonsense, is a coded error', () => {
    const { actors } = setUp({ tickErrors: 'reject' });
    actors.create(Puppet, { tick: () => actors.tick(1) });
    expect(thrownBy(() => actors.tick(1)).cause).toMatchObject({ code: 'actors/nested-tick' });
    for (const dt of [Number.NaN, -1, Infinity]) {
      expect(thrownBy(() => actors.tick(dt)).code).toBe('actors/bad-dt');
    }
  });
});

describe('shutdown', () => {
  test('destroys in reverse order of creation, also after slots were recycled (29)', () => {
    const { scene, actors } = setUp({ capacity: 4 });
    const calls: string[] = [];
    const create = (name: string): ActorHandle => actors.create(Recorder, name, calls);
    const [a, b] = [create('a'), create('b')];
    create('c');
    create('d');
    actors.destroy(a);
    actors.destroy(b);
    create('e');
    create('f');
    calls.length = 0;
    actors.shutdown();
    expect(calls).toEqual(['f destroy', 'e destroy', 'd destroy', 'c destroy']);
    expect([actors.size, scene.entityCount]).toEqual([0, 0]);
    actors.shutdown();
    expect(calls).toHaveLength(4);
  });

  test('destroys all, whatever their hooks throw or do, and lets nobody create more', () => {
    const { scene, actors } = setUp();
    const calls: string[] = [];
    const first = actors.create(Recorder, 'first', calls);
    actors.create(Puppet, { destroy: () => actors.create(Player) });
    actors.create(Puppet, { destroy: boom });
    actors.create(Puppet, {
      destroy: () => {
        actors.shutdown();
        actors.destroy(first);
      },
    });
    const error = thrownBy(() => actors.shutdown());
    expect(error.code).toBe('actors/shutdown-failed');
    const failures = (error.cause as AggregateError).errors as EclipticError[];
    expect(failures.map(({ cause }) => (cause as Error).message)).toEqual([
      'boom',
      expect.stringContaining('shut down'),
    ]);
    expect(calls).toEqual(['first create', 'first destroy']);
    expect([actors.size, scene.entityCount]).toEqual([0, 0]);
    expect(thrownBy(() => actors.create(Player)).code).toBe('actors/shut-down');
    expect(thrownBy(() => actors.tick(1)).code).toBe('actors/shut-down');
  });

  test('says how many repeated warnings were held back', () => {
    class Sleepy extends Actor {
      override onTick(): void {
        return Promise.resolve() as unknown as void;
      }
    }
    const log = new EventLog('actors');
    const warned = vi.spyOn(log, 'warn');
    const { actors } = setUp({ log });
    actors.create(Sleepy);
    for (let step = 0; step < 3; step++) actors.tick(1);
    actors.shutdown();
    expect(warned).toHaveBeenLastCalledWith('warnings_suppressed', {
      suppressedEvent: 'async_hook',
      subject: 'Sleepy.onTick',
      count: 2,
    });
  });

  test('from inside a tick it ends the tick', () => {
    const { actors } = setUp();
    const calls: string[] = [];
    actors.create(Puppet, { tick: () => actors.shutdown() });
    actors.create(Recorder, 'other', calls);
    actors.tick(1);
    expect(calls).toEqual(['other create', 'other destroy']);
  });

  test('the scene goes on without it', () => {
    const { scene, actors } = setUp();
    actors.shutdown();
    const entity = scene.createEntity();
    scene.destroyEntity(entity);
    const next = new ActorManager(scene);
    expect(next.isLive(next.create(Player))).toBe(true);
  });
});
