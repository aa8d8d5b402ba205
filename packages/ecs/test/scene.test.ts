import { describe, expect, it } from 'vitest';
import {
  defineComponent,
  defineTag,
  f32,
  INVALID_ENTITY,
  read,
  Scene,
  vec3,
  without,
  write,
} from '../src/index.js';

const Position = defineComponent('Position', { value: vec3() });
const Velocity = defineComponent('Velocity', { value: vec3(), drag: f32({ default: 0.5 }) });
const Frozen = defineTag('Frozen');
const Selected = defineTag('Selected', { storage: 'sparse' });

describe('Scene', () => {
  it('shows sparse components that came, or whose set grew, after they were asked for first', () => {
    const Mark = defineComponent('Mark', { weight: f32() }, { storage: 'sparse' });
    const scene = new Scene();
    scene.registerComponent(Mark);
    const weights = (): number[] => {
      const found: number[] = [];
      scene.forEach([read(Mark)], (_entity, mark) => found.push(mark.weight));
      return found;
    };
    expect(weights()).toEqual([]);
    const expected: number[] = [];
    for (let n = 0; n < 100; n++) {
      scene.createEntity([Mark, { weight: n }]);
      expected.push(n);
      expect(weights()).toEqual(expected);
    }
  });

  it('creates, reads, moves and destroys', () => {
    const scene = new Scene();
    const a = scene.createEntity([Position, { value: [1, 2, 3] }], Velocity);
    const b = scene.createEntity();
    scene.addComponent(b, Position, { value: { x: 4, y: 5, z: 6 } });
    scene.addComponent(b, Velocity, { value: [1, 0, 0] });
    scene.addComponent(b, Selected);
    expect(scene.getComponent(a, Position)?.value.toArray()).toEqual([1, 2, 3]);
    expect(scene.getComponent(a, Velocity)?.drag).toBe(0.5);
    scene
      .query(write(Position), read(Velocity), without(Frozen))
      .each((row, position, velocity) => {
        const p = position.value;
        p[row * 3] = (p[row * 3] ?? 0) + (velocity.value[row * 3] ?? 0);
      });
    scene.forEach([Position], (_entity, position) => {
      position.value.y += 10;
    });
    expect(scene.getComponent(b, Position)?.value.toArray()).toEqual([5, 15, 6]);
    scene.destroyEntity(a);
    expect(scene.isAlive(a)).toBe(false);
    expect(scene.getComponent(b, Position)?.value.toArray()).toEqual([5, 15, 6]);
    scene.setParent(scene.createEntity(), b);
    expect(scene.childrenOf(b)).toHaveLength(1);
    expect(scene.parentOf(b)).toBe(INVALID_ENTITY);
    scene.removeComponent(b, Velocity);
    expect(scene.getMask(b).components).toEqual([Position, Selected]);
  });
});
