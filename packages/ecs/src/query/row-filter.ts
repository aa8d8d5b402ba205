import { INDEX_MASK } from '../entities/entity-id.js';
import { CHUNK_SHIFT } from '../storage/chunk-versions.js';
import type { ColumnSet } from '../storage/columns.js';
import type { Stamps } from '../storage/component-type.js';
import type { SparseSet } from '../storage/sparse-set.js';

/** A condition that a table as a whole doesn't answer. */
export interface RowFilter {
  /** Whether it tells chunks of tables apart, not single rows. */
  readonly wholeChunks: boolean;
  /** Whether any of the first `count` rows can pass. */
  mayPass(count: number, since: number): boolean;
  passes(entity: number, row: number, since: number): boolean;
}

/** Membership in sparse sets: in any of them, or in none. */
export class SparseFilter implements RowFilter {
  readonly wholeChunks = false;
  readonly #sets: readonly SparseSet[];
  readonly #wanted: boolean;

  constructor(sets: readonly SparseSet[], wanted: boolean) {
    this.#sets = sets;
    this.#wanted = wanted;
  }

  mayPass(): boolean {
    if (!this.#wanted) return true;
    for (let i = 0; i < this.#sets.length; i++) {
      if ((this.#sets[i] as SparseSet).rows.count > 0) return true;
    }
    return false;
  }

  passes(entity: number): boolean {
    for (let i = 0; i < this.#sets.length; i++) {
      if ((this.#sets[i] as SparseSet).has(entity)) return this.#wanted;
    }
    return !this.#wanted;
  }
}

/** A stamp of the entity's slot that is newer than the query's last run. */
export class StampFilter implements RowFilter {
  readonly wholeChunks = false;
  readonly #stamps: Stamps;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  mayPass(_count: number, since: number): boolean {
    return this.#stamps.latest > since;
  }

  passes(entity: number, _row: number, since: number): boolean {
    return (this.#stamps.at[entity & INDEX_MASK] as number) > since;
  }
}

/** A chunk of the table that changed since the query's last run. */
export class ChunkFilter implements RowFilter {
  readonly wholeChunks = true;
  readonly #set: ColumnSet;

  constructor(set: ColumnSet) {
    this.#set = set;
  }

  mayPass(count: number, since: number): boolean {
    const { chunks } = this.#set;
    if (!chunks) return false;
    for (let chunk = (count - 1) >> CHUNK_SHIFT; chunk >= 0; chunk--) {
      if ((chunks[chunk] as number) > since) return true;
    }
    return false;
  }

  passes(_entity: number, row: number, since: number): boolean {
    return ((this.#set.chunks as Float64Array)[row >> CHUNK_SHIFT] as number) > since;
  }
}

/** A chunk of a sparse set that changed since the query's last run. */
export class SparseChunkFilter implements RowFilter {
  readonly wholeChunks = false;
  readonly #sparse: SparseSet;
  readonly #chunks: ChunkFilter;

  constructor(sparse: SparseSet) {
    this.#sparse = sparse;
    this.#chunks = new ChunkFilter(sparse.columns);
  }

  mayPass(_count: number, since: number): boolean {
    return this.#chunks.mayPass(this.#sparse.rows.count, since);
  }

  passes(entity: number, _row: number, since: number): boolean {
    const row = this.#sparse.rowOf(entity);
    return row >= 0 && this.#chunks.passes(entity, row, since);
  }
}
