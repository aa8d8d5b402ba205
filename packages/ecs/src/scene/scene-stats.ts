import type { SceneCore } from './scene-core.js';

/** One archetype in {@link ArchetypeStats}. */
export interface ArchetypeStat {
  readonly id: number;
  readonly components: readonly string[];
  readonly rows: number;
  readonly capacity: number;
  readonly bytes: number;
}

/** What the storages of a scene hold and did. */
export interface ArchetypeStats {
  /** Different sets of table components so far, the empty one not counted; archetypes are never destroyed. */
  readonly archetypeCount: number;
  /** Rows in use, in tables with components and sparse sets. */
  readonly rowsLive: number;
  readonly rowsReserved: number;
  /** Bytes of the arena reserved for rows. */
  readonly bytesReserved: number;
  /** Components added to entities since the start. */
  readonly totalAdds: number;
  readonly totalRemoves: number;
  /** Times that a table or sparse set grew. */
  readonly totalArchetypeGrowth: number;
  /** Blocks reserved for rows, the first of each included. */
  readonly totalReservations: number;
  /** Rows moved inside a table to keep it dense. */
  readonly totalRowShifts: number;
  readonly archetypes: readonly ArchetypeStat[];
}

/** Sums over all tables and sparse sets. */
export function archetypeStats(core: SceneCore): ArchetypeStats {
  const { counters, graph } = core;
  const tables = graph.tables.slice(1);
  const all = [...tables, ...core.sparse.flatMap((type) => type.sparse?.rows ?? [])];
  const sum = (of: (table: (typeof all)[number]) => number): number =>
    all.reduce((total, table) => total + of(table), 0);
  return {
    archetypeCount: tables.length,
    rowsLive: sum((table) => table.count),
    rowsReserved: sum((table) => table.capacity),
    bytesReserved: sum((table) => table.bytes),
    totalAdds: counters.adds,
    totalRemoves: counters.removes,
    totalArchetypeGrowth: counters.growths,
    totalReservations: counters.reservations,
    totalRowShifts: counters.rowShifts,
    archetypes: tables.map(({ id, types, count, capacity, bytes }) => ({
      id,
      components: types.map((type) => type.component.name),
      rows: count,
      capacity,
      bytes,
    })),
  };
}
