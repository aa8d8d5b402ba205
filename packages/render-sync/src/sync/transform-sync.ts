import { NO_INSTANCE, type RenderScene } from '../scene/render-scene.js';
import { AFFINE_FLOATS, matrixToRows } from '../math/affine-rows.js';
import type { PoseSet } from '../hierarchy/pose-set.js';
import { NO_NODE } from '../hierarchy/parent-links.js';
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

  constructor(hierarchy: SceneHierarchy, bindings: InstanceBindings, target: RenderScene) {
    this.#hierarchy = hierarchy;
    this.#bindings = bindings;
    this.#target = target;
  }

  /** @throws EclipticError `render-sync/parent-cycle`, `render-sync/instance-budget` */
  update(): void {
    const { previous, current } = this.#hierarchy;
    this.#hierarchy.updatePresentation();
    const fresh = this.#bindings.update();
    const { instancePrevious, instanceCurrent } = this.#target;
    this.#copy(previous, instancePrevious);
    this.#copy(current, instanceCurrent);
    for (const entity of fresh) {
      const node = this.#hierarchy.nodeOf(entity);
      const dense = this.#target.denseIndex(this.#bindings.instanceOf(entity));
      if (node === NO_NODE || dense < 0) continue;
      matrixToRows(instancePrevious, dense * AFFINE_FLOATS, previous.world, node * 16);
      matrixToRows(instanceCurrent, dense * AFFINE_FLOATS, current.world, node * 16);
      this.#target.markMoving(dense);
    }
  }

  /** Copies the world transforms that were computed to the instances of their entities. */
  #copy({ updated, updatedCount, world, tree }: PoseSet, rows: Float32Array): void {
    for (let i = 0; i < updatedCount; i++) {
      const node = updated[i] as number;
      const id = this.#bindings.instanceOf(tree.owner[node] as number);
      if (id === NO_INSTANCE) continue;
      const dense = this.#target.denseIndex(id);
      if (dense < 0) continue;
      matrixToRows(rows, dense * AFFINE_FLOATS, world, node * 16);
      this.#target.markMoving(dense);
    }
  }
}
