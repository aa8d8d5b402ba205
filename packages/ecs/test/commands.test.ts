import type { EclipticError } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Commands,
  defineComponent,
  defineTag,
  entity,
  f32,
  object,
  Scene,
  vec3,
  type EntityId,
} from '../src/index.js';
import { expectError } from './support.js';

const Position = defineComponent('Position', { value: vec3() });
const Health = defineComponent('Health', { points: f32({ default: 100 }), armor: f32() });
const Owner = defineComponent('Owner', { entity: entity() });
const Sound = defineComponent('Sound', { handle: object<string>() });
const Burning = defineTag('Burning', { storage: 'sparse' });

function setUp(): { scene: Scene; commands: Commands } {
  const scene = new Scene();
  return { scene, commands: new Commands(scene) };
}

describe('Commands', () => {
  it('nothing is visible before flush; after it everything is, in submission order (19)', () => {
    const { scene, commands } = setUp();
    const a = scene.createEntity(Position);
    const made = commands.createEntity();
    commands.addComponent(made, Health, { points: 5 });
    commands.setComponent(a, Position, { value: [1, 2, 3] });
    commands.setComponent(a, Position, { value: [4, 5, 6] });
    commands.addComponent(a, Health);
    commands.removeComponent(a, Health);
    commands.addComponent(a, Health, { points: 7 });
    commands.setComponent(a, Health, { armor: 2 });
    expect(scene.entityCount).toBe(1);
    expect(scene.hasComponent(a, Health)).toBe(false);
    expect(scene.getComponent(a, Position)?.value.toArray()).toEqual([0, 0, 0]);
    expect(commands.isEmpty()).toBe(false);
    commands.flush();
    expect(commands.isEmpty()).toBe(true);
    expect(scene.entityCount).toBe(2);
    expect(scene.getComponent(commands.resolve(made), Health)?.points).toBe(5);
    expect(scene.getComponent(a, Position)?.value.toArray()).toEqual([4, 5, 6]);
    expect(scene.getComponent(a, Health)?.points).toBe(7);
    expect(scene.getComponent(a, Health)?.armor).toBe(2);
  });

  it('destroying twice, also from two systems’ buffers, is one destroy (20)', () => {
    const { scene, commands } = setUp();
    const other = new Commands(scene);
    const destroyed: EntityId[] = [];
    scene.observeDestroy((id) => destroyed.push(id));
    const a = scene.createEntity(Position);
    commands.destroyEntity(a);
    commands.destroyEntity(a);
    other.destroyEntity(a);
    commands.merge(other);
    commands.flush();
    expect(destroyed).toEqual([a]);
    expect(commands.skipped).toBe(0);
  });

  it('a command whose target is dead by its turn is skipped and counted (20)', () => {
    const { scene, commands } = setUp();
    const a = scene.createEntity();
    commands.destroyEntity(a);
    commands.addComponent(a, Health);
    commands.removeComponent(a, Position);
    const b = commands.createEntity();
    commands.flush();
    expect(commands.skipped).toBe(2);
    expect(scene.isAlive(commands.resolve(b))).toBe(true);
  });

  it('adding what is there by then is skipped and counted', () => {
    const { scene, commands } = setUp();
    const a = scene.createEntity([Health, { points: 1 }]);
    commands.addComponent(a, Health, { points: 2 });
    commands.flush();
    expect(scene.getComponent(a, Health)?.points).toBe(1);
    expect(commands.skipped).toBe(1);
  });

  it('a spawn gives an id at once that can be used in the same buffer, and inside entity fields (21)', () => {
    const { scene, commands } = setUp();
    const spawned: EntityId[] = [];
    const child = commands.createEntity((id) => spawned.push(id));
    const owner = commands.createEntity();
    commands.addComponent(child, Owner, { entity: owner });
    commands.addComponent(child, Sound, { handle: 'crack' });
    commands.addComponent(child, Burning);
    expect(scene.isAlive(child)).toBe(false);
    expect(spawned).toEqual([]);
    commands.flush();
    const real = commands.resolve(child);
    expect(spawned).toEqual([real]);
    expect(scene.getComponent(real, Owner)?.entity).toBe(commands.resolve(owner));
    expect(scene.getComponent(real, Sound)?.handle).toBe('crack');
    expect(scene.hasComponent(real, Burning)).toBe(true);
  });
});

