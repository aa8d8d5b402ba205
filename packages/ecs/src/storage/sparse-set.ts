import type { ArenaBlock } from '@ecliptic/core';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { ComponentType } from './component-type.js';
import type { ColumnSet } from './columns.js';
import type { StorageContext } from './storage-context.js';
import { Table } from './table.js';

/** As a constant of this module it is part of the engine's code; an imported one is looked up at each use. */
const SLOT_MASK = INDEX_MASK;

/**
 * The values of one component in dense rows of their own, found by slot. Adding and removing moves nothing but the row itself,
 * and the last row into a hole. The generation is checked on every look-up.
 */
export class SparseSet {
  readonly type: ComponentType;
  /** The dense rows; its only columns are the component's. */
  readonly rows: Table;
  /** Row of each slot; to be trusted only where {@link rowOf} agrees. */
  readonly index: Int32Array;
  readonly #context: StorageContext;
  readonly #block: ArenaBlock;

  constructor(type: ComponentType, context: StorageContext) {
    this.type = type;
    this.#context = context;
    this.#block = context.arena.allocate(
      context.maxRows * 4,
      `${context.name}.${type.component.name}.index`,
    );
    this.index = new Int32Array(context.heap.buffer, this.#block.offset, context.maxRows);
    this.rows = new Table(-1, [type], context, this.index, false);
  }

  /** Byte offset of the index in the arena. */
  get indexBase(): number {
    return this.#block.offset;
  }

  get columns(): ColumnSet {
    return this.rows.sets[0] as ColumnSet;
  }

  /** Row of the entity, or -1. O(1). */
  rowOf(entity: EntityId): number {
    const row = this.index[entity & SLOT_MASK] as number;
    return row < this.rows.count && this.rows.entities[row] === entity ? row : -1;
  }

  has(entity: EntityId): boolean {
    return this.rowOf(entity) >= 0;
  }

  /** Gives an entity that has none a row; its columns hold anything. Reserve first. */
  add(entity: EntityId): number {
    return this.rows.insert(entity);
  }

  /** Removes the entity's row by moving the last into it. */
  delete(entity: EntityId): boolean {
    const row = this.rowOf(entity);
    if (row < 0) return false;
    this.rows.remove(row);
    return true;
  }

  dispose(): void {
    this.rows.dispose();
    this.#context.arena.free(this.#block);
  }
}
