import type { IterableTable } from './query-host.js';

/**
 * Lists of tables that are filled again and again: one of each length, since a list that is cut and grows again would take new memory
 * each time.
 */
export class TableLists {
  readonly #byLength: IterableTable[][] = [];
  readonly #tables: IterableTable[] = [];
  #count = 0;

  begin(): void {
    this.#count = 0;
  }

  add(table: IterableTable): void {
    this.#tables[this.#count++] = table;
  }

  /** What was added since `begin`, in a list that is overwritten by the next of this length. */
  end(): readonly IterableTable[] {
    const count = this.#count;
    const list = (this.#byLength[count] ??= this.#tables.slice(0, count));
    for (let i = 0; i < count; i++) list[i] = this.#tables[i] as IterableTable;
    return list;
  }
}
