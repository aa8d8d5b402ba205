import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, type Component, type Migrations, type Prefab } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { checkPrefabNames, partUuid } from '../prefab/instantiate-prefab.js';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';
import { Transient } from '../identity/identity-components.js';
import type { AssetOptions } from './asset-check.js';
import { checkHierarchy, parentsFirst } from './check-hierarchy.js';
import { ComponentReader } from './component-reader.js';
import { ComponentSet } from './component-set.js';
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
  /** Its number, as {@link OpenReference} has it: each from 0 on is there once. */
  readonly slot: number;
  readonly set: ComponentSet;
  /** Of the components of the set, in their order. */
  readonly values: readonly object[];
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
  /** The sets that they have, in the order in which they come. */
  readonly sets: readonly ComponentSet[];
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
  readonly sets: ComponentSet[] = [];
  readonly context: ReadContext;
  readonly #readers = new Map<string, ComponentReader>();
  readonly #prefabs: ReadonlyMap<string, Prefab>;
  /** Number of each entity that will be made, by UUID. */
  readonly #slots: ReadonlyMap<string, number>;
  readonly #identified = new ComponentSet([Uuid]);
  /** Whether each parent comes before its children. */
  ordered = true;

  constructor(
    { components: versions = {}, entities }: SceneDocument,
    known: readonly Component[],
    options: PlanOptions,
  ) {
    this.#prefabs = new Map([...(options.prefabs ?? [])].map((prefab) => [prefab.name, prefab]));
    this.#slots = this.#slotsOf(entities);
    this.context = new ReadContext(options, this.#slots);
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

  /**
   * Plans an entity and its parts.
   *
   * @param parent - UUID of the parent, which is planned before; `undefined` for a root
   * @param prefab - what it is an instance of
   * @param mark - the component that says so
   */
  add(
    block: InstanceBlock,
    uuid: string,
    parent: string | undefined,
    prefab: Prefab | undefined,
    mark: readonly [Component, object] | undefined,
  ): void {
    const { context } = this;
    const slot = this.#slots.get(uuid) as number;
    context.begin(uuid, slot);
    let set = this.#identified;
    const values: object[] = [{ value: uuid }];
    const saved = block.components ?? {};
    if (prefab !== undefined) {
      const without = new Set(block.without);
      for (const [component, base] of prefab.components) {
        if (without.has(component.name)) continue;
        const reader =
          this.#readers.get(component.name) ??
          new ComponentReader(component, component.version, {});
        const own = Object.hasOwn(saved, component.name) ? saved[component.name] : {};
        set = set.with(component);
        values.push(reader.read(own, base as Record<string, unknown>, context));
      }
    }
    for (const name in saved) {
      const reader = this.#readers.get(name);
      if (reader === undefined) context.unknownComponent(name, saved[name]);
      else if (!prefab?.components.has(reader.component)) {
        set = set.with(reader.component);
        values.push(reader.read(saved[name], undefined, context));
      }
    }
    for (const key in block) {
      if (!ENTITY_KEYS.has(key)) context.unknownKey(key, (block as Record<string, unknown>)[key]);
    }
    if (mark !== undefined) {
      set = set.with(mark[0]);
      values.push(mark[1]);
    }
    if (parent !== undefined) {
      const value = { entity: INVALID_ENTITY };
      const to = this.#slots.get(parent) as number;
      context.references.push({ from: slot, component: Parent, field: 'entity', to, value });
      set = set.with(Parent);
      values.push(value);
    }
    if (set.rows++ === 0) this.sets.push(set);
    this.entities.push({ slot, set, values });
    if (prefab !== undefined) this.#addParts(block, uuid, prefab);
  }

  #addParts({ parts = {} }: InstanceBlock, uuid: string, prefab: Prefab): void {
    for (const [name, child] of prefab.children) {
      const part = Object.hasOwn(parts, name) ? parts[name] : {};
      if (part === null) continue;
      const own = part?.uuid ?? partUuid(uuid, name);
      this.add(part ?? {}, own, uuid, child, [PrefabPart, { name }]);
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
    checkHierarchy(entities, this.#slots);
    return parentsFirst(entities);
  }

  /** Numbers all entities that a document will make. @throws EclipticError `authoring/duplicate-uuid` */
  #slotsOf(entities: SceneDocument['entities']): Map<string, number> {
    const found = new Map<string, number>();
    const add = (uuid: string): void => {
      const slot = found.size;
      if (found.set(uuid, slot).size === slot) throw duplicatePart(uuid);
    };
    const addParts = ({ parts = {} }: InstanceBlock, uuid: string, prefab: Prefab): void => {
      for (const [name, child] of prefab.children) {
        const part = Object.hasOwn(parts, name) ? parts[name] : {};
        if (part === null) continue;
        const own = part?.uuid ?? partUuid(uuid, name);
        add(own);
        addParts(part ?? {}, own, child);
      }
    };
    for (const block of entities) {
      if (block.parent !== undefined && !found.has(block.parent)) this.ordered = false;
      add(block.uuid);
      const prefab = this.prefab(block.prefab, block.uuid);
      if (prefab !== undefined) addParts(block, block.uuid, prefab);
    }
    return found;
  }
}

function duplicatePart(uuid: string): EclipticError {
  return new EclipticError('authoring/duplicate-uuid', `Scene file: ${uuid} is there twice`, {
    subjects: { uuid },
    fix: 'A part of a prefab has the UUID of another entity: give one of them another.',
  });
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
    const mark = prefab && ([PrefabInstance, { prefab: prefab.name }] as const);
    planner.add(block, block.uuid, block.parent, prefab, mark);
  }
  const names = new Set(known.map(({ name }) => name));
  const { components = {} } = document;
  const versions = Object.entries(components).filter(([name]) => !names.has(name));
  const keys = Object.entries(document).filter(([key]) => !DOCUMENT_KEYS.has(key));
  const { context } = planner;
  return {
    entities: planner.entities,
    sets: planner.sets,
    context,
    kept: new KeptData(Object.fromEntries(keys), Object.fromEntries(versions), context.kept),
  };
}
