import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defineComponent,
  entity,
  f64,
  object,
  Scene,
  u16,
  u8,
  vec3,
  type EntityId,
  type SceneOptions,
  type StorageKind,
} from '../src/index.js';
import { expectError } from './support.js';

interface Row {
  place: [number, number, number];
  time: number;
  small: number;
  tiny: number;
  target: EntityId;
  note: string;
}

/** What every storage of components must do, in every row order. */
export function storageConformance(
  name: string,
  storage: StorageKind,
  rowOrder: NonNullable<SceneOptions['rowOrder']>,
): void {
  const Data = defineComponent(
    'Data',
    {
      place: vec3(),
      small: u8(),
      time: f64(),
      tiny: u16(),
      target: entity(),
      note: object<string>(),
    },
    { storage },
  );
  const Other = defineComponent('Other', { n: u8() });
  const make = (): Scene => new Scene({ maxEntities: 512, rowOrder });
  const row = (n: number): Row => ({
    place: [n, n / 2, 0 - n],
    time: n * Math.PI,
    small: n % 256,
    tiny: (n * 7) % 65_536,
    target: n,
    note: `note ${n}`,
  });
  const read = (scene: Scene, id: EntityId): Row | undefined => {
    const view = scene.getComponent(id, Data);
    return (
      view && {
        place: view.place.toArray(),
        time: view.time,
        small: view.small,
        tiny: view.tiny,
        target: view.target,
        note: view.note ?? '',
      }
    );
  };

  describe(`storage: ${name}`, () => {
    it('keeps what it is given through growth, moves and holes', () => {
      const scene = make();
      const ids = Array.from({ length: 300 }, (_, n) => scene.createEntity([Data, row(n)]));
      for (const [n, id] of ids.entries()) {
        if (n % 3 === 0) scene.removeComponent(id, Data);
        if (n % 3 === 1) scene.addComponent(id, Other, { n: 1 });
      }
      for (const [n, id] of ids.entries()) {
        expect(read(scene, id)).toEqual(n % 3 === 0 ? undefined : row(n));
        expect(scene.hasComponent(id, Data)).toBe(n % 3 !== 0);
      }
    });

    it('a component that comes back begins with its defaults', () => {
      const scene = make();
      const a = scene.createEntity([Data, row(5)]);
      scene.removeComponent(a, Data);
      scene.addComponent(a, Data);
      expect(read(scene, a)).toEqual({ ...row(0), note: '' });
    });

    it('checks the generation', () => {
      const scene = new Scene({ maxEntities: 1, rowOrder });
      const stale = scene.createEntity([Data, row(1)]);
      scene.destroyEntity(stale);
      const fresh = scene.createEntity([Data, row(2)]);
      expect(scene.hasComponent(stale, Data)).toBe(false);
      expect(scene.getComponent(stale, Data)).toBeUndefined();
      expectError('ecs/stale-entity', () => scene.removeComponent(stale, Data));
      expect(read(scene, fresh)).toEqual(row(2));
    });

    it('queries see its rows and only those', () => {
      const scene = make();
      const ids = Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? scene.createEntity([Data, row(n)]) : scene.createEntity(Other),
      );
      const seen = new Map<EntityId, number>();
      scene.forEach([Data], (id, data) => {
        seen.set(id, data.time);
      });
      expect(seen).toEqual(
        new Map(ids.flatMap((id, n) => (n % 2 === 0 ? [[id, n * Math.PI] as const] : []))),
      );
    });

    it('a steady coming and going reserves nothing more', () => {
      const scene = make();
      const ids = Array.from({ length: 100 }, (_, n) => scene.createEntity([Data, row(n)]));
      const churn = (): void => {
        for (const id of ids) scene.removeComponent(id, Data);
        for (const id of ids) scene.addComponent(id, Data);
      };
      churn();
      const before = scene.archetypeStats();
      for (let i = 0; i < 20; i++) churn();
      const after = scene.archetypeStats();
      expect(after.totalReservations).toBe(before.totalReservations);
      expect(after.bytesReserved).toBe(before.bytesReserved);
      expect(after.totalAdds - before.totalAdds).toBe(2_000);
      expect(after.totalRemoves - before.totalRemoves).toBe(2_000);
    });

    it('does what a map would do', () => {
      const action = fc.record({
        what: fc.constantFrom('add', 'set', 'remove', 'destroy', 'other'),
        who: fc.nat(7),
        n: fc.nat(1_000),
      });
      fc.assert(
        fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
          const scene = make();
          const model = new Map<EntityId, Row | undefined>();
          const ids = Array.from({ length: 8 }, () => scene.createEntity());
          for (const id of ids) model.set(id, undefined);
          for (const { what, who, n } of actions) {
            const id = ids[who] ?? 0;
            const held = model.get(id);
            if (what === 'add' && !held) {
              scene.addComponent(id, Data, row(n));
              model.set(id, row(n));
            } else if (what === 'set') {
              scene.setComponent(id, Data, { time: n });
              model.set(id, { ...(held ?? { ...row(0), note: '' }), time: n });
            } else if (what === 'remove') {
              scene.removeComponent(id, Data);
              model.set(id, undefined);
            } else if (what === 'other') {
              if (scene.hasComponent(id, Other)) scene.removeComponent(id, Other);
              else scene.addComponent(id, Other);
            } else if (what === 'destroy') {
              scene.destroyEntity(id);
              model.delete(id);
              ids[who] = scene.createEntity();
              model.set(ids[who], undefined);
            }
          }
          for (const [id, expected] of model) expect(read(scene, id)).toEqual(expected);
          const holders = scene.query(Data).count();
          expect(holders).toBe([...model.values()].filter((each) => each !== undefined).length);
          scene.dispose();
        }),
        { numRuns: 60 },
      );
    });
  });
}
