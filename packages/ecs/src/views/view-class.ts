import type { Field } from '../schema/field.js';
import type { RowCursor } from './row-cursor.js';
import { PART_GETTERS, scalarAccessor } from './scalar-accessors.js';
import { addChecks, FAST_FIELDS, View, type CompositeViewClass, type ViewGuard } from './view.js';

function checkedComposite(base: CompositeViewClass): CompositeViewClass {
  class Checked extends base {
    $before(write: boolean): void {
      const view = this.$view;
      if (write) view.$guard?.write(view);
      else view.$guard?.read(view);
      this.$array = view.$columns[this.$slot];
    }
  }
  for (let proto = base.prototype as object; proto !== Object.prototype;) {
    addChecks(Checked.prototype, proto);
    proto = Object.getPrototypeOf(proto) as object;
  }
  return Checked;
}

/** Makes views of one component, which show `columns` at first. */
type ViewClass = new (
  guard: ViewGuard | undefined,
  columns: readonly unknown[],
  cursor: RowCursor,
) => View;

/** The two classes of views of a component. */
export interface ViewClasses {
  /** For warm loops: no check at all. */
  readonly plain: ViewClass;
  /** Asks its guard before each access. */
  readonly checked: ViewClass;
}

/**
 * Makes the view classes of a component: accessors on a prototype of its own. As own properties of the views they would be 10
 * times slower.
 */
export function makeViewClasses(fields: readonly { name: string; field: Field }[]): ViewClasses {
  const composites: [slot: number, name: string, field: Field, Part: CompositeViewClass][] = [];
  const scalars: number[] = [];
  class PlainView extends View {
    constructor(guard: ViewGuard | undefined, columns: readonly unknown[], cursor: RowCursor) {
      super(guard, columns, scalars, cursor);
      // Views without checks serve loops: all parts are made now, and their getters are short.
      if (guard !== undefined) return;
      for (const [ordinal, [slot, , field, Part]] of composites.entries()) {
        const part = new Part(this, slot, field.stride);
        this.$parts[slot] = part;
        if (ordinal < FAST_FIELDS) this[`$p${ordinal}` as '$p0'] = part;
      }
    }
  }
  class CheckedView extends PlainView {
    $before(write: boolean): void {
      if (write) this.$guard?.write(this);
      else this.$guard?.read(this);
    }
  }
  for (const [slot, { name, field }] of fields.entries()) {
    const scalar = scalarAccessor(field, slot, scalars.length);
    const { Part } = field;
    if (scalar) {
      if (scalars.length < FAST_FIELDS) scalars.push(slot);
      const property = { ...scalar, enumerable: true, configurable: true };
      Object.defineProperty(PlainView.prototype, name, property);
    } else if (Part) {
      composites.push([slot, name, field, Part]);
    }
  }
  addChecks(CheckedView.prototype, PlainView.prototype);
  for (const [ordinal, [slot, name, field, Part]] of composites.entries()) {
    const property = { enumerable: true, configurable: true };
    Object.defineProperty(PlainView.prototype, name, {
      ...property,
      get:
        PART_GETTERS[ordinal] ??
        function (this: View) {
          return this.$parts[slot];
        },
    });
    const Checked = checkedComposite(Part);
    Object.defineProperty(CheckedView.prototype, name, {
      ...property,
      // This part asks the guard itself.
      get(this: View) {
        return (this.$parts[slot] ??= new Checked(this, slot, field.stride));
      },
    });
  }
  return { plain: PlainView, checked: CheckedView };
}
