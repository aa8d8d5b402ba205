import type { EntityId } from '@ecliptic/ecs';
import { NO_NODE } from '../hierarchy/parent-links.js';
import type { PoseSet } from '../hierarchy/pose-set.js';
import type { InstanceEnd } from '../hierarchy/row-kernel.js';
import type { RenderScene } from '../scene/render-scene.js';
import { DenseByNode } from './dense-by-node.js';
import type { InstanceBindings } from './instance-bindings.js';
import type { SceneHierarchy } from './scene-hierarchy.js';

/**
 * Brings the instances of a render scene in line with the entities: binds and unbinds, and copies the
 * presentation pair's world transforms of what moved. Runs once a frame, before light and camera sync.
 */
export class TransformSync {
  readonly #hierarchy: SceneHierarchy;
  readonly #bindings: InstanceBindings;
  readonly #target: RenderScene;
  readonly #dense: DenseByNode;
  /** Nodes that are not in the lists of what was updated. */
  readonly #others: Int32Array;

  constructor(hierarchy: SceneHierarchy, bindings: InstanceBindings, target: RenderScene) {
    this.#hierarchy = hierarchy;
    this.#bindings = bindings;
    this.#target = target;
    this.#dense = new DenseByNode(hierarchy, bindings, target);
    this.#others = hierarchy.kernel.rowMemory.int32(hierarchy.tree.capacity);
  }

  /** @throws EclipticError `render-sync/parent-cycle`, `render-sync/instance-budget` */
  update(): void {
    const hierarchy = this.#hierarchy;
    const target = this.#target;
    const swapped = hierarchy.updatePresentation();
    // Instances that are not of entities are as their owners set them: then nothing may change places.
    const isShared = target.instanceCount !== this.#bindings.size;
    if (swapped && !isShared) target.swapTransforms();
    const fresh = this.#bindings.update();
    const dense = this.#dense.get();
    const { previous, current } = hierarchy;
    if (swapped && isShared) {
      this.#placeBoth(dense, this.#listAll());
      return;
    }
    this.#place(dense, previous, target.previousEnd, previous.updated, previous.updatedCount);
    this.#place(dense, current, target.currentEnd, current.updated, current.updatedCount);
    if (fresh.length > 0) this.#placeBoth(dense, this.#list(fresh));
  }

  #placeBoth(dense: Int32Array, count: number): void {
    const { previous, current } = this.#hierarchy;
    this.#place(dense, previous, this.#target.previousEnd, this.#others, count);
    this.#place(dense, current, this.#target.currentEnd, this.#others, count);
  }

  #place(
    dense: Int32Array,
    { world }: PoseSet,
    end: InstanceEnd,
    nodes: Int32Array,
    count: number,
  ): void {
    if (count > 0) this.#hierarchy.kernel.rows.placeInstances(nodes, count, dense, world, end);
  }

  /** @returns how many nodes there are in the list of others */
  #listAll(): number {
    const { end } = this.#hierarchy.tree;
    for (let node = 0; node < end; node++) this.#others[node] = node;
    return end;
  }

  #list(entities: readonly EntityId[]): number {
    let count = 0;
    for (const entity of entities) {
      const node = this.#hierarchy.nodeOf(entity);
      if (node !== NO_NODE) this.#others[count++] = node;
    }
    return count;
  }
}
