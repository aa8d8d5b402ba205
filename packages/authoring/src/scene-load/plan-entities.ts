import type { Component, Migrations, Prefab } from '@ecliptic/ecs';
import { KeptData } from '../scene-file/kept-data.js';
import { isSavedByName } from '../scene-file/saved-by-name.js';
import { DOCUMENT_KEYS, ENTITY_KEYS, type SceneDocument } from '../scene-file/scene-document.js';
import type { AssetOptions } from './asset-check.js';
import { comesFromPrefab } from './comes-from-prefab.js';
import { ComponentReader, type Values } from './component-reader.js';
import { listEntities, type EntityList } from './entity-list.js';
import type { PlannedEntity } from './planned-entity.js';
import { ReadContext } from './read-context.js';
import { StagedComponent } from './staged-component.js';

/** What a document needs to become entities. */
export interface PlanOptions extends AssetOptions {
  /** Prefabs that the document may refer to. */
  readonly prefabs?: Iterable<Prefab>;
  /** Steps from older versions of components, by name of the component. */
  readonly migrations?: Readonly<Record<string, Migrations>>;
}

/** A whole document, read: everything that can be wrong with it was found. */
export interface ScenePlan {
  readonly list: EntityList;
  readonly context: ReadContext;
  readonly kept: KeptData;
}

/** Reads the blocks of a document into columns. */
class Planner {
  readonly list: EntityList;
  readonly context: ReadContext;
  readonly #readers = new Map<Component, ComponentReader>();

  constructor(
    { components: versions = {}, entities }: SceneDocument,
    known: readonly Component[],
    options: PlanOptions,
  ) {
    const migrations = new Map(Object.entries(options.migrations ?? {}));
    const saved = new Map(Object.entries(versions));
    const byName = new Map<string, Component>();
    for (const component of known) {
      const { name } = component;
      if (!isSavedByName(component)) continue;
      byName.set(name, component);
      const steps = migrations.get(name) ?? {};
      this.#readers.set(component, new ComponentReader(component, saved.get(name) ?? 1, steps));
    }
    const prefabs = new Map([...(options.prefabs ?? [])].map((prefab) => [prefab.name, prefab]));
    this.list = listEntities(entities, { prefabs, componentOf: (name) => byName.get(name) });
    this.context = new ReadContext(options, this.list.slots);
    for (const set of this.list.sets) {
      set.stage((component, rows) => this.#stage(component, rows));
    }
  }

  #stage(component: Component, rows: number): StagedComponent {
    const reader =
      this.#readers.get(component) ?? new ComponentReader(component, component.version, {});
    return new StagedComponent(reader, rows, this.context);
  }

  /** Reads all that the file says of an entity. */
  read(entity: PlannedEntity): void {
    const { block, depth, mark, parent, prefab, set, slot, uuid } = entity;
    const { context } = this;
    context.begin(uuid);
    const row = set.take(depth, slot);
    const { staged } = set;
    staged[0]?.write(0, uuid, row);
    let at = prefab === undefined ? 1 : this.#readPrefab(entity, prefab, row);
    const end = staged.length - (mark === undefined ? 0 : 1) - (parent === undefined ? 0 : 1);
    const saved = block.components;
    for (const name in saved) {
      const next = at < end ? staged[at] : undefined;
      if (next?.component.name === name) {
        next.read(saved[name], undefined, row);
        at++;
      } else if (!hasComponent(prefab, name)) context.unknownComponent(name, saved[name]);
    }
    for (const key in block) {
      if (!ENTITY_KEYS.has(key)) context.unknownKey(key, (block as Values)[key]);
    }
    if (mark !== undefined) staged[end]?.read(mark[1], undefined, row);
    if (parent !== undefined) staged[staged.length - 1]?.write(0, parent.uuid, row);
  }

  /** Reads the components that a prefab has. @returns the position of the next one in the set */
  #readPrefab({ block, set }: PlannedEntity, prefab: Prefab, row: number): number {
    const { components: saved = {} } = block;
    let at = 1;
    for (const [component, base] of prefab.components) {
      if (!comesFromPrefab(component, block)) continue;
      const { name } = component;
      const own = Object.hasOwn(saved, name) ? saved[name] : {};
      set.staged[at++]?.read(own, base as Values, row);
    }
    return at;
  }
}

function hasComponent(prefab: Prefab | undefined, name: string): boolean {
  if (prefab === undefined) return false;
  for (const component of prefab.components.keys()) if (component.name === name) return true;
  return false;
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
  const { context, list } = planner;
  for (const entity of list.entities) planner.read(entity);
  const names = new Set(known.map(({ name }) => name));
  const { components = {} } = document;
  const versions = Object.entries(components).filter(([name]) => !names.has(name));
  const keys = Object.entries(document).filter(([key]) => !DOCUMENT_KEYS.has(key));
  const kept = new KeptData(Object.fromEntries(keys), Object.fromEntries(versions), context.kept);
  return { list, context, kept };
}
