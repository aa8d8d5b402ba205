import {
  changed,
  read,
  type EntityId,
  type FilterTerm,
  type Query,
  type ReadTerm,
  type Scene,
} from '@ecliptic/ecs';
import { PrefabNode } from '@ecliptic/ecs/components';

/** The nodes of one spawned prefab. */
export interface SpawnedPrefab {
  /** Entity of each node, by its number. */
  readonly nodes: Map<number, EntityId>;
  /** Grows when `nodes` changes. */
  version: number;
}

/** Finds the entities of spawned prefabs by the number of their node. Follows the scene by its changes. */
export class PrefabNodes {
  readonly #changed: Query<readonly [ReadTerm<typeof PrefabNode>, FilterTerm]>;
  readonly #prefabs = new Map<EntityId, SpawnedPrefab>();
  readonly #places = new Map<EntityId, { readonly root: EntityId; readonly index: number }>();
  readonly #stop: () => void;

  constructor(scene: Scene) {
    this.#changed = scene.query(read(PrefabNode), changed(PrefabNode));
    this.#stop = scene.observe('remove', PrefabNode, (entity) => this.#forget(entity));
  }

  /** Takes in what changed since the last call. O(changed). */
  update(): void {
    this.#changed.forEach((entity, { root, index }) => {
      this.#forget(entity);
      this.#places.set(entity, { root, index });
      const prefab = this.#prefabs.get(root) ?? { nodes: new Map(), version: 0 };
      prefab.nodes.set(index, entity);
      prefab.version++;
      this.#prefabs.set(root, prefab);
    });
  }

  /** The nodes that have this `PrefabNode.root`, as of the last {@link PrefabNodes.update}. O(1). */
  of(root: EntityId): SpawnedPrefab | undefined {
    return this.#prefabs.get(root);
  }

  /** Stops following the scene. */
  dispose(): void {
    this.#stop();
    this.#prefabs.clear();
    this.#places.clear();
  }

  #forget(entity: EntityId): void {
    const place = this.#places.get(entity);
    const prefab = place && this.#prefabs.get(place.root);
    this.#places.delete(entity);
    if (prefab?.nodes.get(place?.index ?? -1) !== entity) return;
    prefab.nodes.delete(place?.index ?? -1);
    prefab.version++;
    if (prefab.nodes.size === 0) this.#prefabs.delete(place?.root ?? 0);
  }
}
