import { EclipticError } from '@ecliptic/core';
import { Component, type Scene } from '@ecliptic/ecs';
import type { SystemEntry } from '../tick/system-entry.js';
import type { ComponentName } from './command-stage.js';
import { layoutOf } from './worker-system.js';

/** Finds, on the owner's thread, the components that commands of workers name. */
export class ComponentFinder {
  readonly #scene: Scene;
  readonly #entries: readonly SystemEntry[];

  /** @param entries - systems, whose declared components count as known */
  constructor(scene: Scene, entries: readonly SystemEntry[]) {
    this.#scene = scene;
    this.#entries = entries;
  }

  /** @throws EclipticError `scheduler/unknown-component`, `scheduler/worker-component-differs` */
  readonly find = ({ name, layout }: ComponentName): Component => {
    const known = this.#scene.componentTypes.find((component) => component.name === name);
    const component = known ?? this.#declared(name);
    if (component === undefined) throw unknownComponent(name);
    if (layoutOf(component) !== layout) throw differentComponent(component, layout);
    return component;
  };

  #declared(name: string): Component | undefined {
    const declared = this.#entries.flatMap(({ access }) => [...access.reads, ...access.writes]);
    return declared.find(
      (target): target is Component => target instanceof Component && target.name === name,
    );
  }
}

function unknownComponent(name: string): EclipticError {
  return new EclipticError(
    'scheduler/unknown-component',
    `A worker system adds component "${name}", which the scene does not know`,
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
