import { Arena } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  javascriptPoseKernel,
  LOCAL_FLOATS,
  loadPoseKernel,
  SceneHierarchy,
  type PoseKernel,
} from '../src/index.js';

const ROWS = 12;
const NODES = 40;
/** Few values, so that many rows are as they were. */
const value = fc.constantFrom(0, -0, 1, 1, 1, 0.1, -2, 1e30, NaN, Infinity);
const numbers = (length: number): fc.Arbitrary<readonly number[]> =>
  fc.array(value, { minLength: length, maxLength: length });

const input = fc.record({
  nodes: fc.shuffledSubarray(
    Array.from({ length: NODES }, (_, node) => node),
    { minLength: ROWS, maxLength: ROWS },
  ),
  count: fc.integer({ min: 0, max: ROWS }),
  first: fc.constantFrom(0, 3),
  trs: fc.array(numbers(ROWS * 4), { minLength: 9, maxLength: 9 }),
  locals: fc.array(numbers(NODES * LOCAL_FLOATS), { minLength: 2, maxLength: 2 }),
  worlds: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 64, maxLength: 64 }),
  others: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 64, maxLength: 64 }),
});
type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;

/** Everything that a row kernel does to the same input. */
function outcome(kernel: PoseKernel, given: Input): Record<string, readonly number[]> {
  const { rowMemory: memory, rows: run } = kernel;
  const floats = (numbers: ArrayLike<number>): Float32Array => {
    const array = memory.float32(numbers.length);
    array.set(numbers);
    return array;
  };
  const ints = (numbers: readonly number[]): Int32Array => {
    const array = memory.int32(numbers.length);
    array.set(numbers);
    return array;
  };
  const { count, first, nodes } = given;
  const rows = { nodes: ints([...Array.from({ length: first }, () => 0), ...nodes]), first, count };
  const column = (at: number, width: number): Float32Array =>
    floats((given.trs[at] ?? []).slice(0, ROWS * width));
  const columns = {
    position: column(0, 3),
    rotation: column(1, 4),
    scale: column(2, 3),
    previousPosition: column(3, 3),
    previousRotation: column(4, 4),
    previousScale: column(5, 3),
    currentPosition: column(6, 3),
    currentRotation: column(7, 4),
    currentScale: column(8, 3),
  };
  const [previous, current] = given.locals.map((numbers) => {
    const local = floats(numbers);
    for (let node = 0; node < NODES; node++) {
      local[node * LOCAL_FLOATS + 3] = local[node * LOCAL_FLOATS + 11] = 0;
    }
    return { local, dirtyBits: memory.int32(4) };
  });
  if (!previous || !current) throw new Error('two sets are given');
  run.setRows(rows, previous, columns);
  run.setPairRows(rows, previous, current, columns);

  const entities = ints(nodes.map((node) => (node + 1) | (1 << 20)));
  const slots = ints(Array.from({ length: NODES + 1 }, (_, slot) => slot - 1));
  const owners = ints(Array.from({ length: NODES }, (_, node) => (node + 1) | (1 << 20)));
  const found = { nodes: memory.int32(ROWS + 3), first, count };
  const isFound = run.lookUp(found, entities, 0xf_ffff, slots, owners);
  owners[nodes[0] ?? 0] = 7;
  const isStale = run.lookUp({ ...found, count: ROWS }, entities, 0xf_ffff, slots, owners);
  const isBeyond = run.lookUp(found, ints([NODES + 9]), 0xf_ffff, slots, owners);

  const world = floats(
    Array.from({ length: NODES * 16 }, (_, i) => given.worlds[(i * 7) % 64] ?? 0),
  );
  const unstoredBits = memory.int32(2);
  for (const node of nodes) {
    if (node % 3 > 0) unstoredBits[node >>> 5] = (unstoredBits[node >>> 5] ?? 0) | (1 << node);
  }
  const otherBits = ints([1 << 5, 0]);
  const out = memory.float32(ROWS * 16);
  const changed = memory.int32(ROWS);
  // Some are as they are to be.
  for (let row = 0; row < ROWS; row += 5) {
    for (let i = 0; i < 16; i++) out[row * 16 + i] = world[(nodes[row] ?? 0) * 16 + i] ?? 0;
  }
  const stored = run.storeWorlds(rows, { world, unstoredBits }, otherBits, out, changed);

  const dense = ints(Array.from({ length: NODES }, (_, node) => (node % 4 === 0 ? -1 : node)));
  const flags = memory.uint32(NODES);
  flags.fill(6);
  const other = floats(
    Array.from({ length: NODES * 12 }, (_, i) => given.others[(i * 5) % 64] ?? 0),
  );
  const end = { rows: memory.float32(NODES * 12), other, flags };
  run.placeInstances(ints(nodes), count, dense, world, end);
  // Some of them stand still.
  for (let i = 0; i < NODES * 12; i++) if (i % 84 < 48) other[i] = end.rows[i] as number;
  run.placeInstances(ints(nodes), count, dense, world, end);
  return {
    previous: [...previous.local],
    previousBits: [...previous.dirtyBits],
    current: [...current.local],
    currentBits: [...current.dirtyBits],
    found: [...found.nodes],
    answers: [isFound, isStale, isBeyond].map(Number),
    out: [...out],
    stored: [stored],
    otherBits: [...otherBits],
    changed: [...changed],
    rows: [...end.rows],
    flags: [...flags],
  };
}

