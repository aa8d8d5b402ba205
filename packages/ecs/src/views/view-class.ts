import { FieldKind, type Field } from '../schema/field.js';
import { scalarAccessor } from './scalar-accessors.js';
import { ArrayView, ColorView, QuatView, Vec2View, Vec3View, Vec4View } from './vector-views.js';
import {
  addChecks,
  View,
  type CompositeView,
  type CompositeViewClass,
  type Cursor,
  type ViewGuard,
} from './view.js';

const COMPOSITE: Readonly<Record<number, CompositeViewClass>> = {
  [FieldKind.vec2]: Vec2View,
  [FieldKind.vec3]: Vec3View,
  [FieldKind.vec4]: Vec4View,
  [FieldKind.quat]: QuatView,
  [FieldKind.color]: ColorView,
  [FieldKind.mat3]: ArrayView,
  [FieldKind.mat4]: ArrayView,
  [FieldKind.array]: ArrayView,
};

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

/** Makes views of one component. */
export type ViewClass = new (cursor: Cursor, guard: ViewGuard | undefined) => View;

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
  class PlainView extends View {
    constructor(cursor: Cursor, guard: ViewGuard | undefined) {
      super(cursor, fields.length, guard);
    }
  }
  class CheckedView extends PlainView {
    $before(write: boolean): void {
      if (write) this.$guard?.write(this);
      else this.$guard?.read(this);
    }
  }
  const composites: [slot: number, name: string, field: Field, base: CompositeViewClass][] = [];
  for (const [slot, { name, field }] of fields.entries()) {
    const scalar = scalarAccessor(field, slot);
    const base = COMPOSITE[field.kind];
    if (scalar) {
      const property = { ...scalar, enumerable: true, configurable: true };
      Object.defineProperty(PlainView.prototype, name, property);
    } else if (base) {
      composites.push([slot, name, field, base]);
    }
  }
  addChecks(CheckedView.prototype, PlainView.prototype);
  for (const [slot, name, field, base] of composites) {
    Object.defineProperty(PlainView.prototype, name, part(slot, field, base));
    // These parts ask the guard themselves.
    Object.defineProperty(CheckedView.prototype, name, part(slot, field, checkedComposite(base)));
  }
  return { plain: PlainView, checked: CheckedView };
}

function part(slot: number, field: Field, Part: CompositeViewClass): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: View): CompositeView {
      return (this.$parts[slot] ??= new Part(this, slot, field.stride));
    },
  };
}
