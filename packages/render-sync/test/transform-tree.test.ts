import { EclipticError } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOCAL_FLOATS, PoseSet, TransformTree } from '../src/index.js';
import { anyTrs, IDENTITY, turn, type Trs } from './fixtures/transforms.js';

type Mat = readonly number[];

/** Column-major product, in 64 bits. */
function times(a: Mat, b: Mat): number[] {
  const out: number[] = [];
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += (a[k * 4 + row] ?? 0) * (b[column * 4 + k] ?? 0);
      out.push(sum);
    }
  }
  return out;
}

/** A matrix by the textbook: the axes turned by the quaternion (q · v · q*), scaled. */
function local({ position, rotation: [x, y, z, w], scale }: Trs): number[] {
  const turned = (v: readonly [number, number, number]): number[] => {
    const tx = 2 * (y * v[2] - z * v[1]);
    const ty = 2 * (z * v[0] - x * v[2]);
    const tz = 2 * (x * v[1] - y * v[0]);
    return [
      v[0] + w * tx + y * tz - z * ty,
      v[1] + w * ty + z * tx - x * tz,
      v[2] + w * tz + x * ty - y * tx,
    ];
  };
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const;
  const columns = axes.flatMap((axis, i) => [...turned(axis).map((c) => c * (scale[i] ?? 0)), 0]);
  return [...columns, ...position, 1];
}

interface Entry {
  trs: Trs;
  parent: number;
  /** Its last good matrix, while its transform is not finite. */
  stuck?: Mat | undefined;
}

/** What a node's world matrix must be: recursive, nothing remembered of what is finite. */
function oracle(node: number, model: Map<number, Entry>): Mat {
  const entry = model.get(node);
  if (entry === undefined) throw new Error(`no ${node}`);
  if (entry.stuck !== undefined) return entry.stuck;
  const own = local(entry.trs);
  return entry.parent < 0 ? own : times(oracle(entry.parent, model), own);
}

/** A tree with poses, driven by owner, as its user does. */
class Harness {
  readonly tree = new TransformTree(64);
  readonly poses = new PoseSet(this.tree);
  readonly nodes = new Map<number, number>();
  computed = 0;

  add(owner: number): void {
    if (this.tree.needsSettling) this.settle();
    const node = this.tree.add(owner);
    this.nodes.set(owner, node);
    this.poses.reset(node);
  }
  remove(owner: number): void {
    const node = this.node(owner);
    let child = this.tree.firstChild[node] as number;
    for (; child >= 0; child = this.tree.nextSibling[child] as number) this.poses.markDirty(child);
    this.tree.remove(node);
    this.poses.drop(node);
    this.nodes.delete(owner);
  }
  setParent(owner: number, parent: number): void {
    this.tree.setParent(this.node(owner), parent < 0 ? -1 : this.node(parent));
    this.poses.markDirty(this.node(owner));
  }
  set(owner: number, { position, rotation, scale }: Trs): void {
    this.poses.set(
      this.node(owner),
      Float32Array.from(position),
      0,
      Float32Array.from(rotation),
      0,
      Float32Array.from(scale),
      0,
    );
  }
  settle(): void {
    const order = this.tree.settle();
    if (order === undefined) return;
    this.poses.renumber(order);
    for (let node = 0; node < this.tree.end; node++)
      this.nodes.set(this.tree.owner[node] as number, node);
  }
  update(): void {
    this.settle();
    this.computed = this.poses.update();
  }
  world(owner: number): Float32Array {
    return this.poses.world.subarray(this.node(owner) * 16, this.node(owner) * 16 + 16);
  }
  node(owner: number): number {
    const node = this.nodes.get(owner);
    if (node === undefined) throw new Error(`no ${owner}`);
    return node;
  }
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/** The path that a `render-sync/parent-cycle` error names; empty without one. */
function cyclePath(act: () => void): readonly number[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof EclipticError) || error.code !== 'render-sync/parent-cycle') throw error;
    return error.subjects['path'] as number[];
  }
  return [];
}

function difference(actual: Float32Array, expected: Mat): number {
  let worst = 0;
  const size = Math.max(1, ...expected.map(Math.abs));
  for (const [i, want] of expected.entries()) {
    worst = Math.max(worst, Math.abs((actual[i] as number) - want) / size);
  }
  return worst;
}

