import { EclipticError, EventLog } from '@ecliptic/core';
import { Parent, read, type EntityId, type Query, type ReadTerm, type Scene } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { NO_NODE } from '../hierarchy/parent-links.js';
import { javascriptPoseKernel } from '../hierarchy/javascript-pose-kernel.js';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import { PoseSet } from '../hierarchy/pose-set.js';
import { TransformTree } from '../hierarchy/transform-tree.js';

/** Low bits of an entity id: its slot. */
const SLOT_MASK = 0xf_ffff;

/** Options of a {@link SceneHierarchy}. */
export interface SceneHierarchyOptions {
  /** Most entities with a transform: the scene's `maxEntities`. Default 65,536. */
  readonly capacity?: number;
  /** What computes matrices. Default: JavaScript. */
  readonly kernel?: PoseKernel;
  /** Default: a log of `render-sync`. */
  readonly log?: EventLog;
}

/**
 * World transforms of a scene's entities: of the live values, for the simulation, and of the
 * presentation pair, for rendering. Follows the scene by observers: whatever gets or loses a `Transform` or
 * `Parent`, by whichever way.
 *
 * An entity without a parent, or whose parent has no `Transform`, is a root. A transform that isn't finite is
 * quarantined and reported once an entity (`transform_not_finite`); see {@link PoseSet}.
 *
 * @example
 * ```ts
 * const hierarchy = new SceneHierarchy(scene);
 * hierarchy.updateWorld(); // Transform.world of everything that moved, and of what is below it
 * ```
 */
export class SceneHierarchy {
  readonly scene: Scene;
  readonly tree: TransformTree;
  /** World transforms of the live values, as in `Transform.world`. */
  readonly live: PoseSet;
  /** World transforms one fixed step back. */
  readonly previous: PoseSet;
  /** World transforms of the last fixed step. */
  readonly current: PoseSet;
  readonly #log: EventLog;
  readonly #transforms: Query<readonly [ReadTerm<typeof Transform>]>;
  /** Node by slot of the entity. */
  readonly #nodes: Int32Array;
  /** 1 for nodes whose matrix is to be stored. */
  readonly #fresh: Uint8Array;
  readonly #stop: (() => void)[];

