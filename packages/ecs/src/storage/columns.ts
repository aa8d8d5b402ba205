import type { Component } from '../schema/component.js';
import type { Field } from '../schema/field.js';

/** What a system gets of a component in a table: its columns by field name. An instance never gains a property. */
export interface Columns {
  /** Reports a row as changed, to `changed()`, for components that track rows. */
  $touch(row: number): void;
}

/** Makes the columns object of one component. */
export type ColumnsClass = new (set: ColumnSet) => Columns & Record<string, unknown>;

/**
 * Makes a class for the columns of a component, so that all its tables' columns have one shape, and no other
 * component's.
 */
export function makeColumnsClass(component: Component): ColumnsClass {
  const names = component.fields.map((slot) => slot.name);
  class ComponentColumns implements Columns {
    [name: string]: unknown;
    readonly $set: ColumnSet;

    constructor(set: ColumnSet) {
      this.$set = set;
      for (const [i, name] of names.entries()) this[name] = set.list[i];
    }

    $touch(row: number): void {
      this.$set.touch(row);
    }
  }
  return ComponentColumns as ColumnsClass;
}

/** Columns of one component in one table or sparse set. */
export class ColumnSet {
  readonly component: Component;
  /** The columns by field index: typed arrays, or lists of objects. Elements are replaced when the table grows. */
  readonly list: unknown[];
  /** The same by field name, for systems. */
  readonly columns: Columns & Record<string, unknown>;
  /** Byte offset of each field's column in the arena. */
  readonly bases: Uint32Array;
  /** Versions of the chunks, once someone asks for changes. */
  chunks: Float64Array | undefined = undefined;
  readonly #touch: (row: number) => void;

  constructor(
    component: Component,
    ColumnsOf: ColumnsClass,
    list: unknown[],
    touch: (row: number, set: ColumnSet) => void,
  ) {
    this.component = component;
    this.list = list;
    this.bases = new Uint32Array(component.fields.length);
    this.columns = new ColumnsOf(this);
    this.#touch = (row) => touch(row, this);
  }

  touch(row: number): void {
    this.#touch(row);
  }

  /** Puts a grown column in place of the old. */
  replace(index: number, name: string, column: unknown, base: number): void {
    this.list[index] = column;
    this.columns[name] = column;
    this.bases[index] = base;
  }

  fieldAt(index: number, row: number, field: Field): number {
    return (this.bases[index] as number) + row * field.bytes;
  }
}
