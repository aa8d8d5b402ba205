import { EclipticError, type ArenaBlock } from '@ecliptic/core';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { IterableTable } from '../query/query-host.js';
import type { Component } from '../schema/component.js';
import type { ComponentColumns } from '../schema/component-types.js';
import { FieldKind } from '../schema/field.js';
import { CHUNK_SHIFT, chunksOf, raise } from './chunk-versions.js';
import { ColumnSet, type Columns } from './columns.js';
import type { ComponentType } from './component-type.js';
import { copyRow } from './copy-row.js';
import { makeColumn } from './field-values.js';
import type { Move } from './move.js';
import { RowOrder } from './row-order.js';
import type { StorageContext } from './storage-context.js';
import { moveColumns, tableBytes } from './table-layout.js';
import { touchPages } from './touch-pages.js';

/** As a constant of this module it is part of the engine's code; an imported one is looked up at each use. */
const SLOT_MASK = INDEX_MASK;

/** Rows reserved at first. */
const INITIAL_ROWS = 16;

/**
 * Dense rows of entities that have the same components: one column a field, 32-byte aligned, in one block of the arena. Growth
 * doubles. Rows are packed (the last moves into a hole) or ordered by slot (the tail moves).
 */
export class Table implements IterableTable {
  /** Archetypes by first creation; -1 for the table inside a sparse set. */
  readonly id: number;
  readonly types: readonly ComponentType[];
  readonly sets: readonly ColumnSet[];
  /** Rows in use. */
  count = 0;
  /** Rises with every row that comes or goes, and when all are put elsewhere. */
  moves = 0;
  /** Rows reserved. */
  capacity = 0;
  /** Id of the entity of each row. */
  entities: Int32Array = new Int32Array(0);
  /** Byte offset of `entities` in the arena. */
  entitiesBase = 0;
  /** Moves of rows to other tables that were made so far, by the component type that is added or removed. */
  readonly adds: (Move | undefined)[] = [];
  readonly removes: (Move | undefined)[] = [];
  /** Bytes a row of each flat field: all numeric fields of all components, in order. */
  readonly flatBytes: Int32Array;
  /** Byte offset of the column of each flat field. */
  readonly flatBases: Uint32Array;
  readonly #byType: (ColumnSet | undefined)[] = [];
  /** Columns of `object()` fields. */
  readonly objectLists: unknown[][] = [];
  /** Keeps rows by slot, where that is asked. */
  readonly #order: RowOrder | undefined;
  /** Packed, and without `object()` fields: rows come and go in few steps. */
  readonly #isPlain: boolean;
  readonly #context: StorageContext;
  /** Row of each slot, kept in step. */
  readonly #rows: Int32Array;
  #block: ArenaBlock | undefined = undefined;

  constructor(
    id: number,
    types: readonly ComponentType[],
    context: StorageContext,
    rows: Int32Array,
    ordered: boolean,
  ) {
    this.id = id;
    this.types = types;
    this.#context = context;
    this.#rows = rows;
    const flat: number[] = [];
    this.sets = types.map((type) => {
      const list = type.fields.map(({ field }): unknown => {
        if (field.kind !== FieldKind.object) {
          flat.push(field.bytes);
          return makeColumn(new ArrayBuffer(0), field, 0, 0);
        }
        const objects: unknown[] = [];
        this.objectLists.push(objects);
        return objects;
      });
      const set = new ColumnSet(type.component, type.ColumnsOf, list, (row, touched) => {
        if (type.tracked) context.touch(touched, row, this.entities[row] ?? 0);
      });
      if (type.chunked) set.chunks = new Float64Array(1);
      this.#byType[type.id] = set;
      return set;
    });
    this.#order = ordered ? new RowOrder(this, context, rows) : undefined;
    this.#isPlain = !ordered && this.objectLists.length === 0;
    this.flatBytes = Int32Array.from(flat);
    this.flatBases = new Uint32Array(flat.length);
  }

  /**
   * Columns of a component by field name. O(components).
   *
   * @throws EclipticError `ecs/no-column`
   */
  column<C extends Component>(component: C): ComponentColumns<C> & Columns {
    for (const set of this.sets) {
      if (set.component === component) return set.columns as ComponentColumns<C> & Columns;
    }
    throw new EclipticError(
      'ecs/no-column',
      `Table ${this.#label()} has no component "${component.name}"`,
      {
        subjects: { component: component.name, archetype: this.id },
        fix: 'Ask for the component in the query.',
      },
    );
  }

  has(type: ComponentType): boolean {
    return this.#byType[type.id] !== undefined;
  }

  setOf(type: ComponentType): ColumnSet | undefined {
    return this.#byType[type.id];
  }

  /** Bytes reserved in the arena. */
  get bytes(): number {
    return this.#block?.byteLength ?? 0;
  }