describe('Commands: callbacks, merging, misuse', () => {
  it('a callback may queue more commands: they are applied in the same flush, after those queued before (22)', () => {
    const { scene, commands } = setUp();
    const order: string[] = [];
    scene.observe('add', Health, (id) =>
      order.push(`health ${scene.getComponent(id, Health)?.points}`),
    );
    commands.createEntity((id) => {
      order.push('first');
      commands.addComponent(id, Health, { points: 3 });
      commands.createEntity(() => order.push('third'));
    });
    const second = commands.createEntity(() => order.push('second'));
    commands.addComponent(second, Health, { points: 1 });
    commands.flush();
    expect(order).toEqual(['first', 'second', 'health 1', 'health 3', 'third']);
  });

  it('callbacks that never end are stopped at a stated bound (22)', () => {
    const { scene, commands } = setUp();
    let calls = 0;
    const again = (): void => {
      calls++;
      commands.createEntity(again);
    };
    again();
    const { cause } = expectError('ecs/command-failed', () => commands.flush());
    expect((cause as EclipticError).code).toBe('ecs/command-flood');
    expect(calls).toBe(65);
    expect(scene.entityCount).toBe(64);
    expect(commands.isEmpty()).toBe(true);
    commands.flush();
    expect(scene.entityCount).toBe(64);
  });

  it('flushing inside an iteration or a callback is an error (22)', () => {
    const { scene, commands } = setUp();
    scene.createEntity(Position);
    commands.createEntity();
    scene.query(Position).each(() => {
      expectError('ecs/structural-change-while-iterating', () => commands.flush());
    });
    expect(commands.isEmpty()).toBe(false);
    commands.createEntity(() => {
      expectError('ecs/nested-flush', () => commands.flush());
    });
    commands.flush();
    expect(scene.entityCount).toBe(3);
  });

  it('clear drops callbacks too (22)', () => {
    const { scene, commands } = setUp();
    let called = false;
    commands.createEntity(() => {
      called = true;
    });
    commands.clear();
    expect(commands.isEmpty()).toBe(true);
    commands.createEntity();
    commands.flush();
    expect(called).toBe(false);
    expect(scene.entityCount).toBe(1);
  });

  it('merging staged buffers gives the order of system registration, whatever order workers finish in (23)', () => {
    const result = (finish: readonly number[]): string => {
      const scene = new Scene({ maxEntities: 256 });
      const target = scene.createEntity(Position);
      const staged = [0, 1, 2, 3].map(() => new Commands(scene));
      const seen: string[] = [];
      for (const n of finish) {
        const commands = staged[n] as Commands;
        commands.setComponent(target, Position, { value: [n, n, n] });
        const made = commands.createEntity((id) => seen.push(`${n}:${id}`));
        const other = commands.createEntity();
        commands.addComponent(other, Owner, { entity: made });
        commands.addComponent(other, Sound, { handle: `sound ${n}` });
        commands.addComponent(made, Health, { points: n });
      }
      const main = new Commands(scene);
      main.createEntity();
      for (const commands of staged) main.merge(commands);
      expect(staged.every((each) => each.isEmpty())).toBe(true);
      main.flush();
      const owners: string[] = [];
      scene.forEach([Owner, Sound], (_id, owner, sound) => {
        owners.push(`${scene.getComponent(owner.entity, Health)?.points} ${sound.handle}`);
      });
      expect(owners).toEqual([0, 1, 2, 3].map((n) => `${n} sound ${n}`));
      expect(scene.getComponent(target, Position)?.value.x).toBe(3);
      return scene.stateHash() + seen.join();
    };
    const expected = result([0, 1, 2, 3]);
    expect(result([3, 1, 0, 2])).toBe(expected);
    expect(result([2, 3, 1, 0])).toBe(expected);
  });

  it('more creations than there are placeholders are an error, also when merged', () => {
    const { commands } = setUp();
    for (let i = 0; i < 524_287; i++) commands.createEntity();
    expectError('ecs/command-budget', () => commands.createEntity());
    const { scene, commands: main } = setUp();
    const staged = new Commands(scene);
    main.createEntity();
    for (let i = 0; i < 524_287; i++) staged.createEntity();
    expectError('ecs/command-budget', () => main.merge(staged));
    main.flush();
    expect(scene.entityCount).toBe(1);
    expect(staged.isEmpty()).toBe(false);
  });

  it('buffers of other scenes are not merged', () => {
    const { scene, commands } = setUp();
    expectError('ecs/foreign-commands', () => commands.merge(commands));
    expectError('ecs/foreign-commands', () =>
      commands.merge(new Commands(new Scene({ maxEntities: 16 }))),
    );
    expect(scene.entityCount).toBe(0);
  });

  it('a placeholder is unknown after its flush, and to other buffers', () => {
    const { scene, commands } = setUp();
    const made = commands.createEntity();
    commands.flush();
    commands.createEntity();
    commands.addComponent(made, Health);
    commands.flush();
    expect(commands.skipped).toBe(1);
    expect(scene.query(Health).count()).toBe(0);
    const a = scene.createEntity(Position);
    commands.addComponent(a, Owner, { entity: made });
    commands.flush();
    expect(scene.getComponent(a, Owner)?.entity).toBe(0);
  });

  it('a placeholder of an earlier flush is nobody after a merge, and no entity of the other buffer', () => {
    const scene = new Scene({ maxEntities: 16, arenaBudget: 1024 * 1024 });
    const staged = new Commands(scene);
    const main = new Commands(scene);
    const kept = staged.createEntity();
    staged.clear();
    const innocent = main.createEntity();
    staged.destroyEntity(kept);
    main.merge(staged);
    main.flush();
    expect(scene.isAlive(main.resolve(innocent))).toBe(true);
  });

  it('a command that fails does not stop the rest, and is reported at the end', () => {
    const scene = new Scene({ maxEntities: 3 });
    const commands = new Commands(scene);
    const a = scene.createEntity();
    for (let i = 0; i < 5; i++) commands.createEntity();
    commands.addComponent(a, Health, { points: 7 });
    const { cause } = expectError('ecs/command-failed', () => commands.flush());
    expect((cause as AggregateError).errors).toHaveLength(3);
    expect(scene.getComponent(a, Health)?.points).toBe(7);
    expect(scene.entityCount).toBe(3);
  });

  it('values are checked when they are recorded, and copied', () => {
    const { scene, commands } = setUp();
    const a = scene.createEntity();
    expectError('ecs/invalid-value', () =>
      commands.addComponent(a, Health, { points: Number.NaN }),
    );
    expect(commands.isEmpty()).toBe(true);
    const value: [number, number, number] = [1, 2, 3];
    commands.addComponent(a, Position, { value });
    value[0] = 9;
    commands.flush();
    expect(scene.getComponent(a, Position)?.value.x).toBe(1);
  });

  it('does what doing it at once would do', () => {
    const step = fc.record({
      what: fc.constantFrom('create', 'destroy', 'add', 'set', 'remove', 'flush'),
      who: fc.nat(20),
      component: fc.constantFrom(Position, Health, Burning),
      n: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const deferred = new Scene({ maxEntities: 256 });
        const direct = new Scene({ maxEntities: 256 });
        const commands = new Commands(deferred);
        const pairs: { late: EntityId; now: EntityId; dead: boolean }[] = [];
        for (const { what, who, component, n } of steps) {
          const pair = pairs[who % Math.max(1, pairs.length)];
          const value = component === Health ? { points: n } : {};
          if (what === 'flush') {
            commands.flush();
            for (const each of pairs) each.late = commands.resolve(each.late) || each.late;
          } else if (what === 'create') {
            pairs.push({ late: commands.createEntity(), now: direct.createEntity(), dead: false });
          } else if (!pair || pair.dead) continue;
          else if (what === 'destroy') {
            commands.destroyEntity(pair.late);
            direct.destroyEntity(pair.now);
            pair.dead = true;
          } else if (what === 'remove') {
            commands.removeComponent(pair.late, component);
            direct.removeComponent(pair.now, component);
          } else if (what === 'set') {
            commands.setComponent(pair.late, component, value);
            direct.setComponent(pair.now, component, value);
          } else if (what === 'add' && !direct.hasComponent(pair.now, component)) {
            commands.addComponent(pair.late, component, value);
            direct.addComponent(pair.now, component, value);
          }
        }
        commands.flush();
        expect(deferred.stateHash()).toBe(direct.stateHash());
        expect(commands.skipped).toBe(0);
        deferred.dispose();
        direct.dispose();
      }),
      { numRuns: 100 },
    );
  });

  it('a value whose getter records so much that the memory grows comes whole', () => {
    const { scene, commands } = setUp();
    const made = commands.createEntity();
    commands.addComponent(made, Health, {
      points: 5,
      get armor() {
        for (let i = 0; i < 200; i++) commands.addComponent(commands.createEntity(), Position);
        return 3;
      },
    });
    commands.flush();
    const health = scene.getComponent(commands.resolve(made), Health);
    expect([health?.points, health?.armor]).toEqual([5, 3]);
  });

  it('the last of a wave that has one component more, which finds no room, is not made, as one by one', () => {
    const counts = [false, true].map((observed) => {
      const scene = new Scene({ maxArchetypes: 1 });
      const commands = new Commands(scene);
      if (observed) scene.observe('add', Health, () => {});
      let made = 0;
      for (let i = 0; i < 12; i++) {
        made = commands.createEntity();
        commands.addComponent(made, Position);
      }
      commands.addComponent(made, Health);
      expectError('ecs/command-failed', () => commands.flush());
      expect(scene.isAlive(commands.resolve(made))).toBe(false);
      return scene.entityCount;
    });
    expect(counts).toEqual([11, 11]);
  });

  it('waves of the same kind come as one by one: ids, rows, values, and what finds no room', () => {
    const wave = fc.record({
      count: fc.nat(60),
      components: fc.shuffledSubarray([Position, Health, Owner, Burning]),
      more: fc.constantFrom('nothing', 'add', 'set', 'remove', 'destroy'),
      dies: fc.nat(40),
    });
    const options = fc.record({
      waves: fc.array(wave, { maxLength: 8 }),
      rowOrder: fc.constantFrom('packed', 'ordered'),
      maxEntities: fc.constantFrom(100, 2_000),
      observed: fc.boolean(),
    });
    fc.assert(
      fc.property(options, ({ waves, rowOrder, maxEntities, observed }) => {
        const deferred = new Scene({ maxEntities, rowOrder, development: false });
        const direct = new Scene({ maxEntities, rowOrder, development: false });
        const commands = new Commands(deferred);
        const told: EntityId[][] = [[], []];
        for (const [i, scene] of [deferred, direct].entries()) {
          if (observed) scene.observe('add', Health, (id) => told[i]?.push(id));
        }
        const ids: EntityId[] = [];
        for (const { count, components, more, dies } of waves) {
          const late: EntityId[] = [];
          const now: EntityId[] = [];
          for (let n = 0; n < count; n++) {
            const value = { value: [n, 0, -n] as const, points: n, entity: ids[n] ?? 0 };
            late.push(commands.createEntity());
            for (const each of components) commands.addComponent(late[n] as EntityId, each, value);
            if (direct.entityCount === maxEntities) continue;
            const inits = components.map((each) => [each, value] as const);
            now.push(direct.createEntity(...(inits as unknown as [typeof Position])));
          }
          const [last, real] = [late[now.length - 1], now.at(-1)];
          if (last !== undefined && real !== undefined && now.length === count) {
            if (more === 'add' && !components.includes(Health)) {
              commands.addComponent(last, Health, { armor: 3 });
              direct.addComponent(real, Health, { armor: 3 });
            } else if (more === 'set') {
              commands.setComponent(last, Position, { value: [7, 8, 9] });
              direct.setComponent(real, Position, { value: [7, 8, 9] });
            } else if (more === 'remove') {
              commands.removeComponent(last, Position);
              direct.removeComponent(real, Position);
            } else if (more === 'destroy') {
              commands.destroyEntity(last);
              direct.destroyEntity(real);
            }
          }
          if (now.length === count) commands.flush();
          else expectError('ecs/command-failed', () => commands.flush());
          expect(late.map((id) => commands.resolve(id)).slice(0, now.length)).toEqual(now);
          if (!(more === 'destroy' && now.length === count)) ids.push(...now);
          else ids.push(...now.slice(0, -1));
          for (const id of ids.splice(0, dies)) {
            deferred.destroyEntity(id);
            direct.destroyEntity(id);
          }
        }
        expect(deferred.stateHash()).toBe(direct.stateHash());
        expect(told[0]).toEqual(told[1]);
        expect(deferred.archetypeStats().totalAdds).toBe(direct.archetypeStats().totalAdds);
        deferred.dispose();
        direct.dispose();
      }),
      { numRuns: 150 },
    );
  });

  it('an entity may refer to itself', () => {
    const { scene, commands } = setUp();
    const made = commands.createEntity();
    commands.addComponent(made, Health);
    commands.addComponent(made, Owner, { entity: made });
    commands.addComponent(made, Position, { value: [1, 2, 3] });
    commands.flush();
    const real = commands.resolve(made);
    expect(scene.getComponent(real, Owner)?.entity).toBe(real);
    expect(scene.getComponent(real, Position)?.value.toArray()).toEqual([1, 2, 3]);
  });

  it('an entity whose observer throws is there with all its components, and has its id', () => {
    const { scene, commands } = setUp();
    const failure = new Error('an observer');
    scene.observe('add', Health, () => {
      throw failure;
    });
    const made = commands.createEntity();
    commands.addComponent(made, Health, { points: 5 });
    commands.addComponent(made, Sound, { handle: 'bell' });
    const error = expectError('ecs/command-failed', () => commands.flush());
    expect(error.cause).toBe(failure);
    expect(commands.skipped).toBe(0);
    const real = commands.resolve(made);
    expect(scene.getComponent(real, Health)?.points).toBe(5);
    expect(scene.getComponent(real, Sound)?.handle).toBe('bell');
  });
});
