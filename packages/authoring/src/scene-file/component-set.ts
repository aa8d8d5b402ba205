import type { Component, EntityId, Scene } from '@ecliptic/ecs';

/** The components that planned entities have in common: a table of the scene, which is reserved before its entities are made. */
export class ComponentSet {
  readonly components: readonly Component[];
  /** Entities that are planned with exactly these. */
  rows = 0;
  readonly #larger = new Map<Component, ComponentSet>();
  /** What entities are created with; used for one after the other. */
  readonly #inits: readonly [Component, object][];

  constructor(components: readonly Component[] = []) {
    this.components = components;
    this.#inits = components.map((component) => [component, {}]);
  }

  /** These components and one more: the same set each time. */
  with(component: Component): ComponentSet {
    let set = this.#larger.get(component);
    if (set === undefined) {
      set = new ComponentSet([...this.components, component]);
      this.#larger.set(component, set);
    }
    return set;
  }

  /** Makes room for all that is planned, as far as the scene's budget of entities goes. */
  reserve(scene: Scene): void {
    scene.reserve(this.components, Math.min(this.rows, scene.limits.maxEntities));
  }

  /** @param values - of the components, in their order */
  create(scene: Scene, values: readonly object[]): EntityId {
    const inits = this.#inits;
    for (let i = 0; i < inits.length; i++) {
      (inits[i] as [Component, object])[1] = values[i] as object;
    }
    return scene.createEntity(...inits);
  }
}
