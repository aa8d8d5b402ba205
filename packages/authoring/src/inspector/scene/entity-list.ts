import { EclipticError } from '@ecliptic/core';
import {
  INVALID_ENTITY,
  Parent,
  without,
  type Component,
  type EntityId,
  type Query,
  type QueryTable,
  type Scene,
} from '@ecliptic/ecs';
import { Name } from '@ecliptic/ecs/components';
import type { TextSearch } from './text-search.js';

/** Rows that one search looks at, so that its time does not grow with the scene. */
const ROWS_PER_SEARCH = 4_096;
const NAME_BYTES = Name.schema.value.stride;

/** Part of a list of entities. */
export interface EntityPage {
  /** Entities of the whole list. */
  readonly total: number;
  readonly entities: readonly EntityId[];
}

/** What a search looks for. */
export interface EntitySearch {
  readonly name: TextSearch | undefined;
  readonly with: readonly Component[];
  readonly without: readonly Component[];
}

/** What a search found. */
export interface EntityMatches {
  readonly entities: readonly EntityId[];
  /** Where to go on; `undefined` when all of the scene has been looked at. */
  readonly next: string | undefined;
}

/** The entities of a scene, part by part: by place in the hierarchy, or by what they are. */
export class EntityList {
  readonly #scene: Scene;
  readonly #all: Query;
  readonly #roots: Query;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#all = scene.query();
    this.#roots = scene.query(without(Parent));
  }

  /**
   * Children of an entity, or the roots, in the order of the scene. O(tables + limit) for roots, O(children) else.
   *
   * @param of - `INVALID_ENTITY` for the roots
   */
  children(of: EntityId, offset: number, limit: number): EntityPage {
    if (of === INVALID_ENTITY) return this.#rootsFrom(offset, limit);
    const children = this.#scene.childrenOf(of);
    return { total: children.length, entities: children.slice(offset, offset + limit) };
  }

  /**
   * The next entities that match, in the order of the scene. Looks at a limited number of rows: a page may hold few or none though
   * there is more to come. Rows move when entities change their components, so one may be missed or come twice then.
   *
   * @param after - `next` of the page before; empty at first
   * @throws EclipticError `authoring/invalid-params` when `after` is something else
   */
  find(search: EntitySearch, after: string, limit: number): EntityMatches {
    const [tableId, firstRow] = parsePlace(after);
    const entities: EntityId[] = [];
    let rowsLeft = ROWS_PER_SEARCH;
    for (const table of this.#all.tables()) {
      if (table.id < tableId || !this.#mayMatch(table, search)) continue;
      const names = this.#namesOf(table);
      for (let row = table.id === tableId ? firstRow : 0; row < table.count; row++) {
        if (rowsLeft-- === 0 || entities.length === limit) {
          return { entities, next: `${table.id}:${row}` };
        }
        if (this.#matches(table, row, names, search))
          entities.push(table.entities[row] as EntityId);
      }
    }
    return { entities, next: undefined };
  }

  #rootsFrom(offset: number, limit: number): EntityPage {
    const entities: EntityId[] = [];
    let before = 0;
    for (const { count, entities: ids } of this.#roots.tables()) {
      for (let row = Math.max(0, offset - before); row < count; row++) {
        if (entities.length === limit) break;
        entities.push(ids[row] as EntityId);
      }
      before += count;
    }
    return { total: before, entities };
  }

  /** Whether rows of the table may match; components in sparse sets are no matter of tables. */
  #mayMatch({ count, entities }: QueryTable, search: EntitySearch): boolean {
    const first = entities[0] as EntityId;
    const has = (component: Component): boolean => this.#scene.hasComponent(first, component);
    return (
      count > 0 &&
      search.with.every((component) => component.storage === 'sparse' || has(component)) &&
      search.without.every((component) => component.storage === 'sparse' || !has(component))
    );
  }

  #matches(
    { entities }: QueryTable,
    row: number,
    names: Uint8Array | undefined,
    search: EntitySearch,
  ): boolean {
    if (search.name !== undefined) {
      if (names === undefined || !search.name.isIn(names, row * NAME_BYTES, NAME_BYTES))
        return false;
    }
    const entity = entities[row] as EntityId;
    for (const component of search.with) {
      if (component.storage === 'sparse' && !this.#scene.hasComponent(entity, component))
        return false;
    }
    for (const component of search.without) {
      if (component.storage === 'sparse' && this.#scene.hasComponent(entity, component))
        return false;
    }
    return true;
  }

  #namesOf(table: QueryTable): Uint8Array | undefined {
    const isNamed = this.#scene.hasComponent(table.entities[0] as EntityId, Name);
    return isNamed ? table.column(Name).value : undefined;
  }
}

function parsePlace(after: string): readonly [table: number, row: number] {
  if (after === '') return [0, 0];
  const [, table, row] = /^(\d{1,9}):(\d{1,9})$/.exec(after) ?? [];
  if (table !== undefined && row !== undefined) return [Number(table), Number(row)];
  throw new EclipticError('authoring/invalid-params', `"${after}" is no place in a list`, {
    subjects: { after },
    fix: 'Give the "next" of the page before, or leave it out.',
  });
}
