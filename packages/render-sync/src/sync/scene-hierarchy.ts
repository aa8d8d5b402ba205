import { EclipticError, EventLog } from '@ecliptic/core';
import { Parent, read, type EntityId, type Query, type ReadTerm, type Scene } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { NO_NODE } from '../hierarchy/parent-links.js';
import { javascriptPoseKernel } from '../hierarchy/javascript-pose-kernel.js';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import { PoseSet } from '../hierarchy/pose-set.js';
import { TransformTree } from '../hierarchy/transform-tree.js';
import { RowNodes } from './row-nodes.js';
import { WorldColumns } from './world-columns.js';

/** Low bits of an entity id: its slot. */
const SLOT_MASK = 0xf_ffff;

/** Options of a {@link SceneHierarchy}. */
export interface SceneHierarchyOptions {
  /** Most entities with a transform. Default: those that the scene may have. */
  readonly capacity?: number;
  /** Most instances of a render scene that is to be in the kernel's memory, too. Default: none. */
  readonly instances?: number;
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
  /** What computes its matrices, for its life. */
  readonly kernel: PoseKernel;
  #previous: PoseSet;
  #current: PoseSet;
  /** Ends of fixed steps since the sets changed places. */
  #steps = 0;
  #numbering = 0;
  readonly #log: EventLog;
  readonly #transforms: Query<readonly [ReadTerm<typeof Transform>]>;
  /** Node by slot of the entity. */
  #nodes: Int32Array;
  readonly #rowNodes: RowNodes;
  readonly #columns: WorldColumns;
  readonly #stop: (() => void)[];
  #isDisposed = false;

