import type { RenderScene } from '../scene/render-scene.js';
import { AFFINE_FLOATS, matrixToRows } from '../math/affine-rows.js';
import { NO_NODE } from '../hierarchy/parent-links.js';
import { DenseByNode } from './dense-by-node.js';
import type { InstanceBindings } from './instance-bindings.js';
import type { SceneHierarchy } from './scene-hierarchy.js';

/** After every node. */
const PAST_END = 0x7fff_ffff;

/**
 * Brings the instances of a render scene in line with the entities: binds and unbinds, and copies the
 * presentation pair's world transforms of what moved. Runs once a frame, before light and camera sync.
 */
export class TransformSync {
  readonly #hierarchy: SceneHierarchy;
  readonly #bindings: InstanceBindings;
  readonly #target: RenderScene;
  readonly #dense: DenseByNode;

  constructor(hierarchy: SceneHierarchy, bindings: InstanceBindings, target: RenderScene) {
    this.#hierarchy = hierarchy;
    this.#bindings = bindings;
    this.#target = target;
    this.#dense = new DenseByNode(hierarchy, bindings, target);
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
    if (swapped && isShared) {
      for (let node = 0; node < hierarchy.tree.end; node++) this.#copy(dense, node, true, true);
      return;
    }
    this.#copyUpdated(dense);
    for (const entity of fresh) {
      const node = hierarchy.nodeOf(entity);
      if (node !== NO_NODE) this.#copy(dense, node, true, true);
    }
  }

  /** Copies the world transforms that were computed to the instances of their entities. Both lists ascend, so one walk does. */
  #copyUpdated(dense: Int32Array): void {
    const { previous, current } = this.#hierarchy;
    const { updated: earlier, updatedCount: earlierCount } = previous;
    const { updated: later, updatedCount: laterCount } = current;
    let i = 0;
    let j = 0;
    while (i < earlierCount || j < laterCount) {
      const a = i < earlierCount ? (earlier[i] as number) : PAST_END;
      const b = j < laterCount ? (later[j] as number) : PAST_END;
      const node = a < b ? a : b;
      if (a === node) i++;
      if (b === node) j++;
      this.#copy(dense, node, a === node, b === node);
    }
  }

  #copy(denseByNode: Int32Array, node: number, withPrevious: boolean, withCurrent: boolean): void {
    const target = this.#target;
    const dense = denseByNode[node] as number;
    if (dense < 0) return;
    const { previous, current } = this.#hierarchy;
    const to = dense * AFFINE_FLOATS;
    if (withPrevious) matrixToRows(target.instancePrevious, to, previous.world, node * 16);
    if (withCurrent) matrixToRows(target.instanceCurrent, to, current.world, node * 16);
    target.markMoving(dense);
  }
}