  /**
   * Reserves room for one more row, or `rows` more.
   *
   * @throws ArenaBudgetError `core/arena-budget`; the table is as before
   */
  reserve(rows: number): void {
    if (this.count + rows > this.capacity) this.grow(this.count + rows);
  }

  /**
   * Takes rows in that were written behind the last one, `entities` and all columns; in an ordered table they go to their places.
   */
  append(rows: number): void {
    const first = this.count;
    this.count += rows;
    this.moves++;
    for (let row = first; row < this.count; row++) {
      this.#rows[(this.entities[row] as number) & SLOT_MASK] = row;
    }
    this.#order?.sort(first);
  }

  /** Forgets what was written behind the last row. */
  trim(): void {
    this.#sizeLists(this.count);
  }

  /**
   * Appends the entity, or in an ordered table puts it in its place. Columns of the row hold anything. Call
   * {@link reserve} first.
   */
  insert(entity: EntityId): number {
    const last = this.count++;
    this.moves++;
    const row = this.#isPlain ? last : this.#makeRoom(entity & SLOT_MASK, last);
    this.entities[row] = entity;
    this.#rows[entity & SLOT_MASK] = row;
    return row;
  }

  /** Removes a row; the caller knows where its entity goes. */
  remove(row: number): void {
    const last = --this.count;
    this.moves++;
    if (row !== last) {
      if (this.#order) this.#order.shift(row + 1, row, last - row);
      else this.#swap(last, row);
    }
    if (!this.#isPlain) this.#sizeLists(last);
  }

  /** Forgets all rows, and keeps the memory. */
  clear(): void {
    this.moves++;
    this.count = 0;
    this.#sizeLists(0);
  }

  dispose(): void {
    if (this.#block) this.#context.arena.free(this.#block);
    this.#block = undefined;
    this.moves++;
    this.count = 0;
    this.capacity = 0;
  }

  /** Starts to keep versions of the chunks of a component's columns. */
  trackChunks(set: ColumnSet, version: number): void {
    set.chunks ??= new Float64Array(chunksOf(this.capacity)).fill(version);
  }

  /** Reserves at least `rows` rows: doubles, from 16 on, at most to the scene's capacity. */
  grow(rows: number): void {
    let capacity = this.capacity === 0 ? INITIAL_ROWS : this.capacity;
    while (capacity < rows) capacity *= 2;
    this.#resize(Math.min(capacity, this.#context.maxRows));
  }

  /** Reserves memory for `rows` rows in all, no more, and touches it. */
  prepare(rows: number): void {
    if (rows <= this.capacity) return;
    this.#resize(rows);
    const { offset, byteLength } = this.#block as ArenaBlock;
    touchPages(this.#context.heap.u8, offset, offset + byteLength);
  }

  #resize(capacity: number): void {
    const { arena, heap, counters, log, name } = this.#context;
    const block = arena.allocate(tableBytes(this, capacity), `${name}.${this.#label()}`);
    const old = this.#block;
    moveColumns(this, heap, block.offset, capacity);
    this.#block = block;
    this.capacity = capacity;
    this.moves++;
    counters.reservations++;
    if (old) {
      arena.free(old);
      counters.growths++;
      log.info('archetype_grow', { archetype: this.id, rows: capacity, components: this.#label() });
    }
  }

  /** Room for the entity of a slot: behind the `rows` others, or among them in an ordered table. @returns the row */
  #makeRoom(slot: number, rows: number): number {
    this.#sizeLists(rows + 1);
    return this.#order?.makeRoom(slot, rows) ?? rows;
  }

  #sizeLists(length: number): void {
    for (const list of this.objectLists) list.length = length;
  }

  /** Copies the row that moved into a hole along, everywhere. */
  #swap(from: number, to: number): void {
    const entity = this.entities[from] as number;
    this.entities[to] = entity;
    this.#rows[entity & SLOT_MASK] = to;
    this.#context.counters.rowShifts++;
    const { u32, u8 } = this.#context.heap;
    const { flatBytes, flatBases } = this;
    for (let f = 0; f < flatBytes.length; f++) {
      const bytes = flatBytes[f] as number;
      const base = flatBases[f] as number;
      copyRow(u32, u8, base + from * bytes, base + to * bytes, bytes);
    }
    if (!this.#isPlain) for (const list of this.objectLists) list[to] = list[from];
    if (this.#context.watchesChunks) this.#carryVersion(from, to);
  }

  #carryVersion(from: number, to: number): void {
    for (const set of this.sets) {
      if (set.chunks) raise(set.chunks, to, set.chunks[from >> CHUNK_SHIFT] as number);
    }
  }

  #label(): string {
    return this.types.map((type) => type.component.name).join('+') || 'empty';
  }
}
