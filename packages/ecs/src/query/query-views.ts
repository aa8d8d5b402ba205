import { EclipticError } from '@ecliptic/core';
import type { SceneCore } from '../scene/scene-core.js';
import type { ComponentType } from '../storage/component-type.js';
import { INDEX_MASK } from '../entities/entity-id.js';
import { ownedComponent } from '../views/bound-view.js';
import { Cursor, type View, type ViewGuard } from '../views/view.js';
import type { QueryMatch } from './query-plan.js';
import { TermKind, type Term } from './term.js';

/** The view of one data term, moved from table to table. */
export class TermView {
  readonly view: View;
  readonly cursor: Cursor;
  readonly type: ComponentType;

  constructor(type: ComponentType, cursor: Cursor, guard: ViewGuard | undefined) {
    this.type = type;
    // Rows of a sparse set are its own.
    this.cursor = type.sparse ? new Cursor() : cursor;
    const { plain, checked } = type.component.views;
    this.view = new (guard ? checked : plain)(this.cursor, guard);
    if (type.sparse) this.view.$bind(type.sparse.columns.list);
  }
}

/** Views that a query's `forEach` hands out, made once. */
export class QueryViews {
  readonly cursor: Cursor = new Cursor();
  readonly terms: readonly (TermView | undefined)[];
  readonly hasSparse: boolean;
  /** Entity ids of the table that is shown. */
  entities: Int32Array = new Int32Array(0);

  constructor(core: SceneCore, name: string, data: readonly Term[]) {
    this.terms = data.map(({ kind, components: [component] }) => {
      const type = component && core.components.find(component);
      if (!type) return undefined;
      const guard =
        kind === TermKind.read ? this.#readGuard(core, name, type) : this.#writeGuard(core, type);
      return new TermView(type, this.cursor, guard);
    });
    this.hasSparse = this.terms.some((term) => term?.type.sparse !== undefined);
  }

  /** Shows a table. */
  bind({ table, sets }: QueryMatch): void {
    this.entities = table.entities;
    for (const [i, term] of this.terms.entries()) {
      const set = sets[i];
      if (term && set) term.view.$bind(set.list);
    }
  }

  #readGuard(core: SceneCore, name: string, type: ComponentType): ViewGuard | undefined {
    if (!core.development) return undefined;
    const component = type.component.name;
    return {
      read: () => undefined,
      write: () => {
        throw new EclipticError('ecs/read-only', `${name} only reads "${component}"`, {
          subjects: { query: name, component },
          fix: `Ask for write(${component}).`,
        });
      },
    };
  }

  #writeGuard(core: SceneCore, type: ComponentType): ViewGuard | undefined {
    if (type.precheck) {
      return {
        read: () => undefined,
        write: () => {
          throw ownedComponent(type);
        },
      };
    }
    if (type.component.trackChanges !== 'rows') return undefined;
    return {
      read: () => undefined,
      write: () => {
        const entity = this.entities[this.cursor.row] as number;
        type.changed?.mark(entity & INDEX_MASK, core.version);
      },
    };
  }
}
