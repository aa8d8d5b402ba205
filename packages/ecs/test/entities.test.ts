import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Commands,
  decodeEntityId,
  defineComponent,
  encodeEntityId,
  f32,
  INVALID_ENTITY,
  Scene,
  type EntityId,
} from '../src/index.js';
import { expectError, RecordingLog } from './support.js';

const A = defineComponent('A', { value: f32() });

describe('entities', () => {
  it('a created entity is alive; destroyed it is dead; its recycled slot gives a living handle while the old one stays dead (1)', () => {
    const scene = new Scene({ maxEntities: 1 });
    const first = scene.createEntity();
    expect(scene.isAlive(first)).toBe(true);
    scene.destroyEntity(first);
    expect(scene.isAlive(first)).toBe(false);
    const second = scene.createEntity();
    expect(decodeEntityId(second)).toEqual({ index: 0, generation: 2 });
    expect(scene.isAlive(second)).toBe(true);
    expect(scene.isAlive(first)).toBe(false);
  });

  it('INVALID_ENTITY is never alive, and the generation skips 0 (1)', () => {
    const scene = new Scene({ maxEntities: 1 });
    expect(scene.isAlive(INVALID_ENTITY)).toBe(false);
    let id = scene.createEntity();
    for (let i = 0; i < 1_023; i++) {
      scene.destroyEntity(id);
      expect(scene.isAlive(INVALID_ENTITY)).toBe(false);
      id = scene.createEntity();
      expect(decodeEntityId(id).generation).toBe(((i + 1) % 1_023) + 1);
    }
  });

  it('every id that can be issued decodes to its halves, and is a small positive integer (2)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_048_575 }),
        fc.integer({ min: 1, max: 1_023 }),
        (index, generation) => {
          const id = encodeEntityId(index, generation);
          expect(id).toBeGreaterThan(0);
          expect(id).toBeLessThan(2 ** 30);
          expect(decodeEntityId(id)).toEqual({ index, generation });
        },
      ),
    );
    expect(encodeEntityId(1, 1)).toBe(1_048_577);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 30, 5, 2 ** 53])(
    'decoding %d is a coded error (2)',
    (id) => {
      expect.hasAssertions();
      expectError('ecs/invalid-entity-id', () => decodeEntityId(id));
    },
  );

  it.each([
    [-1, 1],
    [1_048_576, 1],
    [0, 0],
    [0, 1_024],
    [0.5, 1],
    [0, Number.NaN],
  ])('encoding index %d, generation %d is a coded error (2)', (index, generation) => {
    expect.hasAssertions();
    expectError('ecs/invalid-entity-id', () => encodeEntityId(index, generation));
  });

  it('slots are recycled first-in first-out, and not before 1,024 are free (3)', () => {
    const scene = new Scene({ maxEntities: 8_192 });
    const ids = Array.from({ length: 1_030 }, () => scene.createEntity());
    const order = ids.toReversed();
    for (const id of order.slice(0, 1_023)) scene.destroyEntity(id);
    expect(decodeEntityId(scene.createEntity()).index).toBe(1_030);
    scene.destroyEntity(order[1_023] as EntityId);
    const recycled = scene.createEntity();
    expect(decodeEntityId(recycled)).toEqual({
      index: decodeEntityId(order[0] as EntityId).index,
      generation: 2,
    });
    // 1,023 are free again: a fresh slot.
    expect(decodeEntityId(scene.createEntity()).index).toBe(1_031);
  });

  it('a stale handle is caught for over a million spawns (3)', () => {
    const scene = new Scene({ maxEntities: 4_096 });
    const stale = scene.createEntity();
    scene.destroyEntity(stale);
    for (let i = 0; i < 1_024 * 1_022; i++) {
      const id = scene.createEntity();
      if (id === stale) throw new Error(`handle came back after ${i} spawns`);
      scene.destroyEntity(id);
    }
    expect(scene.isAlive(stale)).toBe(false);
  });

  it('entity 65,537 of a 65,536 scene is a coded error, and the scene is unharmed (4)', () => {
    const scene = new Scene();
    for (let i = 0; i < 65_536; i++) scene.createEntity();
    const { message } = expectError('ecs/entity-budget', () => scene.createEntity(A));
    expect(message).toContain('65536');
    expect(scene.entityCount).toBe(65_536);
    const id = scene.query().entities[3] as EntityId;
    scene.destroyEntity(id);
    expect(scene.isAlive(scene.createEntity([A, { value: 2 }]))).toBe(true);
  });

  it('warnings fire exactly once a frame at 25, 50 and 100 % of the budget (4)', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ maxEntities: 100, log, churnWarning: 1_000 });
    const ids: EntityId[] = [];
    for (let i = 0; i < 100; i++) ids.push(scene.createEntity());
    const percents = (): unknown[] => log.of('entity_budget').map(({ percent }) => percent);
    expect(percents()).toEqual([25, 50, 100]);
    for (let i = 0; i < 5; i++) {
      scene.destroyEntity(ids.pop() as EntityId);
      ids.push(scene.createEntity());
    }
    expect(percents()).toEqual([25, 50, 100]);
    scene.beginFrame();
    scene.destroyEntity(ids.pop() as EntityId);
    scene.createEntity();
    expect(percents()).toEqual([25, 50, 100, 100]);
  });

  it('very many creations in a frame are warned about once, also by commands', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ maxEntities: 64, log, churnWarning: 10 });
    const commands = new Commands(scene);
    for (let i = 0; i < 20; i++) {
      const id = commands.createEntity();
      commands.destroyEntity(id);
    }
    commands.flush();
    expect(log.of('entity_churn')).toHaveLength(1);
    scene.beginFrame();
    for (let i = 0; i < 10; i++) scene.destroyEntity(scene.createEntity());
    expect(log.of('entity_churn')).toHaveLength(2);
  });

  it.each([Number.NaN, -1, 1.5, Infinity, 2 ** 31, 2 ** 40, 4_294_967_297])(
    '%d is no entity, and changes nothing',
    (id) => {
      const scene = new Scene({ maxEntities: 64 });
      const entity = scene.createEntity([A, { value: 1 }]);
      const before = scene.stateHash();
      expect(scene.isAlive(id)).toBe(false);
      expect(scene.hasComponent(id, A)).toBe(false);
      expect(scene.getComponent(id, A)).toBeUndefined();
      expect(scene.getMask(id).isEmpty).toBe(true);
      expectError('ecs/stale-entity', () => scene.destroyEntity(id));
      expectError('ecs/stale-entity', () => scene.addComponent(id, A));
      expectError('ecs/stale-entity', () => scene.setComponent(id, A, { value: 5 }));
      expectError('ecs/stale-entity', () => scene.removeComponent(id, A));
      expect(scene.stateHash()).toBe(before);
      expect(scene.getComponent(entity, A)?.value).toBe(1);
    },
  );

  it.each(['maxEntities', 'maxComponentTypes', 'maxArchetypes', 'maxComponentsPerEntity'] as const)(
    'the option %s takes only sane numbers',
    (option) => {
      expect.hasAssertions();
      for (const value of [0, -1, 1.5, Number.NaN, 2 ** 40]) {
        expectError('ecs/invalid-option', () => new Scene({ [option]: value }));
      }
    },
  );
});
