import { EclipticError } from '@ecliptic/core';
import { Component } from '../schema/component.js';
import { ComponentType } from '../storage/component-type.js';

/** The component types of one scene: dense ids in order of registration. */
export class ComponentRegistry {
  readonly types: ComponentType[] = [];
  readonly #byComponent = new Map<Component, ComponentType>();
  readonly #byName = new Map<string, ComponentType>();
  readonly #scene: string;
  readonly #max: number;

  constructor(scene: string, max: number) {
    this.#scene = scene;
    this.#max = max;
  }

  /** What the component is here, or `undefined` where it was never registered. */
  find(component: Component): ComponentType | undefined {
    if (component?.cached === undefined) throw noComponent(component);
    const cached = component.cached(this);
    if (cached !== undefined) return cached as ComponentType;
    const type = this.#byComponent.get(component);
    if (type) component.remember(this, type);
    return type;
  }

  byName(name: string): ComponentType | undefined {
    return this.#byName.get(name);
  }

  /** @throws EclipticError `ecs/no-component`, `ecs/duplicate-component-name`, `ecs/component-type-budget` */
  register(component: Component): ComponentType {
    if (!(component instanceof Component)) throw noComponent(component);
    const { name } = component;
    if (this.#byName.has(name)) {
      throw new EclipticError(
        'ecs/duplicate-component-name',
        `Scene "${this.#scene}" already has another component named "${name}"`,
        {
          subjects: { scene: this.#scene, component: name },
          fix: 'Define each component once, at module level, and import it; or rename one.',
        },
      );
    }
    if (this.types.length >= this.#max) {
      throw new EclipticError(
        'ecs/component-type-budget',
        `Scene "${this.#scene}" has ${this.#max} component types; "${name}" would be one more`,
        {
          subjects: { scene: this.#scene, component: name, maxComponentTypes: this.#max },
          fix: 'Merge component types, or raise the option maxComponentTypes.',
        },
      );
    }
    const type = new ComponentType(this.types.length, component);
    this.types.push(type);
    this.#byComponent.set(component, type);
    this.#byName.set(name, type);
    return type;
  }

  /** Forgets the type that was registered last. */
  unregister({ component }: ComponentType): void {
    this.types.pop();
    this.#byComponent.delete(component);
    this.#byName.delete(component.name);
    if (component.cached(this)) component.remember(undefined, undefined);
  }

  /** Drops what tokens remember of this scene. */
  dispose(): void {
    for (const { component } of this.types) {
      if (component.cached(this)) component.remember(undefined, undefined);
    }
  }
}

function noComponent(component: unknown): EclipticError {
  return new EclipticError('ecs/no-component', `${String(component)} is no component`, {
    subjects: { component },
    fix: 'Use what defineComponent or defineTag made, with its values as [Component, { … }]. undefined often comes from modules that import each other.',
  });
}