describe('the row kernel in WebAssembly', () => {
  test('does what its JavaScript twin does, number by number', async () => {
    const loaded = await loadPoseKernel({ backend: 'wasm' });
    const arena = new Arena();
    fc.assert(
      fc.property(input, (given) => {
        const kernel = loaded.inArena(arena, NODES, NODES);
        expect(kernel.rows).not.toBe(javascriptPoseKernel.rows);
        expect(outcome(kernel, given)).toEqual(outcome(javascriptPoseKernel, given));
        kernel.rowMemory.release();
        expect(arena.stats().used).toBe(0);
      }),
    );
  });

  test('is had for a scene whose arena has room, and gives that back', async () => {
    const scene = new Scene({ maxEntities: 1_000 });
    const held = (): number =>
      scene.arena.stats().owners.find(({ owner }) => owner === 'render-sync hierarchy')?.bytes ?? 0;
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 1_000 });
    const hierarchy = new SceneHierarchy(scene, { kernel, capacity: 1_000 });
    expect(hierarchy.current.world.buffer).toBe(scene.arena.buffer);
    expect(held()).toBeGreaterThan(100_000);
    hierarchy.dispose();
    expect(held()).toBe(0);
    expect(() => hierarchy.updateWorld()).toThrow(
      expect.objectContaining({ code: 'render-sync/hierarchy-disposed' }),
    );
    scene.dispose();
    hierarchy.dispose();
  });

  test.each([
    { why: 'is small', options: { budget: 700_000 } },
    { why: 'is no memory of WebAssembly', options: { backing: 'plain' as const } },
  ])('is not had where the arena $why: matrices are computed all the same', async ({ options }) => {
    const arena = new Arena(options);
    const scene = new Scene({ arena, maxEntities: 1_000 });
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 1_000 });
    const hierarchy = new SceneHierarchy(scene, { kernel, capacity: 1_000 });
    expect(hierarchy.kernel).toBe(kernel);
    const entity = scene.createEntity([Transform, { position: [1, 2, 3] }]);
    hierarchy.updateWorld();
    const node = hierarchy.nodeOf(entity);
    const { world } = hierarchy.current;
    expect([...world.subarray(node * 16 + 12, node * 16 + 15)]).toEqual([1, 2, 3]);
    hierarchy.dispose();
    scene.dispose();
  });
});
