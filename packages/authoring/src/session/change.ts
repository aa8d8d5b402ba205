import type { Component } from '@ecliptic/ecs';
import type { Edit } from './edit.js';

/** An entity as it was: everything that bringing it back needs, addressed by UUID. */
export interface EntityImage {
  readonly uuid: string;
  /** UUID of the parent; `undefined` for a root. */
  readonly parent: string | undefined;
  /** UUID of the sibling that it comes before; `undefined` for the last place. */
  readonly before: string | undefined;
  /** Values as scene files hold them, but with `object()` fields as they are. */
  readonly components: readonly (readonly [Component, Readonly<Record<string, unknown>>])[];
}

/** A field of an entity that stays, which referred to one that went. */
export interface IncomingReference {
  /** UUID of the entity that has the field. */
  readonly from: string;
  readonly component: Component;
  readonly field: string;
  /** UUID of the entity that it refers to. */
  readonly to: string;
}

/** Brings deleted entities back. */
export interface RestoreChange {
  readonly kind: 'restore';
  /** Parents come before their children. */
  readonly images: readonly EntityImage[];
  readonly references: readonly IncomingReference[];
}

/** Puts a component back that was removed. */
interface PutBackChange {
  readonly kind: 'put-back';
  readonly entity: string;
  readonly component: Component;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What a step of the history applies: edits, and what takes them back. */
export type Change = Edit | RestoreChange | PutBackChange;
