import { Scene } from '@ecliptic/ecs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Actor, ActorManager, type ActorHandle } from '../src/index.js';

/** What one actor does in its tick, as numbers: who it destroys, and whether it creates. */
interface Deed {
  readonly destroys: readonly number[];
  readonly creates: boolean;
  readonly throws: boolean;
}

/** The simplest thing that could be right: a list in order of creation. */
interface Model {
  readonly id: number;
  readonly deed: Deed;
  live: boolean;
}

class Churner extends Actor {
  readonly id: number;
  readonly world: World;
  constructor(id: number, world: World) {
    super();
    this.id = id;
    this.world = world;
  }
  override onTick(): void {
    this.world.real.push(`tick ${this.id}`);
    this.world.doDeed(this.id);
  }
  override onDestroy(): void {
    this.world.real.push(`destroy ${this.id}`);
  }
}

class World {
  readonly scene = new Scene({ maxEntities: 256, arenaBudget: 4 * 2 ** 20 });
  readonly actors = new ActorManager(this.scene, { capacity: 32, onError: () => {} });
  readonly handles: ActorHandle[] = [];
  readonly deeds: readonly Deed[];
  readonly real: string[] = [];

  constructor(deeds: readonly Deed[]) {
    this.deeds = deeds;
  }

  create(): void {
    if (this.actors.size >= this.actors.capacity) return;
    const id = this.handles.length;
    this.handles.push(this.actors.create(Churner, id, this));
  }

  deedOf(id: number): Deed {
    return this.deeds[id % this.deeds.length] as Deed;
  }

  doDeed(id: number): void {
    const deed = this.deedOf(id);
    for (const target of deed.destroys) {
      const handle = this.handles[target % this.handles.length];
      if (handle !== undefined) this.actors.destroy(handle);
    }
    if (deed.creates) this.create();
    if (deed.throws) throw new Error('boom');
  }
}

/** What should happen, worked out on the list. */
function expectedCalls(deeds: readonly Deed[], start: number, steps: number): string[] {
  const calls: string[] = [];
  const models: Model[] = [];
  const create = (): void => {
    if (models.filter((model) => model.live).length >= 32) return;
    const id = models.length;
    models.push({ id, deed: deeds[id % deeds.length] as Deed, live: true });
  };
  for (let i = 0; i < start; i++) create();
  for (let step = 0; step < steps; step++) {
    for (const model of models.slice(0, models.length)) {
      if (!model.live) continue;
      calls.push(`tick ${model.id}`);
      for (const target of model.deed.destroys) {
        const victim = models[target % models.length];
        if (!victim?.live) continue;
        victim.live = false;
        calls.push(`destroy ${victim.id}`);
      }
      if (model.deed.creates) create();
    }
  }
  for (const model of models.toReversed()) if (model.live) calls.push(`destroy ${model.id}`);
  return calls;
}

test('any mix of creating, destroying and throwing in ticks does what a plain list would (26, 27, 28, 29)', () => {
  const deeds = fc.array(
    fc.record({
      destroys: fc.array(fc.nat({ max: 500 }), { maxLength: 3 }),
      creates: fc.boolean(),
      throws: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(
      deeds,
      fc.integer({ min: 1, max: 32 }),
      fc.integer({ min: 1, max: 12 }),
      (all, start, steps) => {
        const world = new World(all);
        for (let i = 0; i < start; i++) world.create();
        for (let step = 0; step < steps; step++) world.actors.tick(1);
        world.actors.shutdown();
        expect(world.real).toEqual(expectedCalls(all, start, steps));
        expect(world.scene.entityCount).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});
