import type { RowCursor } from './row-cursor.js';

/** Stands between a checked view and its columns. */
export interface ViewGuard {
  /** Before a read; may move the view, or throw. */
  read(view: View): void;
  /** Before a write; may move the view, record the change, or throw. */
  write(view: View): void;
}

/** A column as accessors see it. */
export interface NumberList {
  [index: number]: number;
}

/** How many scalar and how many composite fields of a component have the fastest accessors. */
export const FAST_FIELDS = 8;

/**
 * Base of the views of components: properties named as the fields, on a prototype made for each component
 * ({@link makeViewClasses}). Instances never gain a property.
 *
 * The columns of the first scalar fields are properties of their own: through a list they would be four times slower. They are set to
 * columns of their kind from the start, so that the engine knows what they hold.
 */
export class View {
  // Declared, not defined: a field that begins as undefined is one whose contents the engine never trusts.
  /** Where the row that is shown stands. */
  declare $cursor: RowCursor;
  /** Columns by field index; the list of the table that is shown. */
  declare $columns: readonly unknown[];
  /** Views of the composite fields, by field index, made when first asked for. */
  declare readonly $parts: (CompositeView | undefined)[];
  declare readonly $guard: ViewGuard | undefined;
  /** Field indices of the first scalar fields. */
  declare readonly $scalars: readonly number[];
  declare $s0: NumberList | undefined;
  declare $s1: NumberList | undefined;
  declare $s2: NumberList | undefined;
  declare $s3: NumberList | undefined;
  declare $s4: NumberList | undefined;
  declare $s5: NumberList | undefined;
  declare $s6: NumberList | undefined;
  declare $s7: NumberList | undefined;
  declare $p0: CompositeView | undefined;
  declare $p1: CompositeView | undefined;
  declare $p2: CompositeView | undefined;
  declare $p3: CompositeView | undefined;
  declare $p4: CompositeView | undefined;
  declare $p5: CompositeView | undefined;
  declare $p6: CompositeView | undefined;
  declare $p7: CompositeView | undefined;

  constructor(
    guard: ViewGuard | undefined,
    columns: readonly unknown[],
    scalars: readonly number[],
    cursor: RowCursor,
  ) {
    // First, as loops don't use it: storing a row makes the engine doubt what it knows of the cursor's place in other objects.
    this.$guard = guard;
    this.$cursor = cursor;
    this.$columns = columns;
    this.$parts = Array.from({ length: columns.length });
    this.$scalars = scalars;
    this.$s0 = columns[scalars[0] ?? -1] as NumberList | undefined;
    this.$s1 = columns[scalars[1] ?? -1] as NumberList | undefined;
    this.$s2 = columns[scalars[2] ?? -1] as NumberList | undefined;
    this.$s3 = columns[scalars[3] ?? -1] as NumberList | undefined;
    this.$s4 = columns[scalars[4] ?? -1] as NumberList | undefined;
    this.$s5 = columns[scalars[5] ?? -1] as NumberList | undefined;
    this.$s6 = columns[scalars[6] ?? -1] as NumberList | undefined;
    this.$s7 = columns[scalars[7] ?? -1] as NumberList | undefined;
  }

  /** Shows other columns. */
  $bind(columns: readonly unknown[]): void {
    this.$columns = columns;
    const scalars = this.$scalars;
    const count = scalars.length;
    if (count > 0) this.$s0 = columns[scalars[0] as number] as NumberList;
    if (count > 1) this.$s1 = columns[scalars[1] as number] as NumberList;
    if (count > 2) this.$s2 = columns[scalars[2] as number] as NumberList;
    if (count > 3) this.$s3 = columns[scalars[3] as number] as NumberList;
    if (count > 4) this.$s4 = columns[scalars[4] as number] as NumberList;
    if (count > 5) this.$s5 = columns[scalars[5] as number] as NumberList;
    if (count > 6) this.$s6 = columns[scalars[6] as number] as NumberList;
    if (count > 7) this.$s7 = columns[scalars[7] as number] as NumberList;
    const parts = this.$parts;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (part !== undefined) part.$array = columns[i];
    }
  }
}

/** Base of the views of composite fields. */
export abstract class CompositeView {
  declare readonly $view: View;
  declare readonly $slot: number;
  declare $cursor: RowCursor;
  declare $array: unknown;

  constructor(view: View, slot: number) {
    // First, as in View.
    this.$slot = slot;
    this.$view = view;
    this.$cursor = view.$cursor;
    this.$array = view.$columns[slot];
  }
}

/** A class of composite views. `stride` is passed to those of variable length. */
export type CompositeViewClass = new (view: View, slot: number, stride: number) => CompositeView;

interface Guarded {
  $before(write: boolean): void;
}

/**
 * A subclass whose every property and method asks `$before` first: for views that outlive a loop, are read-only, or record changes.
 * Slower, so the views of a warm loop don't use it.
 */
export function addChecks(
  prototype: object,
  base: object,
  writers: ReadonlySet<string> = new Set(['set']),
): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(base))) {
    if (name === 'constructor' || name.startsWith('$') || Object.hasOwn(prototype, name)) continue;
    const value: unknown = property.value;
    if (property.get) {
      Object.defineProperty(prototype, name, {
        enumerable: property.enumerable ?? false,
        configurable: true,
        get(this: Guarded): unknown {
          this.$before(false);
          return property.get?.call(this);
        },
        set(this: Guarded, next: unknown) {
          this.$before(true);
          property.set?.call(this, next);
        },
      });
    } else if (typeof value === 'function') {
      const method = value as (...args: unknown[]) => unknown;
      Object.defineProperty(prototype, name, {
        configurable: true,
        writable: true,
        value(this: Guarded, ...args: unknown[]): unknown {
          this.$before(writers.has(name));
          return method.apply(this, args);
        },
      });
    }
  }
}
