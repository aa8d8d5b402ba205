/** The row that views show. One a query or a bound view; several views share it. */
export class Cursor {
  row = 0;
}

/** Stands between a checked view and its columns. */
export interface ViewGuard {
  /** Before a read; may move the cursor, or throw. */
  read(view: View): void;
  /** Before a write; may move the cursor, record the change, or throw. */
  write(view: View): void;
}

/**
 * Base of the views of components: properties named as the fields, on a prototype made for each component
 * ({@link makeViewClass}). Instances never gain a property.
 */
export class View {
  readonly $cursor: Cursor;
  /** Columns by field index; the list of the table that is shown. */
  $columns: readonly unknown[] = [];
  /** Views of the composite fields, by field index, made when first asked for. */
  readonly $parts: (CompositeView | undefined)[];
  readonly $guard: ViewGuard | undefined;

  constructor(cursor: Cursor, fields: number, guard: ViewGuard | undefined) {
    this.$cursor = cursor;
    this.$parts = Array.from({ length: fields });
    this.$guard = guard;
  }

  /** Shows other columns. */
  $bind(columns: readonly unknown[]): void {
    this.$columns = columns;
    for (const part of this.$parts) if (part !== undefined) part.$array = columns[part.$slot];
  }
}

/** Base of the views of composite fields. */
export abstract class CompositeView {
  readonly $view: View;
  readonly $cursor: Cursor;
  readonly $slot: number;
  $array: unknown;

  constructor(view: View, slot: number) {
    this.$view = view;
    this.$cursor = view.$cursor;
    this.$slot = slot;
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
