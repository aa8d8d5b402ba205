import { EclipticError } from '@ecliptic/core';
import { INDEX_MASK, INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import type { Component, FieldSlot } from '../schema/component.js';
import { validateValue } from '../schema/validate-value.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentObserver, ComponentType, Stamps } from '../storage/component-type.js';
import type { Heap } from '../storage/heap.js';
import {
  initRow,
  readPacked,
  updateRow,
  writeObjects,
  writePacked,
} from '../storage/row-values.js';
import type { SparseSet } from '../storage/sparse-set.js';
import type { SceneCore } from './scene-core.js';

/** A component to create an entity with: alone for its defaults, or with a value. */
export type AnyInit = Component | readonly [Component, object];

/** A packed row of a component, as commands carry it. */
export interface PackedRow {
  readonly heap: Heap;
  readonly at: number;
  /** Bit i: field i was given. */
  readonly mask: number;
}

function tell(observers: readonly ComponentObserver[], entity: EntityId): void {
  for (const observer of observers) observer(entity);
}

function reportCut(core: SceneCore, type: ComponentType, cut: FieldSlot | undefined): void {
  if (!cut) return;
  const name = `${type.component.name}.${cut.name}`;
  core.log.warnOnce('text_cut', name, { scene: core.name, bytes: cut.field.stride });
}

function checkValue(
  core: SceneCore,
  type: ComponentType,
  entity: EntityId,
  value: object | undefined,
): void {
  if (core.development && value !== undefined) validateValue(type.component, value);
  if (type.precheck) type.precheck(entity, value);
}

function checkCount(core: SceneCore, held: number, component: Component): void {
  const { maxComponentsPerEntity } = core.limits;
  if (held < maxComponentsPerEntity) return;
  core.log.warnOnce('component_limit', component.name, { scene: core.name });
  throw new EclipticError(
    'ecs/component-budget',
    `An entity of scene "${core.name}" has ${held} components; "${component.name}" would be one more`,
    {
      subjects: { scene: core.name, component: component.name, maxComponentsPerEntity },
      fix: 'Merge components, or raise the option maxComponentsPerEntity.',
    },
  );
}

/** How many components a living entity has. */
export function componentCount(core: SceneCore, entity: EntityId): number {
  let count = core.tableOf(entity & INDEX_MASK).types.length;
  for (const { sparse } of core.sparse) if (sparse?.has(entity)) count++;
  return count;
}

/** Notes and tells that a component came to an entity. */
function announceAdd(
  core: SceneCore,
  type: ComponentType,
  set: ColumnSet,
  row: number,
  entity: EntityId,
): void {
  core.counters.adds++;
  if (type.tracked) {
    type.added?.mark(entity & INDEX_MASK, core.version);
    core.markChanged(type, set, row, entity & INDEX_MASK);
  }
}

/** An entity without components. @throws EclipticError `ecs/entity-budget` */
export function createEmpty(core: SceneCore): EntityId {
  const { root } = core.graph;
  if (core.guard.busy) core.guard.checkTables('createEntity()', root, undefined);
  core.entities.require(1);
  root.reserve();
  const entity = core.entities.create();
  core.entities.tables[entity & INDEX_MASK] = root.id;
  root.insert(entity);
  core.warnings.created();
  return entity;
}

/** An entity with components, put into its table at once. */
export function createWith(core: SceneCore, inits: readonly AnyInit[]): EntityId {
  const types = core.scratch;
  const { length } = inits;
  for (let i = 0; i < length; i++) {
    const init = inits[i] as AnyInit;
    const type = core.typeOf(componentOf(init));
    checkValue(core, type, INVALID_ENTITY, valueOf(init));
    types[i] = type;
  }
  const entity = place(core, types, length);
  let hooked = false;
  for (let i = 0; i < length; i++) {
    const type = types[i] as ComponentType;
    const value = valueOf(inits[i] as AnyInit);
    const set = setFor(core, entity, type);
    const row = rowFor(core, entity, type);
    reportCut(core, type, initRow(core.heap, type, set, row, value));
    announceAdd(core, type, set, row, entity);
    if (type.hooks) hooked = true;
  }
  if (hooked) for (const init of inits) tellAdd(core.typeOf(componentOf(init)), entity);
  return entity;
}

/**
 * An entity with components whose values are packed rows.
 *
 * @param types - the first `count` are used
 * @param rows - their values
 */
export function createPacked(
  core: SceneCore,
  types: readonly ComponentType[],
  count: number,
  heap: Heap,
  rows: readonly number[],
): EntityId {
  for (let i = 0; i < count; i++) {
    const type = types[i] as ComponentType;
    type.precheck?.(INVALID_ENTITY, readPacked(type, heap, rows[i] as number));
  }
  const entity = place(core, types, count);
  for (let i = 0; i < count; i++) {
    const type = types[i] as ComponentType;
    const set = setFor(core, entity, type);
    const row = rowFor(core, entity, type);
    writePacked(core.heap, type, set, row, heap, rows[i] as number, -1);
    announceAdd(core, type, set, row, entity);
  }
  return entity;
}

/** Columns that hold a component of an entity that has it. */
function setFor(core: SceneCore, entity: EntityId, type: ComponentType): ColumnSet {
  return type.sparse?.columns ?? (core.tableOf(entity & INDEX_MASK).setOf(type) as ColumnSet);
}

function rowFor(core: SceneCore, entity: EntityId, type: ComponentType): number {
  return type.sparse?.rowOf(entity) ?? (core.entities.rows[entity & INDEX_MASK] as number);
}

/** Tells the observers of a component that was added. */
export function tellAdd(type: ComponentType, entity: EntityId): void {
  if (type.hooks) tell(type.hooks.add, entity);
}

/** Makes an entity with rows in all storages of its components; their columns hold anything. */
function place(core: SceneCore, types: readonly ComponentType[], count: number): EntityId {
  const { graph, guard } = core;
  let node = graph.begin();
  let sparse = 0;
  for (let i = 0; i < count; i++) {
    const type = types[i] as ComponentType;
    if (!type.sparse) node = graph.step(node, type);
    else {
      sparse++;
      if (guard.busy) guard.checkSparse('createEntity()', type);
    }
  }
  if (node.table === undefined || sparse > 0) checkSet(core, types.slice(0, count));
  const table = graph.end(node, () => types.slice(0, count).filter((type) => !type.sparse));
  if (guard.busy) guard.checkTables('createEntity()', table, undefined);
  core.entities.require(1);
  table.reserve();
  if (sparse > 0) {
    for (let i = 0; i < count; i++) (types[i] as ComponentType).sparse?.rows.reserve();
  }
  const entity = core.entities.create();
  core.entities.tables[entity & INDEX_MASK] = table.id;
  table.insert(entity);
  core.warnings.created();
  if (sparse > 0) for (let i = 0; i < count; i++) (types[i] as ComponentType).sparse?.add(entity);
  return entity;
}

function componentOf(init: AnyInit): Component {
  return Array.isArray(init) ? (init as readonly [Component, object])[0] : (init as Component);
}

function valueOf(init: AnyInit): object | undefined {
  return Array.isArray(init) ? (init as readonly [Component, object])[1] : undefined;
}

function checkSet(core: SceneCore, types: readonly ComponentType[]): void {
  const seen = new Set<ComponentType>();
  for (const type of types) {
    if (seen.has(type)) throw duplicate(core, type.component, undefined);
    checkCount(core, seen.size, type.component);
    seen.add(type);
  }
}

function duplicate(
  core: SceneCore,
  component: Component,
  entity: EntityId | undefined,
): EclipticError {
  return new EclipticError(
    'ecs/duplicate-component',
    `"${component.name}" is already on entity ${entity ?? 'to be created'} of scene "${core.name}"`,
    {
      subjects: { scene: core.name, component: component.name, entity },
      fix: 'Use setComponent to create or update.',
    },
  );
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
  } else {
    const move = core.graph.add(table, type);
    const { to } = move;
    if (core.guard.busy) core.guard.checkTables(`add "${component.name}"`, table, to);
    to.reserve();
    const from = core.entities.rows[slot] as number;
    row = to.insert(entity);
    move.copy(core, from, row);
    core.entities.tables[slot] = to.id;
    table.remove(from);
    set = to.setOf(type) as ColumnSet;
  }
  if (packed) writeRow(core, type, set, row, packed, -1, value);
  else reportCut(core, type, initRow(core.heap, type, set, row, value));
  announceAdd(core, type, set, row, entity);
  if (type.hooks) tell(type.hooks.add, entity);
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
  if (core.dying.has(entity)) return;
  const watched = core.destroyObservers.length > 0 || core.destroyChildren !== undefined;
  if (watched || core.tableOf(slot).types.some(isHooked) || core.sparse.some(isHooked)) {
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
