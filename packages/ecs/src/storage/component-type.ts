import type { EntityId } from '../entities/entity-id.js';
import type { Component, FieldSlot } from '../schema/component.js';
import { FieldKind } from '../schema/field.js';
import { makeColumnsClass, type ColumnsClass } from './columns.js';
import { makeColumn, writeElement } from './field-values.js';
import { Heap } from './heap.js';
import { firstPacker, type RowPacker } from './row-packer.js';
import { firstWriter, type RowWriter } from './row-writer.js';
import type { SparseSet } from './sparse-set.js';

/** Called with the entity that a component was added to, set on, or is about to be removed from. */
type ComponentObserver = (entity: EntityId) => void;

/** Who is told about one component. Replaced, not changed, so that a callback may subscribe. */
export interface ComponentHooks {
  add: readonly ComponentObserver[];
  set: readonly ComponentObserver[];
  remove: readonly ComponentObserver[];
}

/** What is kept in step with one component, whichever way it comes and goes. It is told before observers are. */
export interface ComponentIndex {
  /** Throws where a value can't be given to an entity; before anything is changed. */
  check(entity: EntityId, value: object | undefined): void;
  added(entity: EntityId): void;
  set(entity: EntityId): void;
  removed(entity: EntityId): void;
}

/** Stamps by entity slot, and the latest of them, of one kind of event. */
export class Stamps {
  readonly at: Float64Array;
  latest = 0;

  constructor(at: Float64Array) {
    this.at = at;
  }

  mark(slot: number, version: number): void {
    this.at[slot] = version;
    this.latest = version;
  }
}

/** A component as registered in one scene. */
export class ComponentType {
  readonly id: number;
  readonly component: Component;
  readonly fields: readonly FieldSlot[];
  readonly hasObjects: boolean;
  readonly ColumnsOf: ColumnsClass;
  /** Columns without rows, by field index: they tell the engine what a view will show. */
  readonly emptyColumns: readonly unknown[];
  /** A packed row of default values. */
  readonly defaults: Heap;
  /** Fields that start as copies of another. */
  readonly mirrors: readonly FieldSlot[];
  /** Writes a new row. */
  write: RowWriter;
  /** Packs a value, as commands carry it. */
  pack: RowPacker;
  /** Fields that refer to entities. */
  readonly references: readonly FieldSlot[];
  /** Its sparse set, where it is not in tables. */
  sparse: SparseSet | undefined = undefined;
  /** Whether any of the following three is in use: one test in hot paths. */
  tracked = false;
  added: Stamps | undefined = undefined;
  removed: Stamps | undefined = undefined;
  /** Exact changes, for components that track rows. */
  changed: Stamps | undefined = undefined;
  /** Whether tables keep versions of chunks. */
  chunked = false;
  hooks: ComponentHooks | undefined = undefined;
  index: ComponentIndex | undefined = undefined;

  constructor(id: number, component: Component) {
    this.id = id;
    this.component = component;
    this.fields = component.fields;
    this.hasObjects = component.hasObjects;
    this.ColumnsOf = makeColumnsClass(component);
    this.emptyColumns = component.fields.map(({ field }) =>
      field.kind === FieldKind.object ? [] : makeColumn(new ArrayBuffer(0), field, 0, 0),
    );
    this.defaults = new Heap(new ArrayBuffer(component.rowBytes));
    this.mirrors = component.fields.filter((slot) => slot.mirrors >= 0);
    this.write = firstWriter(this);
    this.pack = firstPacker(this);
    this.references = component.fields.filter(({ field }) => field.kind === FieldKind.entity);
    for (const { field, offset, mirrors } of component.fields) {
      if (field.kind === FieldKind.object) continue;
      const size = field.bytes / field.stride;
      const { defaults } = component.fields[mirrors]?.field ?? field;
      for (const [i, value] of defaults.entries()) {
        writeElement(this.defaults, field.element, offset + i * size, value);
      }
    }
  }
}
