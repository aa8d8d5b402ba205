import { INDEX_MASK, INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Heap } from '../storage/heap.js';
import { initRow, readPacked, writePacked } from '../storage/row-values.js';
import type { SceneCore } from './scene-core.js';
import {
  announceAdd,
  checkCount,
  checkValue,
  duplicate,
  reportCut,
  tellAdd,
} from './structure-checks.js';

/** A component to create an entity with: alone for its defaults, or with a value. */
export type AnyInit = Component | readonly [Component, object];

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
  try {
    for (let i = 0; i < length; i++) {
      const type = types[i] as ComponentType;
      const value = valueOf(inits[i] as AnyInit);
      const set = setFor(core, entity, type);
      const row = rowFor(core, entity, type);
      reportCut(core, type, initRow(core.heap, type, set, row, value));
      announceAdd(core, type, set, row, entity);
      if (type.hooks) hooked = true;
    }
  } catch (error) {
    discard(core, entity);
    throw error;
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

/** Takes back an entity that no one was told of. */
function discard(core: SceneCore, entity: EntityId): void {
  const slot = entity & INDEX_MASK;
  core.tableOf(slot).remove(core.entities.rows[slot] as number);
  for (const { sparse } of core.sparse) sparse?.delete(entity);
  core.entities.destroy(entity);
}

/** Columns that hold a component of an entity that has it. */
function setFor(core: SceneCore, entity: EntityId, type: ComponentType): ColumnSet {
  return type.sparse?.columns ?? (core.tableOf(entity & INDEX_MASK).setOf(type) as ColumnSet);
}

function rowFor(core: SceneCore, entity: EntityId, type: ComponentType): number {
  return type.sparse?.rowOf(entity) ?? (core.entities.rows[entity & INDEX_MASK] as number);
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
