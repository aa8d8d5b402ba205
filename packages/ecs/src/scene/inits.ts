import type { Component, Schema } from '../schema/component.js';
import type { ComponentColumns, ComponentInit } from '../schema/component-types.js';

/** A component to create an entity with: alone for its defaults, or with a value. */
export type Init<C extends Component = Component> = C | readonly [C, ComponentInit<C>];

/** A component to create an entity with, of any type. */
export type AnyInit = Component | readonly [Component, object];

/** `T` where each value is one of its component, else what it should be. */
export type CheckedInits<T extends readonly AnyInit[]> = {
  readonly [I in keyof T]: T[I] extends readonly [infer C extends Component, unknown]
    ? readonly [C, ComponentInit<C>]
    : T[I];
};

/** The same for several entities that are created together: a value may be a function that gives each its own. */
export type AnyBatchInit =
  | Component
  | readonly [Component, object | ((index: number, ids: Int32Array) => object)];

/** Gives the value of one entity of several that are created together. @param index - which of them, from 0 on */
export type ValueOf<C extends Component = Component> = (
  index: number,
  ids: Int32Array,
) => ComponentInit<C>;

/**
 * Components to create entities with, by their schemas: alone for their defaults, with a value for all, or with a function that gives each
 * its own.
 */
export type BatchInits<S extends readonly Schema[]> = {
  readonly [I in keyof S]:
    | Component<S[I]>
    | readonly [
        Component<S[I]>,
        NoInfer<ComponentInit<Component<S[I]>> | ValueOf<Component<S[I]>>>,
      ];
};

/** The columns of components, by their schemas, in order. */
export type BatchColumns<S extends readonly Schema[]> = {
  [I in keyof S]: ComponentColumns<Component<S[I]>>;
};

export function componentOf(init: AnyBatchInit): Component {
  return Array.isArray(init) ? (init as readonly [Component, object])[0] : (init as Component);
}

export function valueOf(init: AnyInit): object | undefined;
export function valueOf(init: AnyBatchInit): object | ValueOf | undefined;
export function valueOf(init: AnyBatchInit): object | undefined {
  return Array.isArray(init) ? (init as readonly [Component, object])[1] : undefined;
}
