import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType, Stamps } from '../storage/component-type.js';
import type { Heap } from '../storage/heap.js';
import {
  initRow,
  readPacked,
  updateRow,
  writeObjects,
  writePacked,
} from '../storage/row-values.js';
import type { SparseSet } from '../storage/sparse-set.js';
import type { Table } from '../storage/table.js';
import type { SceneCore } from './scene-core.js';
import {
  announceAdd,
  checkCount,
  checkValue,
  componentCount,
  duplicate,
  reportCut,
  tell,
} from './structure-checks.js';

/** A packed row of a component, as commands carry it. */
export interface PackedRow {
  readonly heap: Heap;
  readonly at: number;
  /** Bit i: field i was given. */
  readonly mask: number;
}

/**
 * Adds a component, or updates it where `update` says that it may be there.
 *
 * @param packed - the value as a packed row; then only `object()` fields are taken from `value`
 */
export function putComponent(
  core: SceneCore,
  entity: EntityId,
  type: ComponentType,
  value: object | undefined,
  packed: PackedRow | undefined,
  update: boolean,
): void {
  const slot = core.slotOf(entity, update ? 'setComponent()' : 'addComponent()');
  const { component } = type;
  if (packed && type.precheck) type.precheck(entity, readPacked(type, packed.heap, packed.at));
  const table = core.tableOf(slot);
  const { sparse } = type;
  const held = sparse ? undefined : table.setOf(type);
  const heldRow = sparse ? sparse.rowOf(entity) : held ? (core.entities.rows[slot] as number) : -1;
  if (heldRow >= 0) {
    if (!update) throw duplicate(core, component, entity);
    if (!packed) checkValue(core, type, entity, value);
    const set = sparse ? sparse.columns : (held as ColumnSet);
    if (packed) writeRow(core, type, set, heldRow, packed, packed.mask, value);
    else if (value) reportCut(core, type, updateRow(core.heap, type, set, heldRow, value));
    if (type.tracked) core.markChanged(type, set, heldRow, slot);
    if (type.hooks) tell(type.hooks.set, entity);
    return;
  }
  if (!packed) checkValue(core, type, entity, value);
  if (table.types.length + core.sparse.length >= core.limits.maxComponentsPerEntity) {
    checkCount(core, componentCount(core, entity), component);
  }
  let set: ColumnSet;
  let row: number;
  if (sparse) {
    if (core.guard.busy) core.guard.checkSparse(`add "${component.name}"`, type);
    sparse.rows.reserve();
    row = sparse.add(entity);
    set = sparse.columns;
    if (!packed) fillNew(core, type, sparse.rows, row, value);
  } else {
    const move = core.graph.add(table, type);
    const { to } = move;
    if (core.guard.busy) core.guard.checkTables(`add "${component.name}"`, table, to);
    to.reserve();
    const from = core.entities.rows[slot] as number;
    row = to.insert(entity);
    set = to.setOf(type) as ColumnSet;
    if (!packed) {
      // The value may be a view of this very entity: until it is read, the entity is where it was.
      core.entities.rows[slot] = from;
      fillNew(core, type, to, row, value);
      core.entities.rows[slot] = row;
    }
    move.copy(core, from, row);
    core.entities.tables[slot] = to.id;
    table.remove(from);
  }
  if (packed) writeRow(core, type, set, row, packed, -1, value);
  announceAdd(core, type, set, row, entity);
  if (type.hooks) tell(type.hooks.add, entity);
}

/** Fills a component's columns in a new row; where its value can't be read, the row goes again. */
function fillNew(
  core: SceneCore,
  type: ComponentType,
  table: Table,
  row: number,
  value: object | undefined,
): void {
  const set = table.setOf(type) as ColumnSet;
  try {
    reportCut(core, type, initRow(core.heap, type, set, row, value));
  } catch (error) {
    const slot = (table.entities[row] as number) & INDEX_MASK;
    const kept = core.entities.rows[slot] as number;
    table.remove(row);
    core.entities.rows[slot] = kept;
    throw error;
  }
}