describe('the transform hierarchy', () => {
  test('whatever is added, removed, moved, re-parented, broken and tied into a cycle: the same as a naive recursion', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), trs: anyTrs }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('set' as const), which: fc.nat(), trs: anyTrs }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('parent' as const),
          which: fc.nat(),
          to: fc.nat(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('break' as const),
          which: fc.nat(),
          with: fc.constantFrom(NaN, Infinity, -Infinity),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('update' as const) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const harness = new Harness();
        const model = new Map<number, Entry>();
        let owners = 0;
        /** What each node's matrix was after the last update: what it keeps when it breaks. */
        const last = new Map<number, Mat>();
        const pick = (n: number): number => [...model.keys()][n % Math.max(1, model.size)] ?? -1;
        const below = (node: number, top: number): boolean =>
          node >= 0 && (node === top || below(model.get(node)?.parent ?? -1, top));
        let worst = 0;
        const wrong: unknown[] = [];
        for (const each of [...steps, { kind: 'update' as const }]) {
          if (each.kind === 'add' && model.size < 60) {
            harness.add(++owners);
            harness.set(owners, each.trs);
            model.set(owners, { trs: each.trs, parent: -1 });
          } else if (each.kind === 'update') {
            harness.update();
            for (const owner of model.keys()) {
              const want = oracle(owner, model);
              worst = Math.max(worst, difference(harness.world(owner), want));
              last.set(owner, want);
            }
            const { poses, tree } = harness;
            const broken = [...model].filter(([, { stuck }]) => stuck).map(([owner]) => owner);
            const quarantined = poses.quarantined().map((node) => tree.owner[node] as number);
            if (sorted(quarantined).join() !== broken.join()) {
              wrong.push({ quarantined, broken });
            }
          }
          if (!('which' in each) || model.size === 0) continue;
          const owner = pick(each.which);
          const entry = model.get(owner);
          if (entry === undefined) continue;
          if (each.kind === 'set') {
            harness.set(owner, each.trs);
            entry.trs = each.trs;
            entry.stuck = undefined;
          } else if (each.kind === 'break') {
            const { trs } = entry;
            harness.set(owner, { ...trs, position: [trs.position[0], each.with, 0] });
            entry.stuck ??= last.get(owner) ?? local(IDENTITY);
          } else if (each.kind === 'parent') {
            const to = each.to % 4 === 0 ? -1 : pick(each.to >>> 2);
            harness.setParent(owner, to);
            if (below(to, owner)) {
              const path: number[] = [];
              for (let up = to; up !== owner; up = model.get(up)?.parent ?? -1) path.push(up);
              const found = cyclePath(() => harness.update());
              if (sorted(found).join() !== sorted([owner, ...path]).join()) {
                wrong.push({ found, owner, path });
              }
              harness.setParent(owner, entry.parent);
              continue;
            }
            entry.parent = to;
          } else {
            harness.remove(owner);
            model.delete(owner);
            last.delete(owner);
            for (const child of model.values()) if (child.parent === owner) child.parent = -1;
          }
        }
        expect(wrong).toEqual([]);
        expect(worst).toBeLessThan(1e-4);
        expect(harness.tree.size).toBe(model.size);
      }),
      { numRuns: 200 },
    );
  });

  test('a rotation about any one axis reaches the children', () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const) {
      const harness = new Harness();
      harness.add(1);
      harness.add(2);
      harness.setParent(2, 1);
      harness.set(2, { ...IDENTITY, position: [1, 2, 3] });
      harness.update();
      harness.set(1, { ...IDENTITY, rotation: turn(axis, 1) });
      harness.update();
      const model = new Map([
        [1, { trs: { ...IDENTITY, rotation: turn(axis, 1) }, parent: -1 }],
        [2, { trs: { ...IDENTITY, position: [1, 2, 3] as const }, parent: 1 }],
      ]);
      expect(difference(harness.world(2), oracle(2, model))).toBeLessThan(1e-6);
    }
  });

  test('computes what changed and what is below it, nothing else', () => {
    const harness = new Harness();
    for (let owner = 1; owner <= 15; owner++) {
      harness.add(owner);
      if (owner > 1) harness.setParent(owner, owner >> 1); // a binary tree
    }
    harness.update();
    expect(harness.computed).toBe(15);
    harness.update();
    expect(harness.computed).toBe(0);
    harness.set(2, { ...IDENTITY, position: [1, 0, 0] });
    harness.set(9, { ...IDENTITY, position: [1, 0, 0] });
    harness.update();
    expect(harness.computed).toBe(7);
    harness.set(9, { ...IDENTITY, position: [1, 0, 0] }); // as it is
    harness.update();
    expect(harness.computed).toBe(0);
  });

  test('children are found whether their numbers follow one another or not, across words of the marks', () => {
    const tree = new TransformTree(400);
    const poses = new PoseSet(tree);
    for (let n = 0; n < 400; n++) poses.reset(tree.add(n + 1));
    const computed = (): number[] => {
      poses.update();
      poses.markDirty(0);
      poses.update();
      return [...poses.updated.subarray(0, poses.updatedCount)];
    };
    const range = (from: number, to: number): number[] =>
      Array.from({ length: to - from }, (_, i) => from + i);
    for (let n = 1; n < 200; n++) tree.setParent(n, 0);
    expect(computed()).toEqual(range(0, 200));
    tree.setParent(199, -1); // the last
    tree.setParent(1, -1); // the first
    expect(computed()).toEqual([0, ...range(2, 199)]);
    tree.setParent(100, -1); // one between
    expect(computed()).toEqual([0, ...range(2, 100), ...range(101, 199)]);
    tree.setParent(300, 0);
    tree.remove(64);
    expect(computed()).toEqual([0, ...range(2, 64), ...range(65, 100), ...range(101, 199), 300]);
    for (const child of computed().slice(1)) tree.setParent(child, -1);
    for (const child of [31, 32, 33]) tree.setParent(child, 0);
    expect(computed()).toEqual([0, 31, 32, 33]);
  });

  test('a cycle is an error that names its path, and the tree is as before', () => {
    const harness = new Harness();
    for (const owner of [11, 12, 13, 14]) harness.add(owner);
    harness.setParent(14, 13);
    harness.setParent(13, 12);
    harness.setParent(12, 11);
    harness.update();
    harness.setParent(11, 13);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(() => harness.update()).toThrow(
        expect.objectContaining({
          code: 'render-sync/parent-cycle',
          message: expect.stringContaining('11 → 13 → 12 → 11') as string,
          subjects: { path: [11, 13, 12] },
        }),
      );
    }
    harness.setParent(11, -1);
    harness.update();
    expect(harness.tree.size).toBe(4);
  });

  test('an entity can not be its own parent', () => {
    const harness = new Harness();
    harness.add(5);
    harness.tree.setParent(0, 0);
    expect(() => harness.update()).toThrow(/5 → 5/);
  });

  test('what is not finite is quarantined: it keeps its last good matrix, and so does what is below it', () => {
    for (const broken of [NaN, Infinity, -Infinity, 3e38]) {
      const harness = new Harness();
      harness.add(1);
      harness.add(2);
      harness.setParent(2, 1);
      harness.set(1, { ...IDENTITY, position: [5, 0, 0] });
      harness.update();
      harness.set(1, { ...IDENTITY, position: [broken, 0, 0] });
      harness.update();
      expect(harness.poses.quarantined().map((node) => harness.tree.owner[node])).toEqual([1]);
      expect([harness.world(1)[12], harness.world(2)[12]]).toEqual([5, 5]);
      harness.set(1, { ...IDENTITY, position: [6, 0, 0] });
      harness.update();
      expect(harness.poses.quarantined()).toEqual([]);
      expect(harness.world(2)[12]).toBe(6);
    }
  });

  test('a quarantined node that gets another number leaves nothing at its old one', () => {
    const tree = new TransformTree(256);
    const poses = new PoseSet(tree);
    const place = (node: number, x: number): void => {
      const [position, turned] = [Float32Array.of(x, 0, 0), Float32Array.of(0, 0, 0, 1)];
      poses.set(node, position, 0, turned, 0, Float32Array.of(1, 1, 1), 0);
    };
    const fill = (): void => {
      while (tree.size < 150) poses.reset(tree.add(tree.size + 1));
    };
    fill();
    place(149, NaN);
    poses.update();
    expect(poses.quarantined()).toEqual([149]);
    for (let node = 0; node < 149; node++) {
      tree.remove(node);
      poses.drop(node);
    }
    poses.renumber(tree.settle() ?? new Int32Array());
    fill();
    poses.update();
    expect(poses.quarantined()).toEqual([0]);
    place(0, 3);
    poses.update();
    expect(poses.quarantined()).toEqual([]);
  });

  test('any depth: a chain of 50,000, built from its end', () => {
    const depth = 50_000;
    const tree = new TransformTree(depth);
    const poses = new PoseSet(tree);
    for (let n = 0; n < depth; n++) {
      poses.reset(tree.add(n + 1));
      poses.local[n * LOCAL_FLOATS] = 1;
    }
    for (let n = 0; n + 1 < depth; n++) tree.setParent(n, n + 1);
    const order = tree.settle();
    if (order) poses.renumber(order);
    expect(poses.update()).toBe(depth);
    expect(poses.world[(depth - 1) * 16 + 12]).toBe(depth);
  });

  test('a full tree says so, and makes room of what was removed when it settles', () => {
    const tree = new TransformTree(4);
    for (let n = 1; n <= 4; n++) tree.add(n);
    expect(() => tree.add(5)).toThrow(expect.objectContaining({ code: 'render-sync/tree-full' }));
    expect([tree.needsSettling, tree.settle()]).toEqual([false, undefined]);
    tree.remove(1);
    expect(tree.needsSettling).toBe(true);
    expect([...(tree.settle() ?? [])]).toEqual([0, 2, 3]);
    expect(tree.add(5)).toBe(3);
  });
});
