import type { Component } from './component.js';
import type { Field } from './field.js';

type SchemaOf<C extends Component> = C['schema'];
type TypesOf<F> = F extends Field<infer Types> ? Types : never;
type Assignable<S> = {
  [K in keyof S]: TypesOf<S[K]>['assign'] extends true ? K : never;
}[keyof S];

/** The plain value of a component, with every field: what documents and snapshots of one entity hold. */
export type ComponentValue<C extends Component> = {
  [K in keyof SchemaOf<C>]: TypesOf<SchemaOf<C>[K]>['value'];
};

/** What may be given for a component; missing fields take their defaults, or stay when it is updated. */
export type ComponentInit<C extends Component> = {
  readonly [K in keyof SchemaOf<C>]?: TypesOf<SchemaOf<C>[K]>['input'];
};

/** A component of one entity, to read and write: scalars are assigned, vectors have `x`, `y`, `z` and `set`. */
export type ComponentView<C extends Component> = {
  [K in Assignable<SchemaOf<C>>]: TypesOf<SchemaOf<C>[K]>['view'];
} & {
  readonly [K in Exclude<keyof SchemaOf<C>, Assignable<SchemaOf<C>>>]: TypesOf<
    SchemaOf<C>[K]
  >['view'];
};

/** A component of one entity, to read. */
export type ReadonlyComponentView<C extends Component> = {
  readonly [K in keyof SchemaOf<C>]: TypesOf<SchemaOf<C>[K]>['readonlyView'];
};

/** The columns of a component in one table: typed arrays by field name; a vec3 has three elements a row. */
export type ComponentColumns<C extends Component> = {
  readonly [K in keyof SchemaOf<C>]: TypesOf<SchemaOf<C>[K]>['column'];
};

/** The columns of a component that may only be read. */
export type ReadonlyComponentColumns<C extends Component> = {
  readonly [K in keyof SchemaOf<C>]: TypesOf<SchemaOf<C>[K]>['readonlyColumn'];
};
