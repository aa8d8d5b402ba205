import { EclipticError } from '@ecliptic/core';
import type { ComponentType } from '../storage/component-type.js';
import type { Placement } from '../storage/placement.js';
import type { Table } from '../storage/table.js';
import type { SceneCore } from './scene-core.js';
import { checkCount, duplicate } from './structure-checks.js';

/**
 * The table of components that are given together; made now if there was none.
 *
 * @throws EclipticError `ecs/duplicate-component`, `ecs/component-budget`, `ecs/archetype-budget`
 */
export function settlePlacement(core: SceneCore, placement: Placement): Table {
  if (placement.table) return placement.table;
  const seen = new Set<ComponentType>();
  for (const type of placement.types) {
    if (seen.has(type)) throw duplicate(core, type.component, undefined);
    checkCount(core, seen.size, type.component);
    seen.add(type);
  }
  return core.graph.settle(placement);
}

/** Refuses rows in the storages of components that someone iterates. */
export function checkPlacement(
  core: SceneCore,
  { types }: Placement,
  table: Table,
  change: string,
): void {
  for (const type of types) if (type.sparse) core.guard.checkSparse(change, type);
  core.guard.checkTables(change, table, undefined);
}

/** @throws EclipticError `ecs/invalid-rows` where a number of rows is none that the scene may ever have */
export function checkRows(core: SceneCore, rows: number, call: string): void {
  const { maxEntities } = core.limits;
  if (Number.isInteger(rows) && rows >= 0 && rows <= maxEntities) return;
  throw new EclipticError(
    'ecs/invalid-rows',
    `${call} of scene "${core.name}" can't make ${rows} rows of ${maxEntities}`,
    {
      subjects: { scene: core.name, rows, maxEntities },
      fix: 'Give a whole number from 0 to the option maxEntities.',
    },
  );
}
