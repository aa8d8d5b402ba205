import { EclipticError } from '@ecliptic/core';
import { Parent } from '../hierarchy/parent.js';
import type { Component } from '../schema/component.js';
import { validateValue } from '../schema/validate-value.js';
import type { CheckedEntries, ComponentEntry } from './prefab-components.js';
import { SdfShape, type SdfShapeInit } from './sdf-shape.js';

/** What {@link definePrefab} makes a prefab of. */
export interface PrefabDefinition<
  Entries extends readonly ComponentEntry[] = readonly ComponentEntry[],
> {
  /** A prefab to start from: its components, children and shape, where this one does not say otherwise. */
  readonly extends?: Prefab;
  /** Components; the fields given here replace inherited ones, field by field. */
  readonly components?: CheckedEntries<Entries>;
  /** Inherited components to leave out. */
  readonly without?: readonly Component[];
  /**
   * Prefabs of the children, in order, by a name that is unique among them. An inherited child of the same name is replaced in its place;
   * `null` leaves it out.
   */
  readonly children?: Readonly<Record<string, Prefab | null>>;
  /** Collision shape, as the component `SdfShape`; `null` leaves an inherited one out. */
  readonly shape?: SdfShapeInit | null;
}

/** Changes of one spawned copy; see {@link PrefabDefinition}. */
export interface PrefabOverrides<
  Entries extends readonly ComponentEntry[] = readonly ComponentEntry[],
> extends Pick<PrefabDefinition<Entries>, 'components' | 'without' | 'shape'> {
  /** Changes of children, by name. */
  readonly children?: Readonly<Record<string, PrefabOverrides | null>>;
}

/** Values by component, in order. */
export type PrefabValues = ReadonlyMap<Component, object>;

/** A template of an entity and its descendants, made by {@link definePrefab}. It never changes, and any number of scenes may use it. */
export class Prefab {
  /** For errors and tools. */
  readonly name: string;
  /** All components with the fields that are given, inherited ones included. */
  readonly components: PrefabValues;
  /** Children by name, in order. */
  readonly children: ReadonlyMap<string, Prefab>;

  /** Use {@link definePrefab}. @internal */
  constructor(name: string, components: PrefabValues, children: ReadonlyMap<string, Prefab>) {
    this.name = name;
    this.components = components;
    this.children = children;
  }
}

/** Where a problem of a prefab is. */
export function invalidPrefab(prefab: string, problem: string, fix: string): EclipticError {
  return new EclipticError('ecs/invalid-prefab', `Prefab "${prefab}": ${problem}`, {
    subjects: { prefab },
    fix,
  });
}

/** The components of a prefab with changes applied. @throws EclipticError `ecs/invalid-prefab`, `ecs/invalid-value` */
export function overrideComponents(
  prefab: string,
  inherited: PrefabValues,
  {
    components = [],
    without = [],
    shape,
  }: Pick<PrefabDefinition, 'components' | 'without' | 'shape'>,
): PrefabValues {
  const values = new Map(inherited);
  for (const component of shape === null ? [...without, SdfShape as Component] : without) {
    if (values.delete(component)) continue;
    throw invalidPrefab(
      prefab,
      `is to be without "${component.name}", which it does not have`,
      'Drop it from the list, or check what the prefab extends.',
    );
  }
  const seen = new Set<Component>();
  const put = (component: Component, value: object): void => {
    if (seen.has(component) || component === Parent) {
      throw invalidPrefab(
        prefab,
        component === Parent ? 'gives a Parent' : `gives "${component.name}" twice`,
        'Give each component once; parents come from the children of prefabs, or the option parent.',
      );
    }
    seen.add(component);
    validateValue(component, value);
    values.set(component, { ...values.get(component), ...value });
  };
  for (const init of components as readonly ComponentEntry[]) {
    if (Array.isArray(init)) put(init[0] as Component, (init[1] ?? {}) as object);
    else put(init as Component, {});
  }
  if (shape) put(SdfShape as Component, shape);
  return values;
}

/**
 * Defines a template of an entity: components with values, children, a collision shape, perhaps on top of another template. Define it once, at module
 * level; everything is checked here, so that spawning can't fail for a mistake in it.
 *
 * @param name - for errors and tools
 * @throws EclipticError `ecs/invalid-prefab` for an empty name, a component given twice, something left out that is not there;
 *   `ecs/invalid-value` for values that don't fit the schema
 *
 * @example
 * ```ts
 * const Flame = definePrefab('flame', { components: [Transform, [Light, { kind: 'point', intensity: 2 }]] });
 * const Torch = definePrefab('torch', { components: [Transform, Mesh], children: { flame: Flame }, shape: sdfCylinder(0.05, 0.4) });
 * const BlueTorch = definePrefab('blue torch', { extends: Torch, components: [[Name, { value: 'blue' }]] });
 * const torch = spawnPrefab(scene, BlueTorch, { components: [[Transform, { position: [5, 0, 3] }]] });
 * ```
 */
export function definePrefab<const Entries extends readonly ComponentEntry[]>(
  name: string,
  definition: PrefabDefinition<Entries>,
): Prefab {
  if (typeof name !== 'string' || name === '') {
    throw invalidPrefab(String(name), 'has no name', 'Give a name to show in errors and tools.');
  }
  const base = definition.extends;
  const components = overrideComponents(
    name,
    base?.components ?? new Map(),
    definition as PrefabDefinition,
  );
  const children = new Map(base?.children);
  for (const [childName, child] of Object.entries(definition.children ?? {})) {
    if (child === null) {
      if (children.delete(childName)) continue;
      throw invalidPrefab(name, `has no child "${childName}" to leave out`, childrenOf(base));
    }
    children.set(childName, child);
  }
  return new Prefab(name, components, children);
}

/** Says which children there are. */
export function childrenOf(prefab: Prefab | undefined): string {
  const names = [...(prefab?.children.keys() ?? [])].join(', ');
  return `Its children are: ${names || 'none'}.`;
}
