import { NO_INSTANCE, type RenderScene } from '../scene/render-scene.js';
import { AFFINE_FLOATS, matrixToRows } from '../math/affine-rows.js';
import { NO_NODE } from '../hierarchy/parent-links.js';
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
    this.#copyUpdated();
    for (const entity of fresh) {
      const node = this.#hierarchy.nodeOf(entity);
      const dense = this.#target.denseIndex(this.#bindings.instanceOf(entity));
      if (node === NO_NODE || dense < 0) continue;
      matrixToRows(instancePrevious, dense * AFFINE_FLOATS, previous.world, node * 16);
      matrixToRows(instanceCurrent, dense * AFFINE_FLOATS, current.world, node * 16);
      this.#target.markMoving(dense);
    }
  }

  /** Copies the world transforms that were computed to the instances of their entities. Both lists ascend, so one walk does. */
  #copyUpdated(): void {
    const { tree, previous, current } = this.#hierarchy;
    const { instancePrevious, instanceCurrent } = this.#target;
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
      const id = this.#bindings.instanceOf(tree.owner[node] as number);
      const dense = id === NO_INSTANCE ? -1 : this.#target.denseIndex(id);
      if (dense < 0) continue;
      const to = dense * AFFINE_FLOATS;
      if (a === node) matrixToRows(instancePrevious, to, previous.world, node * 16);
      if (b === node) matrixToRows(instanceCurrent, to, current.world, node * 16);
      this.#target.markMoving(dense);
    }
  }
}
