import { EclipticError } from '@ecliptic/core';
import type { Component, Migrations, Prefab } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { checkPrefabNames, partUuid } from '../prefab/instantiate-prefab.js';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';
import { Transient } from '../identity/identity-components.js';
import type { AssetOptions } from './asset-check.js';
import { checkHierarchy, parentsFirst } from './check-hierarchy.js';
import { ComponentReader } from './component-reader.js';
import { KeptData } from './kept-data.js';
import { ReadContext } from './read-context.js';
import {
  DOCUMENT_KEYS,
  ENTITY_KEYS,
  type InstanceBlock,
  type SceneDocument,
} from './scene-document.js';

/** An entity to be made. */
interface PlannedEntity {
  readonly uuid: string;
  /** UUID of the parent, which is planned before; `undefined` for a root. */
  readonly parent: string | undefined;
  readonly components: (readonly [Component, object])[];
}

/** What a document needs to become entities. */
export interface PlanOptions extends AssetOptions {
  /** Prefabs that the document may refer to. */
  readonly prefabs?: Iterable<Prefab>;
  /** Steps from older versions of components, by name of the component. */
  readonly migrations?: Readonly<Record<string, Migrations>>;
}

/** A whole document, read: everything that can be wrong with it was found. */
export interface ScenePlan {
  /** Parents come before their children, which are in order. */
  readonly entities: readonly PlannedEntity[];
  readonly context: ReadContext;
  readonly kept: KeptData;
}

/** Names of components that files hold in another form, or not at all. */
const STRUCTURAL: ReadonlySet<string> = new Set(
  [Uuid, Parent, PrefabInstance, PrefabPart, Transient].map(({ name }) => name),
);

/** Whether files hold a component under its name. */
export function isSavedByName(component: Component): boolean {
  return !STRUCTURAL.has(component.name);
}

/** Turns the blocks of a document into entities to be made. */
class Planner {
  readonly entities: PlannedEntity[] = [];
  readonly context: ReadContext;
  readonly #readers = new Map<string, ComponentReader>();
  readonly #prefabs: ReadonlyMap<string, Prefab>;
  readonly #known: ReadonlySet<string>;
  /** Whether each parent comes before its children. */
  ordered = true;

  constructor(
    { components: versions = {}, entities }: SceneDocument,
    known: readonly Component[],
    options: PlanOptions,
  ) {
    this.#prefabs = new Map([...(options.prefabs ?? [])].map((prefab) => [prefab.name, prefab]));
    this.#known = this.#uuidsOf(entities);
    this.context = new ReadContext(options, this.#known);
    const saved = new Map(Object.entries(versions));
    const migrations = new Map(Object.entries(options.migrations ?? {}));
    for (const component of known) {
      if (!isSavedByName(component)) continue;
      const { name } = component;
      const reader = new ComponentReader(
        component,
        saved.get(name) ?? 1,
        migrations.get(name) ?? {},
      );
      this.#readers.set(name, reader);
    }
  }

  /** Plans an entity and its parts. @param prefab - what it is an instance of */
  add(
    block: InstanceBlock,
    uuid: string,
    parent: string | undefined,
    prefab: Prefab | undefined,
  ): void {
    const { context } = this;
    context.begin(uuid);
    const inits: [Component, object][] = [[Uuid, { value: uuid }]];
    const saved = block.components ?? {};
    if (prefab !== undefined) {
      const without = new Set(block.without);
      for (const [component, base] of prefab.components) {
        if (without.has(component.name)) continue;
        const reader =
          this.#readers.get(component.name) ??
          new ComponentReader(component, component.version, {});
        const own = Object.hasOwn(saved, component.name) ? saved[component.name] : {};
        inits.push([component, reader.read(own, base as Record<string, unknown>, context)]);
      }
    }
    for (const name in saved) {
      const reader = this.#readers.get(name);
      if (reader === undefined) context.unknownComponent(name, saved[name]);
      else if (!prefab?.components.has(reader.component)) {
        inits.push([reader.component, reader.read(saved[name], undefined, context)]);
      }
    }
    for (const key in block) {
      if (!ENTITY_KEYS.has(key)) context.unknownKey(key, (block as Record<string, unknown>)[key]);
    }
    this.entities.push({ uuid, parent, components: inits });
    if (prefab !== undefined) this.#addParts(block, uuid, prefab);
  }

  #addParts({ parts = {} }: InstanceBlock, uuid: string, prefab: Prefab): void {
    for (const [name, child] of prefab.children) {
      const part = Object.hasOwn(parts, name) ? parts[name] : {};
      if (part === null) continue;
      const own = part?.uuid ?? partUuid(uuid, name);
      const at = this.entities.length;
      this.add(part ?? {}, own, uuid, child);
      this.entities[at]?.components.push([PrefabPart, { name }]);
    }
  }

