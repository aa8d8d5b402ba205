/**
 * Values of a component's fields by name, as scene files hold them: numbers, texts, lists; a reference to an entity is its UUID, or
 * `null`. Never a runtime id.
 */
export type FieldValues = Readonly<Record<string, unknown>>;

/** Where an entity goes in the hierarchy. */
export interface Placement {
  /** UUID of the parent; `null` or absent for a root. */
  readonly parent?: string | null;
  /** UUID of the child of that parent to come before; absent for the end. */
  readonly before?: string;
}

/** Makes an entity. */
export interface CreateEdit extends Placement {
  readonly kind: 'create';
  /** UUID of the new entity. */
  readonly entity: string;
  /** Components by name; missing fields take their defaults. */
  readonly components?: Readonly<Record<string, FieldValues>>;
}

/** Deletes an entity and everything below it. */
export interface DeleteEdit {
  readonly kind: 'delete';
  readonly entity: string;
}

/** Adds a component that the entity lacks. */
export interface AddComponentEdit {
  readonly kind: 'add';
  readonly entity: string;
  readonly component: string;
  /** Missing fields take their defaults. */
  readonly value?: FieldValues;
}

/** Removes a component that the entity has. */
export interface RemoveComponentEdit {
  readonly kind: 'remove';
  readonly entity: string;
  readonly component: string;
}

/** Sets fields of a component that the entity has. */
export interface SetFieldsEdit {
  readonly kind: 'set';
  readonly entity: string;
  readonly component: string;
  readonly value: FieldValues;
  /** What these fields should be now: where they are not, someone else was faster, and the edit is `authoring/edit-conflict`. */
  readonly expected?: FieldValues;
}

/** Moves an entity, with everything below it, to another place in the hierarchy. */
export interface ReparentEdit extends Placement {
  readonly kind: 'reparent';
  readonly entity: string;
}

/** One change of a scene, in terms of the scene: plain data, addressed by UUID, so that it can be sent, logged and undone. */
export type Edit =
  | CreateEdit
  | DeleteEdit
  | AddComponentEdit
  | RemoveComponentEdit
  | SetFieldsEdit
  | ReparentEdit;

/** Edits that are one step for the user: applied all or none, undone together. */
export interface Transaction {
  /** For people, as `Move 3 entities`. */
  readonly label: string;
  readonly edits: readonly Edit[];
}
