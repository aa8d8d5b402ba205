import type { ComponentInit } from '../schema/component-types.js';
import type { Component } from '../schema/component.js';

/** A component to have: alone for its defaults, or with a value. */
export type ComponentEntry = Component | readonly [Component, object?];

type Checked<E> = E extends Component
  ? E
  : E extends readonly [infer C extends Component, ...unknown[]]
    ? readonly [C, ComponentInit<C>]
    : never;

type AllChecked<Entries> = { readonly [I in keyof Entries]: Checked<Entries[I]> };

/**
 * A list of components, each value typed by its component. (Written so that the list is inferred as it stands, and only a wrong one
 * is compared with what it should be: a mapped type alone would give up on the first value.)
 */
export type CheckedEntries<Entries> =
  Entries extends AllChecked<Entries> ? Entries : AllChecked<Entries>;
