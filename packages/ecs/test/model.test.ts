import { describe, expect, it } from 'vitest';
import {
  Commands,
  defineComponent,
  defineTag,
  f32,
  f64,
  object,
  Scene,
  u8,
  vec3,
  type Component,
  type EntityId,
} from '../src/index.js';

const Place = defineComponent('Place', { value: vec3() });
const Count = defineComponent('Count', { n: f64(), small: u8() });
const Note = defineComponent('Note', { text: object<string>() });
const Heat = defineComponent('Heat', { n: f32() }, { storage: 'sparse' });
const Flag = defineTag('Flag');
const Blink = defineTag('Blink', { storage: 'sparse' });
const ALL: readonly Component[] = [Place, Count, Note, Heat, Flag, Blink];

/** The values of one entity as the oracle keeps them. */
type Values = Map<Component, number>;

/** A value of a component made of one number, and that number taken back. */
const give = (component: Component, n: number): object => {
  if (component === Place) return { value: [n, -n, n / 2] };
  if (component === Count) return { n, small: n % 256 };
  if (component === Note) return { text: `note ${n}` };
  return component === Heat ? { n } : {};
};

function take(scene: Scene, id: EntityId, component: Component): unknown {
  if (component === Place) return scene.getComponent(id, Place)?.value.toArray();
  if (component === Count) {
    const count = scene.getComponent(id, Count);
    return count && [count.n, count.small];
  }
  if (component === Note) return scene.getComponent(id, Note)?.text;
  if (component === Heat) return scene.getComponent(id, Heat)?.n;
  return scene.hasComponent(id, component);
}

const expected = (component: Component, n: number | undefined): unknown => {
  if (n === undefined) return component === Flag || component === Blink ? false : undefined;
  if (component === Place) return [n, -n, n / 2];
  if (component === Count) return [n, n % 256];
  if (component === Note) return `note ${n}`;
  return component === Heat ? n : true;
};

/** A small generator of numbers, the same for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

describe('a scene against a naive oracle', () => {
  it.each([
    ['packed', 1],
    ['packed', 2],
    ['ordered', 3],
    ['ordered', 4],
  ] as const)(
    'agrees after each of many thousand random operations, with slots recycled (%s, seed %d)',
    (rowOrder, seed) => {
      const scene = new Scene({ maxEntities: 60, rowOrder });
      const commands = new Commands(scene);
      const roll = dice(seed);
      const alive = new Map<EntityId, Values>();
      const dead: EntityId[] = [];
      const queries = ALL.map((component) => scene.query(component));
      const pick = (): EntityId | undefined => [...alive.keys()][roll(Math.max(1, alive.size))];
      let created = 0;
      const check = (): void => {
        expect(scene.entityCount).toBe(alive.size);
        for (const [id, values] of alive) {
          for (const component of ALL) {
            expect(take(scene, id, component)).toEqual(expected(component, values.get(component)));
          }
        }
        for (const [i, component] of ALL.entries()) {
          const holders = [...alive].filter(([, values]) => values.has(component)).length;
          expect(queries[i]?.count()).toBe(holders);
        }
        for (const id of dead.slice(-50)) expect(scene.isAlive(id)).toBe(alive.has(id));
      };
      for (let step = 1; step <= 30_000; step++) {
        const component = ALL[roll(ALL.length)] as Component;
        const n = roll(1_000);
        const deferred = roll(4) === 0;
        const action = roll(10);
        const id = pick();
        const values = id === undefined ? undefined : alive.get(id);
        if (id === undefined || !values || (action === 0 && alive.size < 60)) {
          if (alive.size >= 60) continue;
          created++;
          let made: EntityId;
          if (deferred) {
            const placeholder = commands.createEntity();
            commands.addComponent(placeholder, component, give(component, n));
            commands.flush();
            made = commands.resolve(placeholder);
          } else {
            made = scene.createEntity([component, give(component, n)]);
          }
          alive.set(made, new Map([[component, n]]));
        } else if (action === 1) {
          if (deferred) commands.destroyEntity(id);
          else scene.destroyEntity(id);
          alive.delete(id);
          dead.push(id);
        } else if (action < 5) {
          if (deferred) commands.removeComponent(id, component);
          else scene.removeComponent(id, component);
          values.delete(component);
        } else {
          if (deferred) commands.setComponent(id, component, give(component, n));
          else scene.setComponent(id, component, give(component, n));
          values.set(component, n);
        }
        if (deferred) commands.flush();
        if (step % 500 === 0) check();
      }
      check();
      expect(created).toBeGreaterThan(1_500);
      expect(commands.skipped).toBe(0);
    },
  );
});
