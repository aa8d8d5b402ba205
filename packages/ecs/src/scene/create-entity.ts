import { INDEX_MASK, INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Heap } from '../storage/heap.js';
import type { Placement } from '../storage/placement.js';
import { writePacked } from '../storage/packed-rows.js';
import type { SparseSet } from '../storage/sparse-set.js';
import type { Table } from '../storage/table.js';
import type { SceneCore } from './scene-core.js';
import { valueOf, type AnyInit } from './inits.js';
import { checkPlacement, checkRows, settlePlacement } from './settle-placement.js';
import { checkValue, reportCut } from './structure-checks.js';

/** As a constant of this module it is part of the engine's code; an imported one is looked up at each use. */
const SLOT_MASK = INDEX_MASK;

/** An entity with components, put into its table at once. They are rest parameters because the engine makes no array of those. */
export function createWith(core: SceneCore, ...inits: readonly AnyInit[]): EntityId {
  let placement = core.graph.root;
  for (let i = 0; i < inits.length; i++) {
    const init = inits[i] as AnyInit;
    const component = (Array.isArray(init) ? init[0] : init) as Component;
    const { last } = placement;
    placement =
      last !== undefined && last.component === component
        ? last
        : placement.with(core.typeOf(component));
    if (core.development || placement.isIndexed) {
      checkValue(core, placement.types[i] as ComponentType, INVALID_ENTITY, valueOf(init));
    }
  }
  const entity = place(core, placement);
  const { types, sets } = placement;
  try {
    for (let i = 0; i < types.length; i++) {
      const type = types[i] as ComponentType;
      const row = core.rowOf(entity, type);
      const init = inits[i] as AnyInit;
      const value = (Array.isArray(init) ? init[1] : undefined) as object | undefined;
      const cut = type.write(core.heap, sets[i] as ColumnSet, row, value);
      if (cut !== undefined) reportCut(core, type, cut);
    }
  } catch (error) {
    discard(core, placement, entity);
    throw error;
  }
  core.counters.adds += types.length;
  if (core.watched) announce(core, placement, entity);
  return entity;
}

/**
 * An entity with components whose values are packed rows. The caller announces it.
 *
 * @param placement - one that takes packed rows
 * @param rows - where the values are in `heap`, in the order of the placement
 */
export function createPacked(
  core: SceneCore,
  placement: Placement,
  heap: Heap,
  rows: readonly number[],
): EntityId {
  const entity = place(core, placement);
  const { types, sets } = placement;
  for (let i = 0; i < types.length; i++) {
    const type = types[i] as ComponentType;
    const set = sets[i] as ColumnSet;
    writePacked(core.heap, type, set, core.rowOf(entity, type), heap, rows[i] as number, -1);
  }
  core.counters.adds += types.length;
  return entity;
}

/** Reserves memory for `rows` entities of these components. */
export function reserveRows(core: SceneCore, components: readonly Component[], rows: number): void {
  checkRows(core, rows, 'reserve()');
  let placement = core.graph.root;
  for (const component of components) placement = placement.with(core.typeOf(component));
  const table = settlePlacement(core, placement);
  if (core.guard.busy) checkPlacement(core, placement, table, 'reserve()');
  table.prepare(rows);
  for (const { rows: storage } of placement.sparse) storage.prepare(rows);
  core.entities.prepare(rows - table.count);
}

/** Makes an entity with rows in all storages of its components; their columns hold anything. */
function place(core: SceneCore, placement: Placement): EntityId {
  const { entities } = core;
  const table = placement.table ?? settlePlacement(core, placement);
  const { sparse } = placement;
  if (core.guard.busy) checkPlacement(core, placement, table, 'createEntity()');
  if (table.count === table.capacity || sparse.length > 0) makeRoom(core, table, sparse);
  const entity = entities.create();
  entities.tables[entity & SLOT_MASK] = table.id;
  table.insert(entity);
  for (let i = 0; i < sparse.length; i++) (sparse[i] as SparseSet).add(entity);
  core.warnings.created(1);
  return entity;
}

function makeRoom({ entities }: SceneCore, table: Table, sparse: readonly SparseSet[]): void {
  // Before a table grows.
  entities.require(1);
  table.reserve(1);
  for (const { rows } of sparse) rows.reserve(1);
}

/** Takes back an entity that no one was told of. */
function discard(core: SceneCore, { sparse }: Placement, entity: EntityId): void {
  const slot = entity & SLOT_MASK;
  core.tableOf(slot).remove(core.entities.rows[slot] as number);
  for (const set of sparse) set.delete(entity);
  core.entities.destroy(entity);
}

/** Notes that all components of a new entity came, and tells who watches them. */
export function announce(core: SceneCore, { types, sets }: Placement, entity: EntityId): void {
  const slot = entity & SLOT_MASK;
  for (let i = 0; i < types.length; i++) {
    const type = types[i] as ComponentType;
    if (!type.tracked) continue;
    type.added?.mark(slot, core.version);
    core.markChanged(type, sets[i] as ColumnSet, core.rowOf(entity, type), slot);
  }
  // Before observers, which may change what is indexed.
  for (const { index } of types) index?.added(entity);
  for (const type of types) {
    if (!type.hooks) continue;
    // An observer may have destroyed the entity, or taken the component away.
    if (!core.entities.isAlive(entity) || !core.holds(entity, type)) continue;
    for (const observer of type.hooks.add) observer(entity);
  }
}
