import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { Component, FieldSlot } from '../schema/component.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType, Stamps } from '../storage/component-type.js';
import type { Heap } from '../storage/heap.js';
import { readPacked, writePacked } from '../storage/packed-rows.js';
import { updateRow, writeObjects } from '../storage/row-values.js';
import type { SparseSet } from '../storage/sparse-set.js';
import type { Table } from '../storage/table.js';
import type { SceneCore } from './scene-core.js';
import {
  checkCount,
  checkValue,
  componentCount,
  duplicate,
  reportCut,
  tellAdded,
  tellRemoved,
  tellSet,
} from './structure-checks.js';

/** As a constant of this module it is part of the engine's code; an imported one is looked up at each use. */
const SLOT_MASK = INDEX_MASK;

/** A packed row of a component, as commands carry it. */
export interface PackedRow {
  heap: Heap;
  at: number;
  /** Bit i: field i was given. */
  mask: number;
}

/**
 * Adds a component, or updates it where `update` says that it may be there.
 *
 * @param packed - the value as a packed row; then only `object()` fields are taken from `value`
 * @returns false where nothing was done: a packed row that may not update
 */
export function putComponent(
  core: SceneCore,
  entity: EntityId,
  type: ComponentType,
  value: object | undefined,
  packed: PackedRow | undefined,
  update: boolean,
): boolean {
  const slot = core.slotOf(entity, update ? 'setComponent()' : 'addComponent()');
  const { sparse } = type;
  const table = core.tableOf(slot);
  const holds = sparse ? sparse.has(entity) : table.has(type);
  if (holds && !update) {
    if (packed) return false;
    throw duplicate(core, type.component, entity);
  }
  if (core.development || type.index) check(core, entity, type, value, packed);
  if (holds) {
    overwrite(core, entity, type, value, packed);
    return true;
  }
  if (table.types.length + core.sparse.length >= core.limits.maxComponentsPerEntity) {
    checkCount(core, componentCount(core, entity), type.component);
  }
  if (sparse) addSparse(core, entity, type, sparse, value, packed);
  else moveWith(core, entity, table, type, value, packed);
  core.counters.adds++;
  if (core.watched) announceAdd(core, entity, type);
  return true;
}

function check(
  core: SceneCore,
  entity: EntityId,
  type: ComponentType,
  value: object | undefined,
  packed: PackedRow | undefined,
): void {
  if (!packed) checkValue(core, type, entity, value);
  else type.index?.check(entity, readPacked(type, packed.heap, packed.at));
}

/** Notes and tells that a component came. */
function announceAdd(core: SceneCore, entity: EntityId, type: ComponentType): void {
  if (type.tracked) {
    const slot = entity & SLOT_MASK;
    type.added?.mark(slot, core.version);
    core.markChanged(type, core.setOf(slot, type) as ColumnSet, core.rowOf(entity, type), slot);
  }
  tellAdded(type, entity);
}

/** Writes what is given of a component that is there. */
function overwrite(
  core: SceneCore,
  entity: EntityId,
  type: ComponentType,
  value: object | undefined,
  packed: PackedRow | undefined,
): void {
  const slot = entity & SLOT_MASK;
  const set = core.setOf(slot, type) as ColumnSet;
  const row = core.rowOf(entity, type);
  if (packed) writeRow(core, type, set, row, packed, packed.mask, value);
  else if (value !== undefined) {
    const cut = updateRow(core.heap, type, set, row, value);
    if (cut !== undefined) reportCut(core, type, cut);
  }
  if (type.tracked) core.markChanged(type, set, row, slot);
  tellSet(type, entity);
}

/** Gives an entity a row in a sparse set. */
function addSparse(
  core: SceneCore,
  entity: EntityId,
  type: ComponentType,
  sparse: SparseSet,
  value: object | undefined,
  packed: PackedRow | undefined,
): void {
  const { rows } = sparse;
  if (core.guard.busy) core.guard.checkSparse(`add "${type.component.name}"`, type);
  rows.reserve(1);
  const row = sparse.add(entity);
  if (packed) writeRow(core, type, sparse.columns, row, packed, -1, value);
  else fillNew(core, type, rows, row, value);
}

/** Moves an entity to the table that has one component more. */
function moveWith(
  core: SceneCore,
  entity: EntityId,
  table: Table,
  type: ComponentType,
  value: object | undefined,
  packed: PackedRow | undefined,
): void {
  const { entities, guard } = core;
  const slot = entity & SLOT_MASK;
  const move = core.graph.add(table, type);
  const { to } = move;
  if (guard.busy) guard.checkTables(`add "${type.component.name}"`, table, to);
  to.reserve(1);
  const from = entities.rows[slot] as number;
  const row = to.insert(entity);
  if (packed) writeRow(core, type, to.setOf(type) as ColumnSet, row, packed, -1, value);
  else {
    // The value may be a view of this very entity: until it is read, the entity is where it was.
    entities.rows[slot] = from;
    fillNew(core, type, to, row, value);
    entities.rows[slot] = row;
  }
  move.copy(core, from, row);
  entities.tables[slot] = to.id;
  table.remove(from);
}

