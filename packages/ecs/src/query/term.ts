import type { Component } from '../schema/component.js';
import type {
  ComponentColumns,
  ComponentView,
  ReadonlyComponentColumns,
  ReadonlyComponentView,
} from '../schema/component-types.js';
import type { Columns } from '../storage/columns.js';

/** What a term asks. */
export const TermKind = {
  read: 0,
  write: 1,
  having: 2,
  without: 3,
  anyOf: 4,
  added: 5,
  removed: 6,
  changed: 7,
} as const;
export type TermKind = (typeof TermKind)[keyof typeof TermKind];

/** One condition of a query, and what it gives of a component. Made by `read`, `write`, `without`, …. */
export class Term<
  out Kind extends TermKind = TermKind,
  out C extends Component = Component,
  out Optional extends boolean = boolean,
> {
  readonly kind: Kind;
  readonly components: readonly C[];
  /** Whether entities without the component match too. */
  readonly isOptional: Optional;

  constructor(kind: Kind, components: readonly C[], isOptional: Optional) {
    this.kind = kind;
    this.components = components;
    this.isOptional = isOptional;
  }
}

/** What a query is made of: a term, or a component alone, which means `write`. */
export type QueryTerm = Term | Component;

/** A term that gives columns to read. */
export type ReadTerm<C extends Component> = Term<typeof TermKind.read, C, false>;
/** A term that gives columns to write. */
export type WriteTerm<C extends Component> = Term<typeof TermKind.write, C, false>;
/** A term that only filters. */
export type FilterTerm = Term<2 | 3 | 4 | 5 | 6 | 7, Component, false>;

type Columned<C extends Component> = ComponentColumns<C> & Columns;

type ColumnOf<T> = T extends Component
  ? [Columned<T>]
  : T extends Term<infer Kind, infer C, infer Optional>
    ? Kind extends typeof TermKind.write
      ? [Optional extends true ? Columned<C> | undefined : Columned<C>]
      : Kind extends typeof TermKind.read
        ? [
            Optional extends true
              ? ReadonlyComponentColumns<C> | undefined
              : ReadonlyComponentColumns<C>,
          ]
        : []
    : [];

/** The columns that a query's callbacks get: of its read and write terms, in order. */
export type ColumnsOf<T extends readonly unknown[]> = T extends readonly [infer Head, ...infer Rest]
  ? [...ColumnOf<Head>, ...ColumnsOf<Rest>]
  : [];

type ViewOf<T> = T extends Component
  ? [ComponentView<T>]
  : T extends Term<infer Kind, infer C, infer Optional>
    ? Kind extends typeof TermKind.write
      ? [Optional extends true ? ComponentView<C> | undefined : ComponentView<C>]
      : Kind extends typeof TermKind.read
        ? [Optional extends true ? ReadonlyComponentView<C> | undefined : ReadonlyComponentView<C>]
        : []
    : [];

/** The views that a query's callbacks get: of its read and write terms, in order. */
export type ViewsOf<T extends readonly unknown[]> = T extends readonly [infer Head, ...infer Rest]
  ? [...ViewOf<Head>, ...ViewsOf<Rest>]
  : [];

/** Entities that have the component; gives its columns to read. */
export function read<C extends Component>(component: C): ReadTerm<C> {
  return new Term(TermKind.read, [component], false);
}

/** Entities that have the component; gives its columns to write, and counts as a change of all rows visited. */
export function write<C extends Component>(component: C): WriteTerm<C> {
  return new Term(TermKind.write, [component], false);
}

/** Entities that have all these components; gives nothing of them. */
export function having(...components: readonly Component[]): FilterTerm {
  return new Term(TermKind.having, components, false);
}

/** Entities that have none of these components. */
export function without(...components: readonly Component[]): FilterTerm {
  return new Term(TermKind.without, components, false);
}

/** Entities that have at least one of these components; gives nothing of them. */
export function anyOf(...components: readonly Component[]): FilterTerm {
  return new Term(TermKind.anyOf, components, false);
}

/**
 * Gives the columns or view of a component where it is, `undefined` where it is not; filters nothing.
 *
 * @param term - `read(C)` or `write(C)`; a component alone means `write`
 */
export function optional<C extends Component>(
  term: WriteTerm<C> | C,
): Term<typeof TermKind.write, C, true>;
export function optional<C extends Component>(
  term: ReadTerm<C>,
): Term<typeof TermKind.read, C, true>;
export function optional(
  term: ReadTerm<Component> | WriteTerm<Component> | Component,
): Term<TermKind, Component, true> {
  return term instanceof Term
    ? new Term(term.kind, term.components, true)
    : new Term(TermKind.write, [term], true);
}

/**
 * Entities that have the component, and got it since this query last ran; the first run sees all that have it.
 */
export function added(component: Component): FilterTerm {
  return new Term(TermKind.added, [component], false);
}

/**
 * Living entities that lost the component since this query last ran, and have not got it back. For destroyed entities use
 * `observeDestroy`.
 */
export function removed(component: Component): FilterTerm {
  return new Term(TermKind.removed, [component], false);
}

/**
 * Entities that have the component, where it was added or written since this query last ran. Unless the component has
 * `trackChanges: 'rows'`, a change reports its whole chunk of 256 rows.
 */
export function changed(component: Component): FilterTerm {
  return new Term(TermKind.changed, [component], false);
}
