import { Commands, Scene } from '@ecliptic/ecs';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDeterminism, defineSystem, WorldTick } from '../src/index.js';
import { makeGame, play } from './guide/loop.js';
import { gravity, ground, movement, Position, Velocity } from './guide/systems.js';

const GUIDE = '../../../docs/systems-order-and-threads.md';
const SOURCES = [
  './guide/systems.ts',
  './guide/systems.worker.ts',
  './guide/loop.ts',
  './guide.test.ts',
];

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
/** Without comments, line breaks and indentation. */
const squeeze = (text: string): string =>
  text
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('The guide "Systems, order and threads"', () => {
  it('shows code that is compiled and run here', () => {
    const sources = SOURCES.map((file) => squeeze(textOf(file)));
    const blocks = [...textOf(GUIDE).matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
      squeeze(code),
    );
    expect(blocks.length).toBeGreaterThan(5);
    const invented = blocks.filter((block) => !sources.some((source) => source.includes(block)));
    expect(invented).toEqual([]);
  });

  it('has a game that runs', async () => {
    const game = makeGame();
    const { scene, worldTick } = game;
    await worldTick.workersReady();
    const entity = scene.createEntity([Position, { value: [0, 50, 0] }], Velocity);
    const lost = scene.createEntity([Position, { value: [0, -200, 0] }], Velocity);
    let frames = 0;
    while ((await play(game, 20)) === 0) frames += 20;
    expect(frames).toBeGreaterThanOrEqual(0);
    expect(scene.getComponent(entity, Position)?.value.y).toBeLessThan(50);
    expect(scene.isAlive(lost)).toBe(false);
    await worldTick.dispose();
    scene.dispose();
  });

  it('has a check for determinism', async () => {
    await checkDeterminism({
      create(run) {
        const scene = new Scene({ maxEntities: 1_024 });
        const worldTick = new WorldTick(scene, run);
        for (const system of [gravity, movement, ground]) worldTick.registerSystem(system);
        scene.createEntity(Position, [Velocity, { value: [1, 2, 3] }]);
        return { scene, worldTick, commands: new Commands(scene), dispose: () => scene.dispose() };
      },
    });
    expect(movement.worker).toBe(true);
  });

  it('shows the message of a conflict as it is', () => {
    const worldTick = new WorldTick(new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 }));
    worldTick.registerSystem(gravity);
    worldTick.registerSystem(
      defineSystem({ name: 'game.wind', phase: 'prePhysics', writes: [Velocity], update() {} }),
    );
    let message = '';
    try {
      worldTick.commit();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('1 pair of systems touches');
    expect(textOf(GUIDE)).toContain(message);
  });
});
