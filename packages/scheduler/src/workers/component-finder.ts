import { EclipticError } from '@ecliptic/core';
import { Component, type Scene } from '@ecliptic/ecs';
import type { SystemEntry } from '../tick/system-entry.js';
import type { ComponentName } from './command-stage.js';
import { layoutOf } from './worker-system.js';

/** Knows, on the owner's thread, the components that commands of worker systems may name, and finds them by their names. */
export class ComponentFinder {
  readonly #scene: Scene;
  readonly #registry: { readonly entries: readonly SystemEntry[] };

  /** @param registry - of systems, whose declared components count as known */
  constructor(scene: Scene, registry: { readonly entries: readonly SystemEntry[] }) {
    this.#scene = scene;
    this.#registry = registry;
  }

  /** @throws EclipticError `scheduler/unknown-component`, `scheduler/worker-component-differs` */
  readonly find = ({ name, layout }: ComponentName): Component => {
    const component = this.#known(name);
    if (layoutOf(component) !== layout) throw differentComponent(component, layout);
    return component;
  };

  /** @throws EclipticError `scheduler/unknown-component` */
  readonly require = (component: Component): void => {
    // What is no component at all is refused by the commands themselves.
    if (component instanceof Component) this.#known(component.name);
  };

  #known(name: string): Component {
    const registered = this.#scene.componentTypes.find((component) => component.name === name);
    const component = registered ?? this.#declared(name);
    if (component === undefined) throw unknownComponent(name);
    return component;
  }

  #declared(name: string): Component | undefined {
    const declared = this.#registry.entries.flatMap(({ access }) => [
      ...access.reads,
      ...access.writes,
    ]);
    return declared.find(
      (target): target is Component => target instanceof Component && target.name === name,
    );
  }
}

function unknownComponent(name: string): EclipticError {
  return new EclipticError(
    'scheduler/unknown-component',
    `A worker system adds or removes component "${name}", which the scene does not know`,
    {
      subjects: { component: name },
      fix: 'Name it in the reads or writes of the system, or register it with the scene before.',
    },
  );
}

function differentComponent(component: Component, worker: string): EclipticError {
  return new EclipticError(
    'scheduler/worker-component-differs',
    `Component "${component.name}" has other fields in the worker than here`,
    {
      subjects: { component: component.name, here: layoutOf(component), worker },
      fix: 'Import the component from the same module on both sides, and rebuild both bundles.',
    },
  );
}