/** Copies a packed row, and the `object()` fields of the value that came with it. */
function writeRow(
  core: SceneCore,
  type: ComponentType,
  set: ColumnSet,
  row: number,
  packed: PackedRow,
  mask: number,
  value: object | undefined,
): void {
  writePacked(core.heap, type, set, row, packed.heap, packed.at, mask);
  if (value !== undefined) writeObjects(type, set, row, value);
}

/** Removes a component; nothing where the entity lacks it. */
export function takeComponent(core: SceneCore, entity: EntityId, component: Component): boolean {
  const slot = core.slotOf(entity, 'removeComponent()');
  const type = core.components.find(component);
  if (!type || !core.holds(entity, type)) return false;
  const { sparse } = type;
  if (sparse) {
    if (core.guard.busy) core.guard.checkSparse(`remove "${component.name}"`, type);
    announceRemove(core, type, entity);
    sparse.delete(entity);
    return true;
  }
  if (core.guard.busy) {
    const { to } = core.graph.remove(core.tableOf(slot), type);
    core.guard.checkTables(`remove "${component.name}"`, core.tableOf(slot), to);
  }
  const before = core.graph.remove(core.tableOf(slot), type);
  before.to.reserve();
  if (announceRemove(core, type, entity) && !stillHolds(core, entity, type)) return true;
  // An observer may have moved the entity.
  const table = core.tableOf(slot);
  const move = table === before.from ? before : core.graph.remove(table, type);
  move.to.reserve();
  const from = core.entities.rows[slot] as number;
  const row = move.to.insert(entity);
  move.copy(core, from, row);
  core.entities.tables[slot] = move.to.id;
  table.remove(from);
  return true;
}

function stillHolds(core: SceneCore, entity: EntityId, type: ComponentType): boolean {
  return core.entities.isAlive(entity) && core.holds(entity, type);
}

/** Notes and tells that a component leaves. @returns whether anyone was told */
function announceRemove(core: SceneCore, type: ComponentType, entity: EntityId): boolean {
  core.counters.removes++;
  if (type.tracked) type.removed?.mark(entity & INDEX_MASK, core.version);
  if (!type.hooks) return false;
  tell(type.hooks.remove, entity);
  return true;
}

/** Destroys an entity, its children before it. */
export function destroy(core: SceneCore, entity: EntityId): void {
  const slot = core.slotOf(entity, 'destroyEntity()');
  if (core.guard.busy) checkDestroy(core, entity);
  if (core.dying.size > 0 && core.dying.has(entity)) return;
  const watched = core.destroyObservers.length > 0 || core.destroyChildren !== undefined;
  const hooked =
    core.hooked && (core.tableOf(slot).types.some(isHooked) || core.sparse.some(isHooked));
  if (watched || hooked) {
    core.dying.add(entity);
    try {
      core.destroyChildren?.(entity);
      for (const observer of core.destroyObservers) observer(entity);
      for (const type of core.tableOf(slot).types) if (type.hooks) tell(type.hooks.remove, entity);
      for (const type of core.sparse) {
        if (type.hooks && type.sparse?.has(entity)) tell(type.hooks.remove, entity);
      }
    } finally {
      core.dying.delete(entity);
    }
  }
  const table = core.tableOf(slot);
  core.counters.removes += table.types.length;
  table.remove(core.entities.rows[slot] as number);
  for (let i = 0; i < core.sparse.length; i++) {
    if ((core.sparse[i] as ComponentType).sparse?.delete(entity)) core.counters.removes++;
  }
  for (let i = 0; i < core.watchedRemovals.length; i++) {
    ((core.watchedRemovals[i] as ComponentType).removed as Stamps).at[slot] = 0;
  }
  core.entities.destroy(entity);
}

function isHooked(type: ComponentType): boolean {
  return type.hooks !== undefined;
}

function checkDestroy(core: SceneCore, entity: EntityId): void {
  for (const child of core.childrenOf?.(entity) ?? []) checkDestroy(core, child);
  core.guard.checkTables('destroyEntity()', core.tableOf(entity & INDEX_MASK), undefined);
  for (const type of core.sparse) {
    if ((type.sparse as SparseSet).has(entity)) core.guard.checkSparse('destroyEntity()', type);
  }
}
