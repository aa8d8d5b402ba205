import { EclipticError } from '@ecliptic/core';
import type { ComponentType } from './component-type.js';
import { Move } from './move.js';
import { Placement } from './placement.js';
import type { StorageContext } from './storage-context.js';
import { Table } from './table.js';

/** Limits of an {@link ArchetypeGraph}. */
export interface ArchetypeLimits {
  readonly maxArchetypes: number;
  readonly maxComponentsPerEntity: number;
}

/**
 * The tables of a scene by set of components, with the moves between them cached: repeated adds and removes look nothing
 * up. Tables are never destroyed.
 */
export class ArchetypeGraph {
  /** All tables by first creation; the first has no components. */
  readonly tables: Table[] = [];
  /** Where an entity without components is, and the way to all others. */
  readonly root: Placement = new Placement([]);
  readonly #byKey = new Map<string, Table>();
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
    this.settle(this.root);
  }

  /**
   * The move of adding a component that the table lacks. O(1) once known.
   *
   * @throws EclipticError `ecs/archetype-budget`
   */
  add(from: Table, type: ComponentType): Move {
    return (from.adds[type.id] ??= new Move(from, this.#tableOf([...from.types, type])));
  }

  /**
   * The move of removing a component that the table has. O(1) once known.
   *
   * @throws EclipticError `ecs/archetype-budget`
   */
  remove(from: Table, type: ComponentType): Move {
    return (from.removes[type.id] ??= new Move(
      from,
      this.#tableOf(from.types.filter((each) => each !== type)),
    ));
  }

  /**
   * The table of components given at once; made now if there was none. O(1) once known.
   *
   * @throws EclipticError `ecs/archetype-budget`
   */
  settle(placement: Placement): Table {
    if (placement.table) return placement.table;
    const table = this.#tableOf(placement.types.filter((type) => !type.sparse));
    placement.settle(table);
    return table;
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
    log.info('archetype_created', { archetype: table.id, components: names });
    return table;
  }
}
