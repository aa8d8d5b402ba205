import type { Component } from '../schema/component.js';
import type { ComponentColumns } from '../schema/component-types.js';
import type { Columns, ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';

/** What a query asks a component to keep track of. */
export type Tracking = 'added' | 'removed' | 'changed';

/** A table as queries need it: of a scene, or of a worker that sees the scene's memory. */
export interface IterableTable {
  /** Among the archetypes, by first creation. */
  readonly id: number;
  readonly count: number;
  readonly entities: Int32Array;
  /** Rises with every row that comes or goes. */
  readonly moves: number;
  has(type: ComponentType): boolean;
  setOf(type: ComponentType): ColumnSet | undefined;
  column<C extends Component>(component: C): ComponentColumns<C> & Columns;
}

/** A query that is being iterated, as structural changes see it. */
export interface ActiveIteration {
  readonly name: string;
  /** Whether it visits rows of this table. */
  visits(table: IterableTable): boolean;
  /** Whether it looks at this sparse component. */
  looksAt(type: ComponentType): boolean;
}

/** Where queries run: a scene, or a worker's sight of one. */
export interface QueryHost {
  readonly name: string;
  readonly development: boolean;
  readonly disposed: boolean;
  /** Rises when queries must look again: new tables, types, watchers. */
  readonly epoch: number;
  /** Rises with every run of a query that watches changes. */
  version: number;
  /** Whether any table keeps versions of chunks. */
  readonly watchesChunks: boolean;
  readonly tables: readonly IterableTable[];
  readonly components: {
    readonly types: readonly ComponentType[];
    find(component: Component): ComponentType | undefined;
  };
  readonly guard: { enter(iteration: ActiveIteration): void; leave(): void };
  /** Starts to keep track of a component. */
  track(component: Component, what: Tracking): void;
}
