import type { Component } from '../schema/component.js';
import type { ColumnSet } from './columns.js';
import type { ComponentType } from './component-type.js';
import type { SparseSet } from './sparse-set.js';
import type { Table } from './table.js';

/**
 * Where an entity is put whose components are given at once, in this order. Placements form a tree, one step a component, so that the table
 * is found without making the tables between.
 */
export class Placement {
  /** In the order in which they are given. */
  readonly types: readonly ComponentType[];
  /** Those of the components that are not in the table. */
  readonly sparse: readonly SparseSet[];
  /** The component that was given last. */
  readonly component: Component | undefined;
  /** Whether someone keeps an index of that, and must be asked. */
  readonly isIndexed: boolean;
  /** Whether packed rows, as commands carry them, can be put here at once: nobody must be asked, and no component comes twice. */
  readonly takesPacked: boolean;
  /** Whether packed rows of many entities can be put here together: all in one table, and none refers to another. */
  readonly takesBatches: boolean;
  /** The placement that was asked for last: the same things are often created in a row. */
  last: Placement | undefined = undefined;
  /** Known once an entity was put here, as are the columns of each component. */
  table: Table | undefined = undefined;
  sets: readonly ColumnSet[] = [];
  /** With one component more, by its type. */
  readonly #next: (Placement | undefined)[] = [];

  constructor(types: readonly ComponentType[]) {
    this.types = types;
    this.sparse = types.flatMap(({ sparse }) => sparse ?? []);
    const type = types.at(-1);
    this.component = type?.component;
    this.isIndexed = type?.index !== undefined;
    this.takesPacked =
      new Set(types).size === types.length &&
      !types.some(({ hasObjects, index }) => hasObjects || index);
    this.takesBatches =
      this.takesPacked && !types.some(({ references, sparse }) => references.length > 0 || sparse);
  }

  /** The placement with one component more. */
  with(type: ComponentType): Placement {
    const { last } = this;
    if (last !== undefined && last.component === type.component) return last;
    return (this.last = this.#next[type.id] ??= new Placement([...this.types, type]));
  }

  settle(table: Table): void {
    this.sets = this.types.map((type) => type.sparse?.columns ?? (table.setOf(type) as ColumnSet));
    this.table = table;
  }
}
