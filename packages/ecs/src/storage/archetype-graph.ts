import { EclipticError } from '@ecliptic/core';
import { CHUNK_SHIFT } from './columns.js';
import type { ComponentType } from './component-type.js';
import { copyRow, raise, Table, type StorageContext } from './table.js';

/** How the rows of one table go to another: found once, then cached. */
export class Move {
  readonly from: Table;
  readonly to: Table;
  /** Pairs of flat fields, from and to. */
  readonly #pairs: Int32Array;
  readonly #objects: readonly (readonly [readonly unknown[], unknown[]])[];
  readonly #sets: readonly (readonly [from: number, to: number])[];

  constructor(from: Table, to: Table) {
    this.from = from;
    this.to = to;
    const pairs: number[] = [];
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
        if (field.bytes > 0) pairs.push(f++, t++);
        else {
          objects.push([
            from.sets[i]?.list[index] as unknown[],
            to.sets[j]?.list[index] as unknown[],
          ]);
        }
      }
    }
    this.#pairs = Int32Array.from(pairs);
    this.#objects = objects;
    this.#sets = sets;
  }

  /** Copies what both tables have. */
  copy(context: StorageContext, fromRow: number, toRow: number): void {
    const { u32, u8 } = context.heap;
    const { flatBytes, flatBases: fromBases } = this.from;
    const toBases = this.to.flatBases;
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i += 2) {
      const field = pairs[i] as number;
      const bytes = flatBytes[field] as number;
      const base = fromBases[field] as number;
      const target = toBases[pairs[i + 1] as number] as number;
      copyRow(u32, u8, base + fromRow * bytes, target + toRow * bytes, bytes);
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

/** Limits of an {@link ArchetypeGraph}. */
export interface ArchetypeLimits {
  readonly maxArchetypes: number;
  readonly maxComponentsPerEntity: number;
}

/** Node of the tree by which sets of components given at once find their table, without making the sets between. */
interface SetNode {
  readonly next: (SetNode | undefined)[];
  table: Table | undefined;
}

/**
 * The tables of a scene by set of components, with the moves between them cached: repeated adds and removes look nothing
 * up. Tables are never destroyed.
 */
export class ArchetypeGraph {
  /** All tables by first creation; the first has no components. */
  readonly tables: Table[] = [];
  readonly root: Table;
  readonly #byKey = new Map<string, Table>();
  /** Moves by table, then by added or removed component. */
  readonly #adds: (Move | undefined)[][] = [];
  readonly #removes: (Move | undefined)[][] = [];
  readonly #sets: SetNode = { next: [], table: undefined };
  readonly #context: StorageContext;
  readonly #rows: Int32Array;
  readonly #ordered: boolean;
  readonly #limits: ArchetypeLimits;

  constructor(
    context: StorageContext,
    rows: Int32Array,
    ordered: boolean,
    limits: ArchetypeLimits,
  ) {
    this.#context = context;
    this.#rows = rows;
    this.#ordered = ordered;
    this.#limits = limits;
    this.root = this.#tableOf([]);
    this.#sets.table = this.root;
  }

  /**
   * The move of adding a component that the table lacks. O(1) once known.
   *
   * @throws EclipticError `ecs/archetype-budget`
   */
  add(from: Table, type: ComponentType): Move {
    const known = this.#adds[from.id]?.[type.id];
    if (known) return known;
    const move = new Move(from, this.#tableOf([...from.types, type]));
    (this.#adds[from.id] as (Move | undefined)[])[type.id] = move;
    return move;
  }

  /**
   * The move of removing a component that the table has. O(1) once known.
   *
   * @throws EclipticError `ecs/archetype-budget`
   */
  remove(from: Table, type: ComponentType): Move {
    const known = this.#removes[from.id]?.[type.id];
    if (known) return known;
    const move = new Move(from, this.#tableOf(from.types.filter((each) => each !== type)));
    (this.#removes[from.id] as (Move | undefined)[])[type.id] = move;
    return move;
  }

  /** First step of finding the table of several components: {@link ArchetypeGraph.step} for each, then {@link ArchetypeGraph.end}. */
  begin(): SetNode {
    return this.#sets;
  }

  step(node: SetNode, type: ComponentType): SetNode {
    return (node.next[type.id] ??= { next: [], table: undefined });
  }

  /** @throws EclipticError `ecs/archetype-budget` */
  end(node: SetNode, types: () => readonly ComponentType[]): Table {
    return (node.table ??= this.#tableOf(types()));
  }

  dispose(): void {
    for (const table of this.tables) table.dispose();
  }

  #tableOf(unsorted: readonly ComponentType[]): Table {
    const types = unsorted.toSorted((a, b) => a.id - b.id);
    const key = types.map((type) => type.id).join();
    const known = this.#byKey.get(key);
    if (known) return known;
    // The table without components is no archetype of the budget.
    const { maxArchetypes } = this.#limits;
    const names = types.map((type) => type.component.name);
    const { log, name } = this.#context;
    if (this.tables.length > maxArchetypes) {
      log.warnOnce('archetype_budget', name, { archetypes: maxArchetypes, components: names });
      throw new EclipticError(
        'ecs/archetype-budget',
        `Scene "${name}" has ${maxArchetypes} sets of components; ${names.join('+')} would be one more`,
        {
          subjects: { scene: name, components: names, maxArchetypes },
          fix: 'Use sparse storage for components that come and go, or raise maxArchetypes.',
        },
      );
    }
    const table = new Table(this.tables.length, types, this.#context, this.#rows, this.#ordered);
    this.tables.push(table);
    this.#context.tableMade();
    this.#byKey.set(key, table);
    this.#adds.push([]);
    this.#removes.push([]);
    log.info('archetype_created', { archetype: table.id, components: names });
    return table;
  }
}

export type { SetNode };