  prefab(name: string | undefined, uuid: string): Prefab | undefined {
    if (name === undefined) return undefined;
    const prefab = this.#prefabs.get(name);
    if (prefab === undefined) throw unknownPrefab(name, `Entity ${uuid} is an instance of`);
    checkPrefabNames(prefab);
    return prefab;
  }

  /** @throws EclipticError `authoring/unknown-parent`, `authoring/parent-cycle` */
  reorder(entities: SceneDocument['entities']): SceneDocument['entities'] {
    checkHierarchy(entities, this.#known);
    return parentsFirst(entities);
  }

  /** UUIDs of all entities that a document will make. */
  #uuidsOf(entities: SceneDocument['entities']): Set<string> {
    const found = new Set<string>();
    const addParts = ({ parts = {} }: InstanceBlock, uuid: string, prefab: Prefab): void => {
      for (const [name, child] of prefab.children) {
        const part = Object.hasOwn(parts, name) ? parts[name] : {};
        if (part === null) continue;
        const own = part?.uuid ?? partUuid(uuid, name);
        found.add(own);
        addParts(part ?? {}, own, child);
      }
    };
    for (const block of entities) {
      if (block.parent !== undefined && !found.has(block.parent)) this.ordered = false;
      found.add(block.uuid);
      const prefab = this.prefab(block.prefab, block.uuid);
      if (prefab !== undefined) addParts(block, block.uuid, prefab);
    }
    return found;
  }
}

/** A prefab that nobody gave. @param what - what needs it */
export function unknownPrefab(name: string, what: string): EclipticError {
  return new EclipticError(
    'authoring/unknown-prefab',
    `${what} prefab "${name}", which is not given`,
    {
      subjects: { prefab: name },
      fix: 'Give it in the option prefabs; a prefab that was renamed is given under its old name, too.',
    },
  );
}

/**
 * Reads all of a document, without a scene.
 *
 * @param known - components that the application has
 * @throws EclipticError as `loadScene`
 */
export function planEntities(
  document: SceneDocument,
  known: readonly Component[],
  options: PlanOptions,
): ScenePlan {
  const planner = new Planner(document, known, options);
  const blocks = planner.ordered ? document.entities : planner.reorder(document.entities);
  for (const block of blocks) {
    const prefab = planner.prefab(block.prefab, block.uuid);
    const at = planner.entities.length;
    planner.add(block, block.uuid, block.parent, prefab);
    if (prefab) planner.entities[at]?.components.push([PrefabInstance, { prefab: prefab.name }]);
  }
  const names = new Set(known.map(({ name }) => name));
  const { components = {} } = document;
  const versions = Object.entries(components).filter(([name]) => !names.has(name));
  const keys = Object.entries(document).filter(([key]) => !DOCUMENT_KEYS.has(key));
  const { context } = planner;
  return {
    entities: planner.entities,
    context,
    kept: new KeptData(Object.fromEntries(keys), Object.fromEntries(versions), context.kept),
  };
}
