import { EclipticError } from '@ecliptic/core';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Table } from '../storage/table.js';
import { RowCursor } from './row-cursor.js';
import type { View, ViewGuard } from './view.js';

/**
 * Keeps the view that `getComponent` gave on its entity's row wherever that goes, and refuses when the entity itself was
 * changed.
 */
class EntityGuard implements ViewGuard {
  readonly #core: SceneCore;
  readonly #entity: EntityId;
  readonly #type: ComponentType;
  readonly #set: ColumnSet;
  readonly #table: number;
  readonly #rows: Table;
  /** Of the rows when columns were shown last: where it is another, they are others. */
  #capacity: number;

  constructor(core: SceneCore, entity: EntityId, type: ComponentType, set: ColumnSet) {
    this.#core = core;
    this.#entity = entity;
    this.#type = type;
    this.#set = set;
    this.#table = core.entities.tables[entity & INDEX_MASK] as number;
    this.#rows = type.sparse?.rows ?? core.tableOf(entity & INDEX_MASK);
    this.#capacity = this.#rows.capacity;
  }

  read(view: View): void {
    const { entities, disposed } = this.#core;
    const slot = this.#entity & INDEX_MASK;
    const valid =
      !disposed && entities.ids[slot] === this.#entity && entities.tables[slot] === this.#table;
    const row = this.#core.rowOf(this.#entity, this.#type);
    if (!valid || row < 0) throw this.#stale();
    if (this.#rows.capacity !== this.#capacity) {
      this.#capacity = this.#rows.capacity;
      view.$bind(this.#set.list);
    }
    view.$cursor.row = row;
  }

  write(view: View): void {
    if (this.#type.index) throw ownedComponent(this.#type);
    this.read(view);
    if (this.#type.tracked) {
      this.#core.markChanged(this.#type, this.#set, view.$cursor.row, this.#entity & INDEX_MASK);
    }
  }

  #stale(): EclipticError {
    const component = this.#type.component.name;
    return new EclipticError(
      'ecs/stale-view',
      `View of "${component}" of entity ${this.#entity} outlived a structural change of the entity`,
      {
        subjects: { component, entity: this.#entity, scene: this.#core.name },
        fix: 'Call getComponent again after adding, removing or destroying.',
      },
    );
  }
}

/** Error of writing, through a view, a component that the scene keeps an index of. */
export function ownedComponent(type: ComponentType): EclipticError {
  const component = type.component.name;
  return new EclipticError('ecs/read-only', `"${component}" can't be written through a view`, {
    subjects: { component },
    fix: 'Use setComponent, or the method of the scene that is made for it, as setParent.',
  });
}

/** A view of one entity's component. */
export function boundView(
  core: SceneCore,
  entity: EntityId,
  type: ComponentType,
  set: ColumnSet,
): View {
  const Checked = type.component.views.checked;
  return new Checked(new EntityGuard(core, entity, type, set), set.list, new RowCursor());
}