  constructor(scene: Scene, options: SceneHierarchyOptions = {}) {
    const { capacity = 65_536, kernel = javascriptPoseKernel, log } = options;
    this.scene = scene;
    this.tree = new TransformTree(capacity, kernel.memory);
    this.live = new PoseSet(this.tree, kernel);
    this.previous = new PoseSet(this.tree, kernel);
    this.current = new PoseSet(this.tree, kernel);
    this.#log = log ?? new EventLog('render-sync');
    this.#fresh = new Uint8Array(capacity);
    this.#nodes = new Int32Array(capacity).fill(NO_NODE);
    this.#transforms = scene.query(read(Transform));
    this.#stop = [
      scene.observe('add', Transform, (entity) => this.#add(entity)),
      scene.observe('remove', Transform, (entity) => this.#remove(entity)),
      scene.observe('add', Parent, (child) => this.#link(child, scene.parentOf(child))),
      scene.observe('set', Parent, (child) => this.#link(child, scene.parentOf(child))),
      scene.observe('remove', Parent, (child) => this.#link(child, 0)),
    ];
    this.rebuild();
  }

  /** The entity's node, or −1. O(1). */
  nodeOf(entity: EntityId): number {
    const node = this.#nodes[entity & SLOT_MASK] ?? NO_NODE;
    return node !== NO_NODE && this.tree.owner[node] === entity ? node : NO_NODE;
  }

  /**
   * Forgets everything and reads the scene anew: after something replaced its content behind the
   * observers' back. O(entities).
   */
  rebuild(): void {
    this.tree.clear();
    for (const poses of [this.live, this.previous, this.current]) poses.clear();
    this.#nodes.fill(NO_NODE);
    const { entities } = this.#transforms;
    for (const entity of entities) this.#insert(entity);
    for (const entity of entities) this.#link(entity, this.scene.parentOf(entity));
  }

  /**
   * Computes `Transform.world` from the live values: of what changed and of what is below it. Entities whose matrix
   * changed count as changed to `changed(Transform)` queries, others don't.
   *
   * @returns how many matrices were computed
   * @throws EclipticError `render-sync/parent-cycle`
   */
  updateWorld(): number {
    this.#prepare();
    const { live } = this;
    for (const table of this.#transforms.tables()) {
      const { position, rotation, scale } = table.column(Transform);
      const { entities, count } = table;
      for (let row = 0; row < count; row++) {
        const node = this.#nodes[(entities[row] as number) & SLOT_MASK] as number;
        live.set(node, position, row * 3, rotation, row * 4, scale, row * 3);
      }
    }
    if (live.update() === 0) return 0;
    this.#report(live);
    this.#storeWorld();
    return live.updatedCount;
  }

  /**
   * Computes the world transforms of the presentation pair: of what changed and of what is below it. What was moved
   * since the last fixed step, by a camera controller or an editor, is presented where it is now, at once.
   *
   * @throws EclipticError `render-sync/parent-cycle`
   */
  updatePresentation(): void {
    this.#prepare();
    const { previous, current } = this;
    for (const table of this.#transforms.tables()) {
      const t = table.column(Transform);
      const { entities, count } = table;
      for (let row = 0; row < count; row++) {
        const node = this.#nodes[(entities[row] as number) & SLOT_MASK] as number;
        const a = row * 3;
        const b = row * 4;
        if (
          sameVector(t.position, t.currentPosition, a) &&
          sameQuaternion(t.rotation, t.currentRotation, b) &&
          sameVector(t.scale, t.currentScale, a)
        ) {
          previous.set(node, t.previousPosition, a, t.previousRotation, b, t.previousScale, a);
          current.set(node, t.currentPosition, a, t.currentRotation, b, t.currentScale, a);
        } else {
          previous.set(node, t.position, a, t.rotation, b, t.scale, a);
          current.set(node, t.position, a, t.rotation, b, t.scale, a);
        }
      }
    }
    previous.update();
    current.update();
    this.#report(previous);
    this.#report(current);
  }

  /** Stops following the scene. */
  dispose(): void {
    for (const stop of this.#stop.splice(0)) stop();
    this.tree.clear();
  }

  #add(entity: EntityId): void {
    this.#insert(entity);
    this.#link(entity, this.scene.parentOf(entity));
    for (const child of this.scene.childrenOf(entity)) this.#link(child, entity);
  }

  /** Settles the tree; reads the scene anew if it was changed behind the observers' back. */
  #prepare(): void {
    const { owner } = this.tree;
    let rows = 0;
    let known = true;
    for (const { entities, count } of this.#transforms.tables()) {
      rows += count;
      for (let row = 0; known && row < count; row++) {
        const entity = entities[row] as number;
        known = owner[this.#nodes[entity & SLOT_MASK] as number] === entity;
      }
    }
    if (!known || rows !== this.tree.size) this.rebuild();
    this.#settle();
  }

  #insert(entity: EntityId): void {
    if ((entity & SLOT_MASK) >= this.#nodes.length) throw tooSmall(entity, this.#nodes.length);
    // Only for room: sorting for each entity that is put over another would be quadratic.
    if (this.tree.end === this.tree.capacity) this.#settle();
    const node = this.tree.add(entity);
    this.#nodes[entity & SLOT_MASK] = node;
    for (const poses of [this.live, this.previous, this.current]) poses.reset(node);
  }

  #remove(entity: EntityId): void {
    const node = this.nodeOf(entity);
    if (node === NO_NODE) return;
    const { tree } = this;
    for (let child = tree.firstChild[node] as number; child !== NO_NODE;) {
      this.#markDirty(child);
      child = tree.nextSibling[child] as number;
    }
    tree.remove(node);
    for (const poses of [this.live, this.previous, this.current]) poses.drop(node);
    this.#nodes[entity & SLOT_MASK] = NO_NODE;
  }

  #link(child: EntityId, parent: EntityId): void {
    const node = this.nodeOf(child);
    if (node === NO_NODE) return;
    const up = this.nodeOf(parent);
    if (this.tree.parent[node] === up) return;
    this.tree.setParent(node, up);
    this.#markDirty(node);
  }

  #markDirty(node: number): void {
    this.live.markDirty(node);
    this.previous.markDirty(node);
    this.current.markDirty(node);
  }

  #settle(): void {
    const order = this.tree.settle();
    if (order === undefined) return;
    for (const poses of [this.live, this.previous, this.current]) poses.renumber(order);
    for (let node = 0; node < this.tree.end; node++) {
      this.#nodes[(this.tree.owner[node] as number) & SLOT_MASK] = node;
    }
  }

  /** Copies matrices that were computed to the entities' columns. */
  #storeWorld(): void {
    const { updated, updatedCount, world } = this.live;
    const fresh = this.#fresh;
    for (let i = 0; i < updatedCount; i++) fresh[updated[i] as number] = 1;
    for (const table of this.#transforms.tables()) {
      const columns = table.column(Transform);
      const { entities, count } = table;
      const out = columns.world;
      for (let row = 0; row < count; row++) {
        const node = this.#nodes[(entities[row] as number) & SLOT_MASK] as number;
        if (fresh[node] === 0) continue;
        fresh[node] = 0;
        const from = node * 16;
        const to = row * 16;
        for (let k = 0; k < 16; k++) out[to + k] = world[from + k] as number;
        columns.$touch(row);
      }
    }
  }

  #report(poses: PoseSet): void {
    if (poses.badCount === 0) return;
    for (let i = 0; i < poses.updatedCount; i++) {
      const node = poses.updated[i] as number;
      if (poses.bad[node] === 0) continue;
      const entity = this.tree.owner[node] as number;
      this.#log.warnOnce('transform_not_finite', entity, { entity, scene: this.scene.name });
    }
  }
}

function tooSmall(entity: EntityId, capacity: number): EclipticError {
  return new EclipticError(
    'render-sync/tree-full',
    `Entity ${entity} is beyond the ${capacity} entities of the hierarchy`,
    {
      subjects: { entity, capacity },
      fix: 'Give the hierarchy the capacity of the scene (maxEntities).',
    },
  );
}

function sameVector(a: Float32Array, b: Float32Array, i: number): boolean {
  return a[i] === b[i] && a[i + 1] === b[i + 1] && a[i + 2] === b[i + 2];
}

function sameQuaternion(a: Float32Array, b: Float32Array, i: number): boolean {
  return sameVector(a, b, i) && a[i + 3] === b[i + 3];
}
