// AssemblyScript source of arena-kernel-bytes.ts, with hierarchy.as: `pnpm --filter @ecliptic/render-sync run build:kernels` after a
// change. Works on an arena, where the columns of components are, and trusts its arguments. The JavaScript twin is
// javascript-row-kernel.ts.

import { computeWorld } from './world';

/** Three numbers and a 0, without reading what is behind them. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function vector(at: usize): v128 {
  return v128.load32_lane(at, v128.load64_zero(at), 2, 8);
}

/** Sets a local transform, if it is another than before. @returns whether it was */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function setLocal(
  locals: usize,
  node: i32,
  position: v128,
  rotation: v128,
  scale: v128,
): bool {
  const at = locals + <usize>node * 48;
  const same = v128.and(
    f32x4.eq(position, v128.load(at)),
    v128.and(f32x4.eq(rotation, v128.load(at, 16)), f32x4.eq(scale, v128.load(at, 32))),
  );
  if (v128.all_true<i32>(same)) return false;
  v128.store(at, position);
  v128.store(at, rotation, 16);
  v128.store(at, scale, 32);
  return true;
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function setBit(bits: usize, node: i32): void {
  const word = bits + ((<usize>node >>> 5) << 2);
  store<i32>(word, load<i32>(word) | (1 << (node & 31)));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function hasBit(bits: usize, node: i32): bool {
  return ((load<i32>(bits + ((<usize>node >>> 5) << 2)) >>> (node & 31)) & 1) != 0;
}

/** Copies a matrix, if it is another than is there. @returns whether it was */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function storeWorld(world: usize, out: usize): bool {
  const a = v128.load(world);
  const b = v128.load(world, 16);
  const c = v128.load(world, 32);
  const t = v128.load(world, 48);
  const same = v128.and(
    v128.and(f32x4.eq(a, v128.load(out)), f32x4.eq(b, v128.load(out, 16))),
    v128.and(f32x4.eq(c, v128.load(out, 32)), f32x4.eq(t, v128.load(out, 48))),
  );
  if (v128.all_true<i32>(same)) return false;
  v128.store(out, a);
  v128.store(out, b, 16);
  v128.store(out, c, 32);
  v128.store(out, t, 48);
  return true;
}

/** Node of each of `count` entities. @returns whether every one has one */
export function lookUp(
  entities: usize,
  count: i32,
  slotMask: i32,
  nodeOfSlot: usize,
  slots: i32,
  owners: usize,
  nodes: usize,
): i32 {
  const end = entities + (<usize>count << 2);
  for (; entities < end; entities += 4) {
    const entity = load<i32>(entities);
    const slot = entity & slotMask;
    if (slot >= slots) return 0;
    const node = load<i32>(nodeOfSlot + (<usize>slot << 2));
    if (node < 0 || load<i32>(owners + (<usize>node << 2)) != entity) return 0;
    store<i32>(nodes, node);
    nodes += 4;
  }
  return 1;
}

export function setRows(
  nodes: usize,
  count: i32,
  position: usize,
  rotation: usize,
  scale: usize,
  locals: usize,
  bits: usize,
): void {
  const end = nodes + (<usize>count << 2);
  for (; nodes < end; nodes += 4) {
    const node = load<i32>(nodes);
    if (setLocal(locals, node, vector(position), v128.load(rotation), vector(scale))) setBit(bits, node);
    position += 12;
    rotation += 16;
    scale += 12;
  }
}

export function setPairRows(
  nodes: usize,
  count: i32,
  position: usize,
  rotation: usize,
  scale: usize,
  previousPosition: usize,
  previousRotation: usize,
  previousScale: usize,
  currentPosition: usize,
  currentRotation: usize,
  currentScale: usize,
  previousLocals: usize,
  previousBits: usize,
  currentLocals: usize,
  currentBits: usize,
): void {
  for (let row = 0; row < count; row++) {
    const a = <usize>row * 12;
    const b = <usize>row << 4;
    const node = load<i32>(nodes + (<usize>row << 2));
    const p = vector(position + a);
    const r = v128.load(rotation + b);
    const s = vector(scale + a);
    const same = v128.and(
      f32x4.eq(p, vector(currentPosition + a)),
      v128.and(
        f32x4.eq(r, v128.load(currentRotation + b)),
        f32x4.eq(s, vector(currentScale + a)),
      ),
    );
    if (setLocal(currentLocals, node, p, r, s)) setBit(currentBits, node);
    let isOther: bool;
    if (v128.all_true<i32>(same)) {
      const q = v128.load(previousRotation + b);
      const from = vector(previousPosition + a);
      isOther = setLocal(previousLocals, node, from, q, vector(previousScale + a));
    } else {
      isOther = setLocal(previousLocals, node, p, r, s);
    }
    if (isOther) setBit(previousBits, node);
  }
}

/**
 * Copies the matrices of nodes that have a bit in `bits` to their rows, where they are others; then such a node gets a bit in
 * `otherBits`, and its row is listed in `changed`. @returns how many those are
 */
export function storeWorlds(
  nodes: usize,
  count: i32,
  bits: usize,
  otherBits: usize,
  worlds: usize,
  out: usize,
  changed: usize,
): i32 {
  const first = changed;
  for (let row = 0; row < count; row++) {
    const node = load<i32>(nodes + (<usize>row << 2));
    if (hasBit(bits, node) && storeWorld(worlds + <usize>node * 64, out)) {
      setBit(otherBits, node);
      store<i32>(changed, row);
      changed += 4;
    }
    out += 64;
  }
  return <i32>((changed - first) >>> 2);
}

/**
 * All of it in one walk, where rows of parents come first: sets locals, computes the matrices of those that are others, that have a
 * bit in `dirtyBits`, or whose parent's was computed, lists them, and stores them in the rows. `counts`: how many were computed
 * until now and are now, would not be finite, and are others than in the rows.
 */
export function updateRows(
  nodes: usize,
  count: i32,
  position: usize,
  rotation: usize,
  scale: usize,
  out: usize,
  parents: usize,
  locals: usize,
  worlds: usize,
  bad: usize,
  dirtyBits: usize,
  freshBits: usize,
  unstoredBits: usize,
  otherBits: usize,
  list: usize,
  changed: usize,
  counts: usize,
  limit: f32,
): void {
  const limits = f32x4.splat(limit);
  const first = changed;
  let fresh = list + (<usize>load<i32>(counts) << 2);
  let badCount = 0;
  for (let row = 0; row < count; row++) {
    const node = load<i32>(nodes + (<usize>row << 2));
    const parent = load<i32>(parents + (<usize>node << 2));
    let isFresh = setLocal(locals, node, vector(position), v128.load(rotation), vector(scale));
    isFresh = isFresh || hasBit(dirtyBits, node) || (parent >= 0 && hasBit(freshBits, parent));
    if (isFresh) {
      setBit(freshBits, node);
      store<i32>(fresh, node);
      fresh += 4;
      if (!computeWorld(node, parent, locals, worlds, limits)) {
        store<u8>(bad + node, 1);
        badCount++;
      }
    }
    if (isFresh || hasBit(unstoredBits, node)) {
      if (storeWorld(worlds + <usize>node * 64, out)) {
        setBit(otherBits, node);
        store<i32>(changed, row);
        changed += 4;
      }
    }
    position += 12;
    rotation += 16;
    scale += 12;
    out += 64;
  }
  store<i32>(counts, <i32>((fresh - list) >>> 2));
  store<i32>(counts, load<i32>(counts, 4) + badCount, 4);
  store<i32>(counts, <i32>((changed - first) >>> 2), 8);
}

/** Affine rows of `count` nodes of `list`, of those that have an instance, and whether they are others than its other end. */
export function placeInstances(
  list: usize,
  count: i32,
  denseOfNode: usize,
  worlds: usize,
  out: usize,
  other: usize,
  flags: usize,
  moving: i32,
): void {
  const end = list + (<usize>count << 2);
  for (; list < end; list += 4) {
    const node = load<i32>(list);
    const dense = load<i32>(denseOfNode + (<usize>node << 2));
    if (dense < 0) continue;
    const world = worlds + <usize>node * 64;
    const a = v128.load(world);
    const b = v128.load(world, 16);
    const c = v128.load(world, 32);
    const t = v128.load(world, 48);
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const ct = v128.shuffle<f32>(c, t, 0, 4, 1, 5);
    const x = v128.shuffle<f64>(ab, ct, 0, 2);
    const y = v128.shuffle<f64>(ab, ct, 1, 3);
    const z = v128.shuffle<f64>(
      v128.shuffle<f32>(a, b, 2, 6, 2, 6),
      v128.shuffle<f32>(c, t, 2, 6, 2, 6),
      0,
      2,
    );
    const to = <usize>dense * 48;
    v128.store(out + to, x);
    v128.store(out + to, y, 16);
    v128.store(out + to, z, 32);
    const same = v128.and(
      f32x4.eq(x, v128.load(other + to)),
      v128.and(f32x4.eq(y, v128.load(other + to, 16)), f32x4.eq(z, v128.load(other + to, 32))),
    );
    const at = flags + (<usize>dense << 2);
    const rest = load<i32>(at) & ~moving;
    store<i32>(at, v128.all_true<i32>(same) ? rest : rest | moving);
  }
}
