import { INSTANCE_MOVING } from '../frame-state/frame-state-layout.js';
import { AFFINE_FLOATS, matrixToRows, sameRows } from '../math/affine-rows.js';
import { sameQuaternion, sameVector } from '../math/same-vector.js';
import { hasBit, setBit } from './bit-array.js';
import { LOCAL_FLOATS } from './pose-kernel.js';
import type {
  InstanceEnd,
  LocalColumns,
  LocalPoses,
  NodeRows,
  PairColumns,
  RowKernel,
  WorldPoses,
} from './row-kernel.js';

/** The row kernel in JavaScript. */
export const javascriptRowKernel: RowKernel = {
  lookUp,
  setRows,
  setPairRows,
  storeWorlds,
  placeInstances,
};

function lookUp(
  { nodes, first, count }: NodeRows,
  entities: Int32Array,
  slotMask: number,
  nodeOfSlot: Int32Array,
  owners: Int32Array,
): boolean {
  for (let row = 0; row < count; row++) {
    const entity = entities[row] as number;
    const node = nodeOfSlot[entity & slotMask] as number;
    if (owners[node] !== entity) return false;
    nodes[first + row] = node;
  }
  return true;
}

function setRows(
  { nodes, first, count }: NodeRows,
  { local, dirtyBits }: LocalPoses,
  { position, rotation, scale }: LocalColumns,
): void {
  for (let row = 0; row < count; row++) {
    const node = nodes[first + row] as number;
    if (setLocal(local, node, position, row * 3, rotation, row * 4, scale, row * 3)) {
      setBit(dirtyBits, node);
    }
  }
}

function setPairRows(
  { nodes, first, count }: NodeRows,
  previous: LocalPoses,
  current: LocalPoses,
  t: PairColumns,
): void {
  const { position, rotation, scale, currentPosition, currentRotation, currentScale } = t;
  const { previousPosition, previousRotation, previousScale } = t;
  const { local: before, dirtyBits: beforeBits } = previous;
  const { local: after, dirtyBits: afterBits } = current;
  for (let row = 0; row < count; row++) {
    const node = nodes[first + row] as number;
    const a = row * 3;
    const b = row * 4;
    if (setLocal(after, node, position, a, rotation, b, scale, a)) setBit(afterBits, node);
    const isAtStep =
      sameVector(position, currentPosition, a) &&
      sameQuaternion(rotation, currentRotation, b) &&
      sameVector(scale, currentScale, a);
    const isOther = isAtStep
      ? setLocal(before, node, previousPosition, a, previousRotation, b, previousScale, a)
      : setLocal(before, node, position, a, rotation, b, scale, a);
    if (isOther) setBit(beforeBits, node);
  }
}

function storeWorlds(
  { nodes, first, count }: NodeRows,
  { world, unstoredBits }: WorldPoses,
  others: Int32Array,
  out: Float32Array,
  changed: Int32Array,
): number {
  let stored = 0;
  for (let row = 0; row < count; row++) {
    const node = nodes[first + row] as number;
    if (!hasBit(unstoredBits, node) || !storeWorld(world, node, out, row)) continue;
    setBit(others, node);
    changed[stored++] = row;
  }
  return stored;
}

function placeInstances(
  list: Int32Array,
  count: number,
  denseOfNode: Int32Array,
  world: Float32Array,
  { rows, other, flags }: InstanceEnd,
): void {
  for (let i = 0; i < count; i++) {
    const node = list[i] as number;
    const dense = denseOfNode[node] as number;
    if (dense < 0) continue;
    const to = dense * AFFINE_FLOATS;
    matrixToRows(rows, to, world, node * 16);
    const rest = (flags[dense] as number) & ~INSTANCE_MOVING;
    flags[dense] = sameRows(rows, to, other, to) ? rest : rest | INSTANCE_MOVING;
  }
}

/** Sets a local transform, if it is another than before. @returns whether it was */
export function setLocal(
  mine: Float32Array,
  node: number,
  position: Float32Array,
  p: number,
  rotation: Float32Array,
  r: number,
  scale: Float32Array,
  s: number,
): boolean {
  const a = node * LOCAL_FLOATS;
  const px = position[p] as number;
  const py = position[p + 1] as number;
  const pz = position[p + 2] as number;
  const qx = rotation[r] as number;
  const qy = rotation[r + 1] as number;
  const qz = rotation[r + 2] as number;
  const qw = rotation[r + 3] as number;
  const sx = scale[s] as number;
  const sy = scale[s + 1] as number;
  const sz = scale[s + 2] as number;
  if (
    mine[a] === px &&
    mine[a + 1] === py &&
    mine[a + 2] === pz &&
    mine[a + 4] === qx &&
    mine[a + 5] === qy &&
    mine[a + 6] === qz &&
    mine[a + 7] === qw &&
    mine[a + 8] === sx &&
    mine[a + 9] === sy &&
    mine[a + 10] === sz
  ) {
    return false;
  }
  mine[a] = px;
  mine[a + 1] = py;
  mine[a + 2] = pz;
  mine[a + 4] = qx;
  mine[a + 5] = qy;
  mine[a + 6] = qz;
  mine[a + 7] = qw;
  mine[a + 8] = sx;
  mine[a + 9] = sy;
  mine[a + 10] = sz;
  return true;
}

/** Copies a matrix to a row, if it is another than is there. @returns whether it was */
export function storeWorld(
  world: Float32Array,
  node: number,
  out: Float32Array,
  row: number,
): boolean {
  const from = node * 16;
  const to = row * 16;
  let at = 15;
  // Positions first: most of what moves, moves along.
  while (at >= 0 && out[to + at] === world[from + at]) at--;
  if (at < 0) return false;
  for (let i = 0; i < 16; i++) out[to + i] = world[from + i] as number;
  return true;
}
