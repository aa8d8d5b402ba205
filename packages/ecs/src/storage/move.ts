import { CHUNK_SHIFT, raise } from './chunk-versions.js';
import { copyRow } from './copy-row.js';
import type { StorageContext } from './storage-context.js';
import type { Table } from './table.js';

/** How the rows of one table go to another: found once, then cached. */
export class Move {
  readonly from: Table;
  readonly to: Table;
  /** Three numbers for each flat field: its index there, its index here, its bytes. */
  readonly #fields: Int32Array;
  readonly #objects: readonly (readonly [readonly unknown[], unknown[]])[];
  readonly #sets: readonly (readonly [from: number, to: number])[];

  constructor(from: Table, to: Table) {
    this.from = from;
    this.to = to;
    const flat: number[] = [];
    const objects: (readonly [readonly unknown[], unknown[]])[] = [];
    const sets: (readonly [number, number])[] = [];
    const target = flatStarts(to);
    const source = flatStarts(from);
    for (const [i, type] of from.types.entries()) {
      const j = to.types.indexOf(type);
      if (j < 0) continue;
      sets.push([i, j]);
      let f = source[i] ?? 0;
      let t = target[j] ?? 0;
      for (const { field, index } of type.fields) {
        if (field.bytes > 0) flat.push(f++, t++, field.bytes);
        else {
          objects.push([
            from.sets[i]?.list[index] as unknown[],
            to.sets[j]?.list[index] as unknown[],
          ]);
        }
      }
    }
    this.#fields = Int32Array.from(flat);
    this.#objects = objects;
    this.#sets = sets;
  }

  /** Copies what both tables have. */
  copy(context: StorageContext, fromRow: number, toRow: number): void {
    const { u32, u8 } = context.heap;
    const fromBases = this.from.flatBases;
    const toBases = this.to.flatBases;
    const fields = this.#fields;
    for (let i = 0; i < fields.length; i += 3) {
      const source = fromBases[fields[i] as number] as number;
      const target = toBases[fields[i + 1] as number] as number;
      const bytes = fields[i + 2] as number;
      copyRow(u32, u8, source + fromRow * bytes, target + toRow * bytes, bytes);
    }
    if (this.#objects.length > 0) this.#copyObjects(fromRow, toRow);
    if (context.watchesChunks) this.#copyVersions(fromRow, toRow);
  }

  #copyObjects(fromRow: number, toRow: number): void {
    for (const [source, target] of this.#objects) target[toRow] = source[fromRow];
  }

  #copyVersions(fromRow: number, toRow: number): void {
    for (const [i, j] of this.#sets) {
      const source = this.from.sets[i]?.chunks;
      const target = this.to.sets[j]?.chunks;
      if (source && target) raise(target, toRow, source[fromRow >> CHUNK_SHIFT] as number);
    }
  }
}

function flatStarts(table: Table): number[] {
  let next = 0;
  return table.types.map((type) => {
    const start = next;
    next += type.fields.filter(({ field }) => field.bytes > 0).length;
    return start;
  });
}