/** Fills a component's columns in a new row; where its value can't be read, the row goes again. */
function fillNew(
  core: SceneCore,
  type: ComponentType,
  table: Table,
  row: number,
  value: object | undefined,
): void {
  let cut: FieldSlot | undefined;
  try {
    cut = type.write(core.heap, table.setOf(type) as ColumnSet, row, value);
  } catch (error) {
    const slot = (table.entities[row] as number) & SLOT_MASK;
    const kept = core.entities.rows[slot] as number;
    table.remove(row);
    core.entities.rows[slot] = kept;
    throw error;
  }
  if (cut !== undefined) reportCut(core, type, cut);
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
  core.slotOf(entity, 'removeComponent()');
  const type = core.components.find(component);
  return type !== undefined && takeType(core, entity, type);
}

/** As {@link takeComponent}, of a living entity. */
export function takeType(core: SceneCore, entity: EntityId, type: ComponentType): boolean {
  const slot = entity & SLOT_MASK;
  const { component, sparse } = type;
  if (sparse) {
    if (!sparse.has(entity)) return false;
    if (core.guard.busy) core.guard.checkSparse(`remove "${component.name}"`, type);
    core.counters.removes++;
    if (core.watched) announceRemove(core, type, entity);
    sparse.delete(entity);
    return true;
  }
  let table = core.tableOf(slot);
  if (!table.has(type)) return false;
  let move = core.graph.remove(table, type);
  if (core.guard.busy) core.guard.checkTables(`remove "${component.name}"`, table, move.to);
  move.to.reserve(1);
  core.counters.removes++;
  if (core.watched) announceRemove(core, type, entity);
  if (type.hooks) {
    // An observer may have moved the entity, or taken the component away.
    if (!core.entities.isAlive(entity)) return true;
    table = core.tableOf(slot);
    if (!table.has(type)) return true;
    move = core.graph.remove(table, type);
    move.to.reserve(1);
  }
  const { to } = move;
  const from = core.entities.rows[slot] as number;
  const row = to.insert(entity);
  move.copy(core, from, row);
  core.entities.tables[slot] = to.id;
  table.remove(from);
  return true;
}

/** Notes and tells that a component leaves. */
function announceRemove(core: SceneCore, type: ComponentType, entity: EntityId): void {
  if (type.tracked) type.removed?.mark(entity & SLOT_MASK, core.version);
  tellRemoved(type, entity);
}

/** Destroys an entity, its children before it. */
export function destroy(core: SceneCore, entity: EntityId): void {
  const slot = core.slotOf(entity, 'destroyEntity()');
  if (core.guard.busy) checkDestroy(core, entity);
  if (core.watched && !announceDestroy(core, entity)) return;
  const table = core.tableOf(slot);
  core.counters.removes += table.types.length;
  table.remove(core.entities.rows[slot] as number);
  for (let i = 0; i < core.sparse.length; i++) {
    if ((core.sparse[i] as ComponentType).sparse?.delete(entity)) core.counters.removes++;
  }
  core.entities.destroy(entity);
}

/** Tells who watches an entity that it is about to be destroyed, its children before it. @returns false where it is being destroyed already */
function announceDestroy(core: SceneCore, entity: EntityId): boolean {
  if (core.dying.has(entity)) return false;
  const slot = entity & SLOT_MASK;
  const watched = core.observers.destroy.length > 0 || core.hierarchy !== undefined;
  if (watched || core.tableOf(slot).types.some(isHooked) || core.sparse.some(isHooked)) {
    core.dying.add(entity);
    try {
      core.hierarchy?.destroyChildren(entity);
      for (const observer of core.observers.destroy) observer(entity);
      for (const type of core.tableOf(slot).types) tellRemoved(type, entity);
      for (const type of core.sparse) {
        if (type.sparse?.has(entity)) tellRemoved(type, entity);
      }
    } finally {
      core.dying.delete(entity);
    }
  }
  for (const { removed } of core.watchedRemovals) (removed as Stamps).at[slot] = 0;
  return true;
}

function isHooked(type: ComponentType): boolean {
  return type.hooks !== undefined || type.index !== undefined;
}

function checkDestroy(core: SceneCore, entity: EntityId): void {
  for (const child of core.hierarchy?.childrenOf(entity) ?? []) checkDestroy(core, child);
  core.guard.checkTables('destroyEntity()', core.tableOf(entity & SLOT_MASK), undefined);
  for (const type of core.sparse) {
    if ((type.sparse as SparseSet).has(entity)) core.guard.checkSparse('destroyEntity()', type);
  }
}
