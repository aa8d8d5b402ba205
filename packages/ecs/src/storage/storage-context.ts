import type { Arena, EventLog } from '@ecliptic/core';
import type { EntityId } from '../entities/entity-id.js';
import type { ColumnSet } from './columns.js';
import type { Heap } from './heap.js';
import type { StorageCounters } from './storage-stats.js';

/** What tables of one scene share. */
export interface StorageContext {
  readonly name: string;
  readonly arena: Arena;
  readonly heap: Heap;
  readonly counters: StorageCounters;
  readonly log: EventLog;
  /** Whether any table keeps versions of chunks. */
  readonly watchesChunks: boolean;
  /** Most rows of a table. */
  readonly maxRows: number;
  /** Called when a table was made. */
  tableMade(): void;
  /** Reports a row as changed. */
  touch(set: ColumnSet, row: number, entity: EntityId): void;
}
