import type { EntityId } from '@ecliptic/ecs';
import { NO_NODE } from '../hierarchy/parent-links.js';
import type { PoseSet } from '../hierarchy/pose-set.js';
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
  /** Nodes to place. */
  readonly #nodes: Int32Array;
  /** The set whose matrices are the current ends of the instances. */
  #presented: PoseSet;

  constructor(hierarchy: SceneHierarchy, bindings: InstanceBindings, target: RenderScene) {
    this.#hierarchy = hierarchy;
    this.#bindings = bindings;
    this.#target = target;
    this.#dense = new DenseByNode(hierarchy, bindings, target);
    this.#nodes = hierarchy.kernel.rowMemory.int32(hierarchy.tree.capacity);
    this.#presented = hierarchy.current;
  }

  /** @throws EclipticError `render-sync/parent-cycle`, `render-sync/instance-budget` */
  update(): void {
    const hierarchy = this.#hierarchy;
    const target = this.#target;
    hierarchy.updatePresentation();
    const { previous, current } = hierarchy;
    const swapped = current !== this.#presented;
    this.#presented = current;
    // Instances that are not of entities are as their owners set them: then nothing may change places.
    const isShared = target.instanceCount !== this.#bindings.size;
    if (swapped && !isShared) target.swapTransforms();
    const fresh = this.#bindings.update();
    const dense = this.#dense.get();
    this.#placePrevious(dense, previous.takeUnplaced(this.#nodes));
    this.#placeCurrent(dense, current.takeUnplaced(this.#nodes));
    const others = swapped && isShared ? this.#listAll() : this.#list(fresh);
    this.#placePrevious(dense, others);
    this.#placeCurrent(dense, others);
  }

  #placePrevious(dense: Int32Array, count: number): void {
    const { kernel, previous } = this.#hierarchy;
    if (count === 0) return;
    const end = this.#target.changePrevious();
    kernel.rows.placeInstances(this.#nodes, count, dense, previous.world, end);
  }

  #placeCurrent(dense: Int32Array, count: number): void {
    const { kernel, current } = this.#hierarchy;
    if (count === 0) return;
    const end = this.#target.changeCurrent();
    kernel.rows.placeInstances(this.#nodes, count, dense, current.world, end);
  }

  /** @returns how many nodes there are */
  #listAll(): number {
    const { end } = this.#hierarchy.tree;
    for (let node = 0; node < end; node++) this.#nodes[node] = node;
    return end;
  }

  #list(entities: readonly EntityId[]): number {
    let count = 0;
    for (const entity of entities) {
      const node = this.#hierarchy.nodeOf(entity);
      if (node !== NO_NODE) this.#nodes[count++] = node;
    }
    return count;
  }
}
