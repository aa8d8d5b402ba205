import type { Component } from '../schema/component.js';
import type { ComponentColumns } from '../schema/component-types.js';
import type { Columns } from '../storage/columns.js';

/** A table as queries show it. */
export interface QueryTable {
  /** Rows in use; columns may be longer. */
  readonly count: number;
  /** Id of the entity of each row. */
  readonly entities: Int32Array;
  /** Position among the scene's archetypes, by first creation. */
  readonly id: number;
  /** Rises with every row that comes or goes, and when all are put elsewhere: as long as it stays, rows are of the same entities. */
  readonly moves: number;
  /**
   * Columns by field name, O(components).
   *
   * @throws EclipticError `ecs/no-column` when the table lacks the component
   */
  column<C extends Component>(component: C): ComponentColumns<C> & Columns;
}
