/** Counters of a scene's storages, from its start. */
export class StorageCounters {
  /** Components added to an entity. */
  adds = 0;
  /** Components removed from a living entity, or with it. */
  removes = 0;
  /** Blocks taken from the arena for rows. */
  reservations = 0;
  /** Times that a table doubled. */
  growths = 0;
  /** Rows moved inside a table to keep it dense: one for a swap, the tail in ordered tables. */
  rowShifts = 0;
}
