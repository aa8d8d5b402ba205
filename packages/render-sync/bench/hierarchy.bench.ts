import { loadPoseKernel, PoseSet, TransformTree } from '../src/index.js';
import { compare, type Candidate } from './measure.js';

const NODES = 100_000;

// Transforms by node, as the hand-written loop has them.
const position = new Float32Array(NODES * 3);
const rotation = new Float32Array(NODES * 4);
const scale = new Float32Array(NODES * 3);

/** Eight children a node, numbered breadth first; moderately random transforms. */
function build(poses: PoseSet): PoseSet {
  const { tree } = poses;
  for (let n = 0; n < NODES; n++) {
    const node = tree.add(n + 1);
    poses.reset(node);
    const turn = Math.sin(n / 7) * 0.1;
    position.set([Math.sin(n), 0, 0], node * 3);
    rotation.set([turn, 0, 0, Math.sqrt(1 - turn ** 2)], node * 4);
    scale.set([1, 1 + Math.sin(n) / 100, 1], node * 3);
    poses.set(node, position, node * 3, rotation, node * 4, scale, node * 3);
    if (n > 0) tree.setParent(node, (n - 1) >> 3);
  }
  const order = tree.settle();
  if (order) poses.renumber(order);
  poses.update();
  return poses;
}

/** What one would write by hand: nodes in depth order, nothing else. */
function handWritten(
  position: Float32Array,
  rotation: Float32Array,
  scale: Float32Array,
  world: Float32Array,
  parents: Int32Array,
): void {
  const local = new Float32Array(16);
  for (let n = 0; n < NODES; n++) {
    const x = rotation[n * 4] as number;
    const y = rotation[n * 4 + 1] as number;
    const z = rotation[n * 4 + 2] as number;
    const w = rotation[n * 4 + 3] as number;
    const sx = scale[n * 3] as number;
    const sy = scale[n * 3 + 1] as number;
    const sz = scale[n * 3 + 2] as number;
    local[0] = (1 - 2 * (y * y + z * z)) * sx;
    local[1] = 2 * (x * y + w * z) * sx;
    local[2] = 2 * (x * z - w * y) * sx;
    local[4] = 2 * (x * y - w * z) * sy;
    local[5] = (1 - 2 * (x * x + z * z)) * sy;
    local[6] = 2 * (y * z + w * x) * sy;
    local[8] = 2 * (x * z + w * y) * sz;
    local[9] = 2 * (y * z - w * x) * sz;
    local[10] = (1 - 2 * (x * x + y * y)) * sz;
    local[12] = position[n * 3] as number;
    local[13] = position[n * 3 + 1] as number;
    local[14] = position[n * 3 + 2] as number;
    const o = n * 16;
    const up = (parents[n] as number) * 16;
    if (up < 0) {
      for (let i = 0; i < 16; i++) world[o + i] = local[i] as number;
      continue;
    }
    const a0 = world[up] as number;
    const a1 = world[up + 1] as number;
    const a2 = world[up + 2] as number;
    const b0 = world[up + 4] as number;
    const b1 = world[up + 5] as number;
    const b2 = world[up + 6] as number;
    const c0 = world[up + 8] as number;
    const c1 = world[up + 9] as number;
    const c2 = world[up + 10] as number;
    for (let c = 0; c < 16; c += 4) {
      const u = local[c] as number;
      const v = local[c + 1] as number;
      const t = local[c + 2] as number;
      world[o + c] = a0 * u + b0 * v + c0 * t;
      world[o + c + 1] = a1 * u + b1 * v + c1 * t;
      world[o + c + 2] = a2 * u + b2 * v + c2 * t;
    }
    world[o + 12] = (world[o + 12] as number) + (world[up + 12] as number);
    world[o + 13] = (world[o + 13] as number) + (world[up + 13] as number);
    world[o + 14] = (world[o + 14] as number) + (world[up + 14] as number);
  }
}

const candidates: Candidate[] = [];
const poses = build(new PoseSet(new TransformTree(NODES)));
const { world, tree } = poses;
const byHand = new Float32Array(NODES * 16);
candidates.push({
  name: 'hand-written depth-sorted loop',
  run: () => handWritten(position, rotation, scale, byHand, tree.parent),
});
const roots = (set: PoseSet): void => set.markDirty(0);
candidates.push({
  name: 'PoseSet, all dirty, JavaScript',
  prepare: () => roots(poses),
  run: () => poses.update(),
});
let seed = 1;
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
candidates.push({
  name: 'PoseSet, 1 % dirty, scattered, JavaScript',
  prepare: () => {
    for (let n = 0; n < NODES / 100; n++) {
      poses.markDirty(Math.floor(NODES / 8 + random() * NODES * 0.87));
    }
  },
  run: () => poses.update(),
});
candidates.push({
  name: 'PoseSet, 1 % dirty, subtrees, JavaScript',
  // Eight subtrees of 1 + 8 + 64 + about 512 / 8 nodes each.
  prepare: () => {
    for (let n = 0; n < 13; n++) poses.markDirty(600 + n * 50);
  },
  run: () => poses.update(),
});
const kernel = await loadPoseKernel({ capacity: NODES, poseSets: 1, backend: 'wasm' });
const wasm = build(new PoseSet(new TransformTree(NODES, kernel.memory), kernel));
candidates.push({
  name: 'PoseSet, all dirty, WebAssembly',
  prepare: () => roots(wasm),
  run: () => wasm.update(),
});
compare(`Hierarchy of ${NODES.toLocaleString('en')} nodes`, candidates);
let worst = 0;
for (let i = 0; i < NODES * 16; i++) {
  if (i % 4 === 3) continue;
  worst = Math.max(worst, Math.abs((world[i] as number) - (byHand[i] as number)));
}
console.log(`  largest difference of the results: ${worst.toExponential(1)}`);
