import { Commands, query, read, Scene, type EntityId } from '@ecliptic/ecs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { checkDeterminism, defineSystem, WorldTick, type DeterminismRun } from '../src/index.js';
import { seededRandom } from '../src/schedule/random-order.js';
import * as picking from './workers/picking-systems.js';

const { Exact, Extra, Heat, Place, Selected } = picking;

const create = (): Worker => new Worker(new URL('./workers/picking.worker.ts', import.meta.url));

/** Rows that pick themselves: by coming, going, changing, and by what sparse sets say. */
function makeGame(seed: number, run: DeterminismRun) {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const scene = new Scene({ maxEntities: 4_096, arenaBudget: 16 * 1024 * 1024 });
  const worldTick = new WorldTick(scene, run);
  for (const system of picking.pickingSystems) worldTick.registerSystem(system);
  const living: EntityId[] = [];
  const add = (): EntityId => {
    const entity = scene.createEntity(Place, Exact);
    // Many components: they go to the tables one by one, and these have names.
    for (const each of picking.everywhere) scene.addComponent(entity, each as never);
    return entity;
  };
  for (let i = 0; i < 900; i++) living.push(add());
  const components = [Place, Extra, Exact, Selected, Heat];
  const afterStep = (): void => {
    for (let i = pick(12); i > 0; i--) {
      // Some are favoured, so that what comes also goes.
      const at = pick(random() < 0.5 ? 12 : living.length);
      const entity = living[at] ?? 0;
      const component = components[pick(components.length)] ?? Place;
      const chance = random();
      if (chance < 0.05) {
        scene.destroyEntity(entity);
        living[at] = add();
      } else if (chance < 0.3 && component !== Place) scene.removeComponent(entity, component);
      else scene.setComponent(entity, component, component === Selected ? {} : { x: pick(99) });
    }
  };
  return {
    scene,
    worldTick,
    commands: new Commands(scene),
    afterStep,
    dispose: () => scene.dispose(),
  };
}

describe('Queries of worker systems that pick rows', () => {
  it('visit on workers the rows that they visit inline, and mark what they mark', async () => {
    for (const seed of [1, 2]) {
      const hash = await checkDeterminism({
        create: (run) => makeGame(seed, run),
        steps: 40,
        seeds: [seed],
        workers: [
          { create, count: 1 },
          { create, count: 3 },
        ],
      });
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
    }
  });

  it('do pick, also on workers: every counter has visited some rows, and not all in each step', async () => {
    const game = makeGame(3, { workers: { create, count: 1, offload: 'always' } });
    game.worldTick.commit();
    await game.worldTick.workersReady();
    let steps = 0;
    const shared = new Set<string>();
    while (steps < 60 || shared.size < 3) {
      await game.worldTick.tick(1 / 60, game.commands);
      game.commands.flush();
      game.afterStep();
      steps++;
      for (const { name, workerShare } of game.worldTick.metrics()) {
        if (workerShare > 0) shared.add(name);
      }
    }
    for (const tally of picking.tallies) {
      let visits = 0;
      let rows = 0;
      game.scene.query(query(read(tally))).each((row, columns) => {
        visits += columns.visits[row] ?? 0;
        rows++;
      });
      expect([tally.name, visits > 0, visits < steps * rows]).toEqual([tally.name, true, true]);
    }
    await game.worldTick.dispose();
    game.scene.dispose();
  });

  it('refuse tables() of single rows on workers as here', async () => {
    for (const offload of ['never', 'always'] as const) {
      const scene = new Scene({ maxEntities: 256, arenaBudget: 1 << 20 });
      const worldTick = new WorldTick(scene, { workers: { create, count: 1, offload } });
      const [system] = picking.pickingSystems.filter(({ name }) => name === 'selected');
      const tables = defineSystem({
        ...system,
        update: ({ rows }: { rows: { tables(): unknown } }) => void rows.tables(),
      } as never);
      worldTick.registerSystem(tables);
      worldTick.commit();
      for (let i = 0; i < 100; i++) {
        scene.createEntity(Selected, picking.tallies[5] ?? Place);
      }
      expect(() => worldTick.tick(1 / 60, new Commands(scene))).toThrow(
        expect.objectContaining({ cause: expect.objectContaining({ code: 'ecs/row-filter' }) }),
      );
      await worldTick.dispose();
      scene.dispose();
    }
  });
});
