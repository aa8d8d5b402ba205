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
