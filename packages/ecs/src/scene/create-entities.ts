import { INDEX_MASK, INVALID_ENTITY } from '../entities/entity-id.js';
import type { ActiveIteration } from '../query/query-host.js';
import { FieldKind } from '../schema/field.js';
import { validateValue } from '../schema/validate-value.js';
import { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import { makeColumn } from '../storage/field-values.js';
import type { Heap } from '../storage/heap.js';
import type { Placement } from '../storage/placement.js';
import { writePackedRows } from '../storage/packed-rows.js';
import { initRow, readRow, repeatRow } from '../storage/row-values.js';
import type { Table } from '../storage/table.js';
import { componentOf, valueOf, type AnyBatchInit, type ValueOf } from './inits.js';
import type { SceneCore } from './scene-core.js';
import { checkPlacement, checkRows, settlePlacement } from './settle-placement.js';
import { reportCut } from './structure-checks.js';

/** Gets the ids, and the columns of each component. */
export type AnyFill = (ids: Int32Array, ...columns: object[]) => void;

/** While a batch is filled, its rows are nowhere yet, and structure stands still. */
const FILLING: ActiveIteration = {
  name: 'the batch of createEntities()',
  visits: () => true,
  looksAt: () => true,
};

/** Entities of one set of components that are being created together: their rows lie behind the last ones until all is well. */
class Batch {
  readonly #core: SceneCore;
  readonly #table: Table;
  readonly #placement: Placement;
  readonly #count: number;
  readonly #first: number;

  constructor(core: SceneCore, placement: Placement, table: Table, count: number) {
    this.#core = core;
    this.#table = table;
    this.#placement = placement;
    this.#count = count;
    this.#first = table.count;
    table.reserve(count);
    for (const { rows } of placement.sparse) rows.reserve(count);
    core.entities.foresee(table.entities, this.#first, count);
  }

  get ids(): Int32Array {
    return this.#table.entities.subarray(this.#first, this.#first + this.#count);
  }

  /** The table, or what a sparse component has instead. */
  #rowsOf({ sparse }: ComponentType): Table {
    return sparse ? sparse.rows : this.#table;
  }

  /** Writes the values of one component. */
  write(index: number, value: object | ValueOf | undefined, ids: Int32Array): void {
    const core = this.#core;
    const type = this.#placement.types[index] as ComponentType;
    const set = this.#placement.sets[index] as ColumnSet;
    const first = this.#rowsOf(type).count;
    if (typeof value !== 'function') {
      const cut = initRow(core.heap, type, set, first, value);
      if (cut !== undefined) reportCut(core, type, cut);
      repeatRow(core.heap, type, set, first, this.#count);
      return;
    }
    for (let i = 0; i < this.#count; i++) {
      const given = (value as ValueOf)(i, ids);
      if (core.development) validateValue(type.component, given);
      const cut = type.write(core.heap, set, first + i, given);
      if (cut !== undefined) reportCut(core, type, cut);
    }
  }

  /** Copies the packed values of one component. */
  copy(index: number, heap: Heap, at: number, stride: number): void {
    const type = this.#placement.types[index] as ComponentType;
    const set = this.#placement.sets[index] as ColumnSet;
    const first = this.#rowsOf(type).count;
    writePackedRows(this.#core.heap, type, set, first, this.#count, heap, at, stride);
  }

  /** Lets the caller write into the columns of the new rows. */
  fill(fill: AnyFill, ids: Int32Array): void {
    const { types, sets } = this.#placement;
    const parts = types.map((type, i) => this.#part(type, sets[i] as ColumnSet));
    fill(ids, ...parts.map(({ columns }) => columns));
    for (const [i, type] of types.entries()) this.#follow(type, sets[i] as ColumnSet);
    for (const [i, type] of types.entries()) {
      for (const { field, index } of type.fields) {
        if (field.kind !== FieldKind.object) continue;
        const list = sets[i]?.list[index] as unknown[];
        const first = this.#rowsOf(type).count;
        const given = parts[i]?.list[index] as unknown[];
        for (let n = 0; n < this.#count; n++) list[first + n] = given[n];
      }
    }
  }

  /** The new rows of a component's columns, as columns of their own. */
  #part(type: ComponentType, set: ColumnSet): ColumnSet {
    const { buffer } = this.#core.heap;
    const first = this.#rowsOf(type).count;
    const list = type.fields.map(({ field, index }) =>
      field.kind === FieldKind.object
        ? (set.list[index] as unknown[]).slice(first, first + this.#count)
        : makeColumn(buffer, field, set.fieldAt(index, first, field), this.#count),
    );
    // What is new counts as changed anyway.
    return new ColumnSet(type.component, type.ColumnsOf, list, () => {});
  }

  /** Runtime fields that start as copies of another start as that is now. */
  #follow(type: ComponentType, set: ColumnSet): void {
    const { u8 } = this.#core.heap;
    const first = this.#rowsOf(type).count;
    for (const { field, index, mirrors } of type.mirrors) {
      if (!field.runtime) continue;
      const source = set.fieldAt(mirrors, first, field);
      u8.copyWithin(set.fieldAt(index, first, field), source, source + this.#count * field.bytes);
    }
  }

  /**
   * Lets those who keep an index of a component refuse. An entity may refer to those before it.
   *
   * @throws EclipticError `ecs/stale-parent`
   */
  check(): void {
    const { types, sets } = this.#placement;
    if (!types.some(({ index }) => index)) return;
    const { entities, heap } = this.#core;
    const { ids } = this;
    const before = new Int32Array(ids.length);
    let alive = 0;
    try {
      for (; alive < ids.length; alive++) {
        for (const [i, type] of types.entries()) {
          if (!type.index) continue;
          const row = this.#rowsOf(type).count + alive;
          type.index.check(INVALID_ENTITY, readRow(heap, type, sets[i] as ColumnSet, row));
        }
        before[alive] = entities.reveal(ids[alive] as number);
      }
    } catch (error) {
      while (alive-- > 0) entities.conceal(ids[alive] as number, before[alive] as number);
      throw error;
    }
  }

  /** Takes the rows in, and tells who watches. */
  commit(): Int32Array {
    const core = this.#core;
    const count = this.#count;
    const { sparse, types } = this.#placement;
    const ids = this.ids.slice();
    core.entities.adopt(ids);
    for (const id of ids) core.entities.tables[id & INDEX_MASK] = this.#table.id;
    this.#table.append(count);
    for (const { rows } of sparse) {
      rows.entities.set(ids, rows.count);
      rows.append(count);
    }
    core.counters.adds += types.length * count;
    core.warnings.created(count);
    if (core.watched) this.#announce(ids);
    return ids;
  }

  #announce(ids: Int32Array): void {
    const core = this.#core;
    const { types, sets } = this.#placement;
    for (const [i, type] of types.entries()) {
      if (type.tracked) {
        const rows = type.sparse ? type.sparse.index : core.entities.rows;
        for (const id of ids) {
          const slot = id & INDEX_MASK;
          type.added?.mark(slot, core.version);
          core.markChanged(type, sets[i] as ColumnSet, rows[slot] as number, slot);
        }
      }
      if (type.index) for (const id of ids) type.index.added(id);
    }
    const hooked = types.filter(({ hooks }) => hooks);
    if (hooked.length === 0) return;
    for (const id of ids) {
      for (const type of hooked) {
        // An observer may have destroyed entities that others were not told of yet.
        if (!core.entities.isAlive(id) || !core.holds(id, type)) continue;
        for (const observer of type.hooks?.add ?? []) observer(id);
      }
    }
  }

  /** Forgets everything. */
  drop(): void {
    this.#table.trim();
    for (const { rows } of this.#placement.sparse) rows.trim();
  }
}

/** Creates entities of the same components: as many as a number says, or as an array for their ids has room for. */
export function createBatch(
  core: SceneCore,
  target: number | Int32Array,
  inits: readonly AnyBatchInit[],
  fill: AnyFill | undefined,
): Int32Array {
  const count = typeof target === 'number' ? target : target.length;
  // Too many are too many entities, as one by one.
  if (Number.isInteger(count)) core.entities.require(count);
  checkRows(core, count, 'createEntities()');
  let placement = core.graph.root;
  for (const init of inits) {
    const type = core.typeOf(componentOf(init));
    const value = valueOf(init);
    if (core.development && typeof value === 'object') validateValue(type.component, value);
    placement = placement.with(type);
  }
  const ids = typeof target === 'number' ? new Int32Array(count) : target;
  if (count === 0) return ids;
  const table = settlePlacement(core, placement);
  if (core.guard.busy) checkPlacement(core, placement, table, 'createEntities()');
  const batch = new Batch(core, placement, table, count);
  ids.set(batch.ids);
  core.guard.enter(FILLING);
  try {
    for (const [i, init] of inits.entries()) batch.write(i, valueOf(init), ids);
    if (fill) batch.fill(fill, ids);
    batch.check();
  } catch (error) {
    batch.drop();
    throw error;
  } finally {
    core.guard.leave();
  }
  batch.commit();
  return ids;
}

/**
 * Creates entities whose values are packed rows at even distances. The caller knows that there is room for them, and that nobody watches.
 *
 * @param placement - one that takes packed rows, and has a table
 * @param rows - where the values of the first are in `heap`, in the order of the placement
 * @param stride - bytes from one entity's values to the next one's
 * @returns the ids
 */
export function createPackedBatch(
  core: SceneCore,
  placement: Placement,
  count: number,
  heap: Heap,
  rows: readonly number[],
  stride: number,
): Int32Array {
  const batch = new Batch(core, placement, placement.table as Table, count);
  for (let i = 0; i < placement.types.length; i++) batch.copy(i, heap, rows[i] as number, stride);
  return batch.commit();
}
