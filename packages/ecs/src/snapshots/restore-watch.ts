import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { ComponentType } from '../storage/component-type.js';

/** Entities that hold a component now. */
function holders(core: SceneCore, type: ComponentType): Set<EntityId> {
  const found = new Set<EntityId>();
  const tables = type.sparse ? [type.sparse.rows] : core.tables.filter((table) => table.has(type));
  for (const { entities, count } of tables) {
    for (let row = 0; row < count; row++) found.add(entities[row] as number);
  }
  return found;
}

/**
 * Tells those who watch a scene what a restore changes, as if it had been done by hand: observers, and the `added`, `removed` and
 * `changed` filters. Looks only at components that are watched.
 */
export class RestoreWatch {
  readonly #core: SceneCore;
  readonly #before = new Map<ComponentType, Set<EntityId>>();
  readonly #alive: Int32Array | undefined;

  /** Made before anything is changed. */
  constructor(core: SceneCore) {
    this.#core = core;
    for (const type of core.components.types) {
      if (type.hooks || type.added || type.removed) this.#before.set(type, holders(core, type));
    }
    const watched = core.observers.destroy.length > 0 || core.watchedRemovals.length > 0;
    this.#alive = watched ? core.entities.ids.slice(0, core.entities.used) : undefined;
  }

  /**
   * Tells about what will go, while it is still there.
   *
   * @param after - who will hold the component; nobody where it is absent
   * @param ids - ids by slot, as they will be
   */
  tellLosses(after: ReadonlyMap<ComponentType, ReadonlySet<EntityId>>, ids: Int32Array): void {
    for (const id of this.#alive ?? []) {
      if (id <= 0 || ids[id & INDEX_MASK] === id) continue;
      for (const observer of this.#core.observers.destroy) observer(id);
    }
    for (const [type, before] of this.#before) {
      const observers = type.hooks?.remove ?? [];
      if (observers.length === 0) continue;
      for (const id of before) {
        if (after.get(type)?.has(id)) continue;
        for (const observer of observers) observer(id);
      }
    }
  }

  /** Marks all that was written, and what came and went. After the restore, before {@link tellGains}. */
  mark(): void {
    const { entities, version, components, tables } = this.#core;
    for (const type of components.types) {
      if (!type.tracked) continue;
      const holding = type.sparse ? [type.sparse.rows] : tables.filter((table) => table.has(type));
      for (const table of holding) {
        table.setOf(type)?.chunks?.fill(version);
        for (let row = 0; row < table.count; row++) {
          type.changed?.mark((table.entities[row] as number) & INDEX_MASK, version);
        }
      }
      const before = this.#before.get(type);
      if (!before) continue;
      const after = holders(this.#core, type);
      for (const id of after) if (!before.has(id)) type.added?.mark(id & INDEX_MASK, version);
      for (const id of before) {
        if (after.has(id)) continue;
        if (entities.isAlive(id)) type.removed?.mark(id & INDEX_MASK, version);
      }
    }
    for (const id of this.#alive ?? []) {
      if (id <= 0 || entities.isAlive(id)) continue;
      for (const { removed } of this.#core.watchedRemovals) {
        if (removed) removed.at[id & INDEX_MASK] = 0;
      }
    }
  }

  /** Tells about what came, and about what was written. */
  tellGains(): void {
    for (const [type, before] of this.#before) {
      const added = type.hooks?.add ?? [];
      const set = type.hooks?.set ?? [];
      if (added.length === 0 && set.length === 0) continue;
      for (const id of holders(this.#core, type)) {
        for (const observer of before.has(id) ? set : added) observer(id);
      }
    }
  }
}
