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
function outcome(
  kernel: PoseKernel,
  given: Input,
): { exact: Record<string, readonly number[]>; computed: readonly number[] } {
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
  const poses = {
    // What is huge would leave nothing of what is added to it.
    local: floats((given.locals[0] ?? []).map((number) => (number === 1e30 ? 3 : number))),
    world: floats(Array.from({ length: NODES * 16 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0))),
    updated: memory.int32(NODES),
    bad: memory.uint8(NODES),
    dirtyBits: ints([given.count * 0x1357, given.first]),
    freshBits: memory.int32(2),
    unstoredBits: ints([0x55_5555, given.count]),
    counts: memory.int32(3),
    tree: { parent: ints(Array.from({ length: NODES }, () => -1)) },
  };
  for (let node = 0; node < NODES; node++) {
    poses.local[node * LOCAL_FLOATS + 3] = poses.local[node * LOCAL_FLOATS + 11] = 0;
  }
  for (let row = 1; row < ROWS; row++) {
    poses.tree.parent[nodes[row] ?? 0] = row % 3 === 0 ? -1 : (nodes[row >> 1] ?? 0);
  }
  const updateOthers = ints([1 << 7, 0]);
  const target = memory.float32(ROWS * 16);
  for (let i = 0; i < ROWS * 16; i++) target[i] = (i % 16) % 5 === 0 ? 1 : 0;
  const updateChanged = memory.int32(ROWS);
  const tame = (numbers: Float32Array): Float32Array =>
    floats([...numbers].map((number) => (number > 1e29 && number < Infinity ? 3 : number)));
  const worldRows = {
    position: tame(columns.position),
    rotation: tame(columns.rotation),
    scale: tame(columns.scale),
    world: target,
  };
  kernel.updateRows?.(rows, poses, updateOthers, worldRows, updateChanged);
  const exact = {
    updated: [...poses.updated],
    updatedLocal: [...poses.local],
    updateBits: [...poses.freshBits, ...updateOthers],
    updateChanged: [...updateChanged],
    updateCounts: [...poses.counts],
    bad: [...poses.bad],
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
  return { exact, computed: [...poses.world, ...target] };
}

describe('the row kernel in WebAssembly', () => {
  test('does what its JavaScript twin does, number by number where nothing is rounded', async () => {
    const loaded = await loadPoseKernel({ backend: 'wasm' });
    fc.assert(
      fc.property(input, (given) => {
        const arena = new Arena();
        const kernel = loaded.inArena(arena, NODES, NODES);
        expect(kernel.rows).not.toBe(javascriptPoseKernel.rows);
        const seen = outcome(kernel, given);
        const wanted = outcome(javascriptPoseKernel, given);
        expect(seen.exact).toEqual(wanted.exact);
        // In 32 bits, and in 64.
        const size = Math.max(...wanted.computed.map(Math.abs));
        const error = Math.max(
          ...wanted.computed.map((number, i) => Math.abs(number - (seen.computed[i] ?? NaN))),
        );
        expect(error).toBeLessThanOrEqual(size * 1e-5);
        kernel.rowMemory.release();
        expect(arena.stats().used).toBe(0);
        arena.dispose();
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
    { why: 'is small', options: { budget: 500_000 } },
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
