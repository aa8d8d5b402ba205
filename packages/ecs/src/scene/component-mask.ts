import type { Component } from '../schema/component.js';
import type { ComponentType } from '../storage/component-type.js';

/** The set of components that an entity had when `getMask` was called. */
export class ComponentMask {
  /** In order of registration. */
  readonly components: readonly Component[];

  /** Use `scene.getMask`. @internal */
  constructor(types: readonly ComponentType[]) {
    this.components = types.map((type) => type.component);
  }

  /** No components; also of what is not alive. */
  get isEmpty(): boolean {
    return this.components.length === 0;
  }

  has(component: Component): boolean {
    return this.components.includes(component);
  }

  /** Whether it has all of these. */
  matches(components: readonly Component[]): boolean {
    return components.every((component) => this.has(component));
  }

  equals(other: ComponentMask): boolean {
    return other.components.length === this.components.length && this.matches(other.components);
  }
}
