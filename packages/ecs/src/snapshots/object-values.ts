import { FieldKind } from '../schema/field.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { Table } from '../storage/table.js';

interface ObjectColumn {
  readonly table: Table;
  /** Component and field. */
  readonly key: string;
  readonly fallback: unknown;
  readonly list: unknown[];
}

function objectColumns(core: SceneCore): ObjectColumn[] {
  const tables = [...core.tables, ...core.sparse.flatMap(({ sparse }) => sparse?.rows ?? [])];
  return tables.flatMap((table) =>
    table.sets.flatMap(({ component, list }) =>
      component.fields
        .filter(({ field }) => field.kind === FieldKind.object)
        .map(({ field, index, name }) => ({
          table,
          key: `${component.name}.${name}`,
          fallback: field.fallback,
          list: list[index] as unknown[],
        })),
    ),
  );
}

/** Values of `object()` fields, which are in no snapshot: they stay with the entities that have them. */
export class ObjectValues {
  readonly #core: SceneCore;
  readonly #values = new Map<string, Map<number, unknown>>();

  /** Takes note of the values, before the rows are replaced. */
  constructor(core: SceneCore) {
    this.#core = core;
    for (const { table, key, list } of objectColumns(core)) {
      const values = this.#values.get(key) ?? new Map<number, unknown>();
      for (let row = 0; row < table.count; row++) {
        values.set(table.entities[row] as number, list[row]);
      }
      this.#values.set(key, values);
    }
  }

  /** Gives them back, in the rows that the entities have now. */
  restore(): void {
    for (const { table, key, fallback, list } of objectColumns(this.#core)) {
      const values = this.#values.get(key);
      list.length = table.count;
      for (let row = 0; row < table.count; row++) {
        const entity = table.entities[row] as number;
        list[row] = values?.has(entity) ? values.get(entity) : fallback;
      }
    }
  }
}
