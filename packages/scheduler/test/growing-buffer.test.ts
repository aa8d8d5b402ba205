import { Commands, Scene } from '@ecliptic/ecs';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorldTick } from '../src/index.js';
import { GrowingBuffer } from '../src/workers/growing-buffer.js';
import { TouchLog } from '../src/workers/touch-log.js';
import { move, Position, Velocity } from './workers/systems.js';

const create = (): Worker => new Worker(new URL('./workers/systems.worker.ts', import.meta.url));

/** From now on no shared memory that can grow is to be had. */
function exhaustAddressSpace(): void {
  const Real = SharedArrayBuffer;
  vi.stubGlobal(
    'SharedArrayBuffer',
    new Proxy(Real, {
      construct(_, [bytes, options]: [number, object?]) {
        if (options !== undefined) throw new RangeError('Array buffer allocation failed');
        return new Real(bytes);
      },
    }),
  );
}

afterEach(() => vi.unstubAllGlobals());

describe('Where memory ends', () => {
  it('a buffer that can not be reserved says how large it is, and why', () => {
    exhaustAddressSpace();
    expect(() => GrowingBuffer.allocate()).toThrow(
      expect.objectContaining({
        code: 'scheduler/worker-memory',
        subjects: { bytes: 2 ** 30 },
        cause: expect.objectContaining({ name: 'RangeError' }) as unknown,
      }),
    );
  });

  it('a buffer that can not grow says so, and keeps what it has', () => {
    const memory = GrowingBuffer.allocate();
    const log = new TouchLog(memory);
    const grow = (): never => {
      throw new RangeError('SharedArrayBuffer.prototype.grow: Invalid length parameter');
    };
    Object.defineProperty(memory, 'grow', { value: grow });
    let written = 0;
    expect(() => {
      for (; ; written++) log.write(0, 0, 0, 2 * written);
    }).toThrow(
      expect.objectContaining({ code: 'scheduler/worker-memory', subjects: { bytes: 131_072 } }),
    );
    expect(log.drain()).toHaveLength(written);
  });

  it('commit fails, and can be tried again', async () => {
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const worldTick = new WorldTick(scene, { workers: { create, count: 1, offload: 'always' } });
    worldTick.registerSystem(move);
    exhaustAddressSpace();
    expect(() => worldTick.commit()).toThrow(
      expect.objectContaining({ code: 'scheduler/worker-memory' }),
    );
    expect(worldTick.committed).toBe(false);
    vi.unstubAllGlobals();
    worldTick.commit();
    await worldTick.workersReady();
    await worldTick.dispose();
    scene.dispose();
  });

  it('a system that can not be replaced stays, on this thread', async () => {
    const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
    const worldTick = new WorldTick(scene, { workers: { create, count: 1, offload: 'always' } });
    worldTick.registerSystem(move);
    worldTick.commit();
    await worldTick.workersReady();
    exhaustAddressSpace();
    expect(() => worldTick.replaceSystem(move)).toThrow(
      expect.objectContaining({ code: 'scheduler/worker-memory' }),
    );
    const mover = scene.createEntity(Position, [Velocity, { value: [1, 0, 0] }]);
    await worldTick.tick(1, new Commands(scene));
    expect(scene.getComponent(mover, Position)?.value.x).toBe(1);
    expect(worldTick.metrics()[0]?.workerShare).toBe(0);
    await worldTick.dispose();
    scene.dispose();
  });
});
