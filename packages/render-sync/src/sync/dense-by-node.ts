import { NO_INSTANCE, type RenderScene } from '../scene/render-scene.js';
import type { InstanceBindings } from './instance-bindings.js';
import type { SceneHierarchy } from './scene-hierarchy.js';

/** Where the instance of each node of a hierarchy is in the arrays of a render scene, looked up once until one of them changes. */
export class DenseByNode {
  readonly #hierarchy: SceneHierarchy;
  readonly #bindings: InstanceBindings;
  readonly #target: RenderScene;
  readonly #dense: Int32Array;
  #membership = -1;
  #numbering = -1;

  constructor(hierarchy: SceneHierarchy, bindings: InstanceBindings, target: RenderScene) {
    this.#hierarchy = hierarchy;
    this.#bindings = bindings;
    this.#target = target;
    this.#dense = hierarchy.kernel.rowMemory.int32(hierarchy.tree.capacity);
  }

  /**
   * Dense indices by node, −1 for nodes without an instance; valid until an entity or instance comes, goes, or is shown or hidden.
   * O(1), after such a change O(nodes).
   */
  get(): Int32Array {
    const { membership } = this.#target;
    const { numbering, tree } = this.#hierarchy;
    const dense = this.#dense;
    if (membership === this.#membership && numbering === this.#numbering) return dense;
    this.#membership = membership;
    this.#numbering = numbering;
    // Also those of nodes to come, which have no instance until the membership changes.
    dense.fill(-1);
    for (let node = 0; node < tree.end; node++) {
      const id = this.#bindings.instanceOf(tree.owner[node] as number);
      if (id !== NO_INSTANCE) dense[node] = this.#target.denseIndex(id);
    }
    return dense;
  }
}
