import { Commands, defineComponent, f32, query, read, Scene, write } from '@ecliptic/ecs';
import { Session, type HeapProfiler } from 'node:inspector';
import { describe, expect, it } from 'vitest';
import { defineSystem, WorldTick } from '../src/index.js';

const Position = defineComponent('Position', { x: f32() });
const Velocity = defineComponent('Velocity', { x: f32() });

function move(
  row: number,
  position: { x: Float32Array },
  velocity: { x: ArrayLike<number> },
): void {
  position.x[row] = (position.x[row] ?? 0) + (velocity.x[row] ?? 0);
}

/** Bytes that `act` allocates on the heap, by sampling about every 128th. */
function allocated(act: () => void): number {
  const session = new Session();
  session.connect();
  let bytes = 0;
  const visit = (node: HeapProfiler.SamplingHeapProfileNode): void => {
    if (node.callFrame.url.includes('/packages/')) bytes += node.selfSize;
    node.children.forEach(visit);
  };
  session.post('HeapProfiler.startSampling', {
    samplingInterval: 128,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as HeapProfiler.StartSamplingParameterType);
  act();
  session.post('HeapProfiler.stopSampling', (_, { profile }) => visit(profile.head));
  session.disconnect();
  return bytes;
}

describe('A schedule without worker systems (40)', () => {
  it('ticks synchronously and allocates nothing', () => {
    const scene = new Scene({ maxEntities: 1_024, arenaBudget: 4 * 1024 * 1024 });
    for (let i = 0; i < 10; i++) scene.createEntity(Position, Velocity);
    const worldTick = new WorldTick(scene, { development: false });
    const commands = new Commands(scene);
    for (let i = 0; i < 16; i++) {
      worldTick.registerSystem(
        defineSystem({
          name: `system ${i}`,
          ...(i > 0 && { after: [`system ${i - 1}`] }),
          queries: { movers: query(write(Position), read(Velocity)) },
          update: ({ movers }) => movers.each(move),
        }),
      );
    }
    worldTick.commit();
    const run = (ticks: number): void => {
      for (let i = 0; i < ticks; i++) {
        void worldTick.tick(1 / 60, commands);
        commands.flush();
      }
    };
    expect(worldTick.tick(1 / 60, commands)).toBeUndefined();
    const garbage: object[] = [];
    expect(
      allocated(() => garbage.push(...Array.from({ length: 1_000 }, () => ({})))),
    ).toBeGreaterThan(8_000);
    // 80,000 runs of systems: a single boxed number in each would be 960,000 bytes. Warm is when the engine has compiled
    // the code, which takes as long as it takes where many share few cores.
    let least = Infinity;
    for (let round = 0; round < 30 && least >= 20_000; round++) {
      run(20_000);
      least = Math.min(
        least,
        allocated(() => run(5_000)),
      );
    }
    expect(least).toBeLessThan(20_000);
  });
});