  constructor(scene: Scene, options: SceneHierarchyOptions = {}) {
    const { capacity = scene.limits.maxEntities, instances = 0, log } = options;
    const { kernel = javascriptPoseKernel } = options;
    this.scene = scene;
    // Before anything is taken or observed: a scene may have too many types of components already.
    for (const observed of [Transform, Parent]) scene.registerComponent(observed);
    this.kernel = kernel.inArena(scene.arena, capacity, instances);
    const { memory, rowMemory } = this.kernel;
    this.tree = new TransformTree(capacity, memory, rowMemory);
    this.#previous = new PoseSet(this.tree, this.kernel);
    this.#current = new PoseSet(this.tree, this.kernel);
    this.#log = log ?? new EventLog('render-sync');
    this.#columns = new WorldColumns(capacity, this.kernel);
    this.#rowNodes = new RowNodes(this.tree, this.kernel);
    this.#nodes = rowMemory.int32(capacity).fill(NO_NODE);
    this.#transforms = scene.query(read(Transform));
    this.#stop = [
      scene.observe('add', Transform, (entity) => this.#add(entity)),
      scene.observe('remove', Transform, (entity) => this.#remove(entity)),
      scene.observe('set', Transform, (entity) => this.#markUnstored(entity)),
      scene.observe('add', Parent, (child) => this.#link(child, scene.parentOf(child))),
      scene.observe('set', Parent, (child) => this.#link(child, scene.parentOf(child))),
      scene.observe('remove', Parent, (child) => this.#link(child, 0)),
      scene.observeSnapshot(() => void this.#steps++),
    ];
    try {
      this.rebuild();
    } catch (error) {
      // Nobody else could: it would follow the scene for ever.
      this.dispose();
      throw error;
    }
  }

  /**
   * World transforms one fixed step back, once {@link SceneHierarchy.updatePresentation} was called. It and
   * {@link SceneHierarchy.current} change places from step to step: ask anew after each update.
   */
  get previous(): PoseSet {
    return this.#previous;
  }

  /** World transforms of the live values, as of the last update: in `Transform.world` after {@link SceneHierarchy.updateWorld}. */
  get current(): PoseSet {
    return this.#current;
  }

  /** Grows when entities get other nodes. */
  get numbering(): number {
    return this.#numbering;
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
    if (this.#isDisposed) throw disposed(this.scene);
    this.tree.clear();
    for (const poses of this.#poses()) poses.clear();
    this.#nodes.fill(NO_NODE);
    this.#renumbered();
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
    // What was computed for the end of the last step is one step back from now on.
    const swaps = this.#steps > 0;
    if (swaps) this.#swap();
    this.#steps = 0;
    const current = this.#current;
    const previous = this.#previous;
    const tables = this.#transforms.tables();
    const { rows, parentsFirst } = this.#rowNodes;
    let count: number;
    if (parentsFirst && current.canUpdateRows) {
      count = this.#columns.update(current, previous, tables, rows);
    } else {
      rows.first = 0;
      for (const table of tables) {
        rows.count = table.count;
        current.setRows(rows, table.column(Transform));
        rows.first += table.count;
      }
      count = current.update();
    }
    if (swaps && current.badCount > 0) current.keepGoodOf(previous);
    this.#report(current);
    if (current.hasUnstored) this.#columns.store(current, previous, tables, rows);
    return count;
  }

  /**
   * Computes the world transforms of the presentation pair: of what changed and of what is below it. What was moved
   * since the last fixed step, by a camera controller or an editor, is presented where it is now, at once.
   *
   * From step to step {@link SceneHierarchy.previous} and {@link SceneHierarchy.current} change places, so only the new current one is
   * computed: by {@link SceneHierarchy.updateWorld} in the step, or here.
   *
   * @throws EclipticError `render-sync/parent-cycle`
   */
  updatePresentation(): void {
    this.#prepare();
    // Once more than in `updateWorld`, which is before the end of its step.
    const swaps = this.#steps > 1;
    if (swaps) {
      this.#swap();
      this.#steps = 1;
    }
    const previous = this.#previous;
    const current = this.#current;
    const { rows } = this.#rowNodes;
    rows.first = 0;
    for (const table of this.#transforms.tables()) {
      rows.count = table.count;
      previous.setPairRows(current, rows, table.column(Transform));
      rows.first += table.count;
    }
    previous.update();
    current.update();
    if (swaps && current.badCount > 0) current.keepGoodOf(previous);
    this.#report(previous);
    this.#report(current);
  }

  /**
   * Stops following the scene, and gives its memory back: its tree and pose sets are empty from then on, and updating it is an error
   * (`render-sync/hierarchy-disposed`).
   */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const stop of this.#stop.splice(0)) stop();
    // Others use that memory now.
    for (const poses of this.#poses()) poses.leaveMemory();
    this.tree.leaveMemory();
    this.#nodes = new Int32Array(0);
    this.kernel.memory.release();
  }

  #add(entity: EntityId): void {
    this.#insert(entity);
    this.#link(entity, this.scene.parentOf(entity));
    for (const child of this.scene.childrenOf(entity)) this.#link(child, entity);
  }

  #poses(): readonly PoseSet[] {
    return [this.#previous, this.#current];
  }

  #swap(): void {
    [this.#previous, this.#current] = [this.#current, this.#previous];
  }

  /** Settles the tree, and looks up the nodes of all rows; reads the scene anew if it was changed behind the observers' back. */
  #prepare(): void {
    if (this.#isDisposed) throw disposed(this.scene);
    this.#settle();
    const tables = this.#transforms.tables();
    if (this.#rowNodes.update(tables, this.#nodes)) return;
    this.rebuild();
    this.#settle();
    this.#rowNodes.update(tables, this.#nodes);
  }

  #insert(entity: EntityId): void {
    if ((entity & SLOT_MASK) >= this.#nodes.length) throw tooSmall(entity, this.#nodes.length);
    // Only for room: sorting for each entity that is put over another would be quadratic.
    if (this.tree.end === this.tree.capacity) this.#settle();
    const node = this.tree.add(entity);
    this.#nodes[entity & SLOT_MASK] = node;
    for (const poses of this.#poses()) poses.reset(node);
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
    for (const poses of this.#poses()) poses.drop(node);
    this.#nodes[entity & SLOT_MASK] = NO_NODE;
  }

  #link(child: EntityId, parent: EntityId): void {
    const node = this.nodeOf(child);
    if (node === NO_NODE) return;
    const up = this.nodeOf(parent);
    if (this.tree.parent[node] === up) return;
    this.tree.setParent(node, up);
    this.#rowNodes.invalidate();
    this.#markDirty(node);
  }

  #markDirty(node: number): void {
    this.#previous.markDirty(node);
    this.#current.markDirty(node);
  }

  /** What was set or restored may have another `world` than was stored, by values that the sets know. */
  #markUnstored(entity: EntityId): void {
    const node = this.nodeOf(entity);
    if (node === NO_NODE) return;
    this.#previous.markUnstored(node);
    this.#current.markUnstored(node);
  }

  #renumbered(): void {
    this.#numbering++;
    this.#rowNodes.invalidate();
  }

  #settle(): void {
    const order = this.tree.settle();
    if (order === undefined) return;
    this.#renumbered();
    for (const poses of this.#poses()) poses.renumber(order);
    for (let node = 0; node < this.tree.end; node++) {
      this.#nodes[(this.tree.owner[node] as number) & SLOT_MASK] = node;
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

function disposed({ name }: Scene): EclipticError {
  return new EclipticError(
    'render-sync/hierarchy-disposed',
    `The hierarchy of scene "${name}" was disposed`,
    {
      subjects: { scene: name },
      fix: 'Dispose of it after the last frame.',
    },
  );
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
