import {
  Commands,
  defineComponent,
  f32,
  i32,
  query,
  read,
  Scene,
  without,
  write,
  type EntityId,
} from '@ecliptic/ecs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSystem, WorldTick, type System } from '../src/index.js';

const Fields = ['A', 'B', 'C', 'D'].map((name) => defineComponent(name, { value: i32() }));
const Age = defineComponent('Age', { seconds: f32() });

type Field = (typeof Fields)[number];

/** What a random system does: mixes what it reads into what it writes, and spawns and kills now and then. */
interface Recipe {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly phase: string;
  readonly order: number;
  readonly spawns: boolean;
  readonly kills: boolean;
}

const recipes = fc.array(
  fc.record<Recipe>({
    reads: fc.subarray([0, 1, 2, 3], { maxLength: 2 }),
    writes: fc.subarray([0, 1, 2, 3], { maxLength: 2 }),
    phase: fc.constantFrom('physics', 'physics', 'render'),
    order: fc.integer({ min: -1, max: 1 }),
    spawns: fc.boolean(),
    kills: fc.boolean(),
  }),
  { minLength: 2, maxLength: 10 },
);

function field(index: number): Field {
  return Fields[index] as Field;
}

function makeSystem(recipe: Recipe, number: number): System {
  const reads = recipe.reads.filter((index) => !recipe.writes.includes(index));
  const salt = 31 * number + 7;
  return defineSystem({
    name: `system ${number}`,
    phase: recipe.phase,
    order: recipe.order,
    queries: {
      rows: query(
        ...recipe.writes.map((index) => write(field(index))),
        ...reads.map((index) => read(field(index))),
      ),
      young: query(read(Age), without(field(3))),
    },
    update({ rows, young }, { commands, dt, time }) {
      for (const table of rows.tables()) {
        for (let row = 0; row < table.count; row++) {
          let mix = salt + time.frameCount;
          for (const index of reads) mix = Math.imul(mix, 33) ^ (column(table, index)[row] ?? 0);
          for (const index of recipe.writes) {
            const values = column(table, index);
            values[row] = Math.imul((values[row] ?? 0) ^ mix, 0x9e37_79b1);
          }
        }
      }
      if (recipe.spawns && time.frameCount % 3 === 0) {
        const child = commands.createEntity();
        commands.addComponent(child, field(number % 4), { value: salt });
        commands.addComponent(child, Age, { seconds: dt });
      }
      if (recipe.kills && time.frameCount % 5 === number % 5) {
        const [first] = young.entities;
        if (first !== undefined) commands.destroyEntity(first);
      }
    },
  });
}

function column(table: { column(component: Field): { value: Int32Array } }, index: number) {
  return table.column(field(index)).value;
}

/** Runs the recipes for some ticks; returns the hash after each. */
function simulate(list: readonly Recipe[], ticks: number, shuffleSeed?: number): string[] {
  const scene = new Scene({ maxEntities: 2_048, arenaBudget: 8 * 1024 * 1024 });
  const entities: EntityId[] = [];
  for (let i = 0; i < 24; i++) {
    const entity = scene.createEntity([Age, { seconds: i }]);
    for (let c = 0; c < 4; c++) {
      if ((i >> c) & 1) scene.addComponent(entity, field(c), { value: i * c });
    }
    entities.push(entity);
  }
  const worldTick = new WorldTick(scene, {
    conflicts: 'off',
    ...(shuffleSeed !== undefined && { shuffleSeed }),
  });
  for (const [number, recipe] of list.entries()) {
    worldTick.registerSystem(makeSystem(recipe, number));
  }
  worldTick.commit();
  const commands = new Commands(scene);
  const hashes: string[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    void worldTick.tick(1 / 60, commands);
    commands.flush();
    hashes.push(scene.stateHash());
  }
  scene.dispose();
  return hashes;
}

describe('Determinism (36)', () => {
  it('any seeded shuffle of the legal orders ends in the same state, for random systems', () => {
    fc.assert(
      fc.property(recipes, fc.integer(), (list, seed) => {
        expect(simulate(list, 12, seed)).toEqual(simulate(list, 12));
      }),
      { numRuns: 40 },
    );
  });

  it('the state really changes', () => {
    const recipe: Recipe = {
      reads: [0],
      writes: [1],
      phase: 'physics',
      order: 0,
      spawns: true,
      kills: true,
    };
    const list = [recipe, { ...recipe, reads: [1], writes: [2] }];
    expect(new Set(simulate(list, 12)).size).toBe(12);
  });

  it('shuffles really differ', () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const ran: string[] = [];
      const scene = new Scene({ maxEntities: 16, arenaBudget: 1024 * 1024 });
      const worldTick = new WorldTick(scene, { shuffleSeed: seed });
      for (const name of ['a', 'b', 'c', 'd']) {
        worldTick.registerSystem(defineSystem({ name, update: () => void ran.push(name) }));
      }
      worldTick.orderBefore('a', 'd').commit();
      void worldTick.tick(1, new Commands(scene));
      expect(ran.indexOf('a')).toBeLessThan(ran.indexOf('d'));
      orders.add(ran.join(''));
    }
    expect(orders.size).toBeGreaterThan(6);
  });
});
