import type { ComponentValue } from '../schema/component-types.js';
import type { Component } from '../schema/component.js';
import { migrateComponent, type Migrations } from '../migrations/migrations.js';
import { healField } from './heal-field.js';
import type { RepairKind } from './repair-kind.js';

/** One thing that {@link healComponent} changed. */
export interface Repair {
  readonly kind: RepairKind;
  /** Name of the field; empty where the whole value was unusable. */
  readonly field: string;
  /** What was there; `undefined` where nothing was. */
  readonly from: unknown;
  /** What is there now; `undefined` where a field was dropped. */
  readonly to: unknown;
}

/** What {@link healComponent} returns. */
export interface HealedComponent<C extends Component> {
  /** Every field, legal. */
  readonly value: ComponentValue<C>;
  /** What was changed, in order of fields; empty where the data was right. */
  readonly repairs: readonly Repair[];
}

/** Options of {@link healComponent}. */
export interface HealOptions {
  /** Schema version that the data was saved with; by default the component's own. */
  readonly version?: number;
  /** Steps to the component's version, run before healing. */
  readonly migrations?: Migrations;
}

/**
 * Makes a legal value of a component out of saved, edited or received data, and says what it changed: missing fields get their
 * default, NaN and infinities too, numbers are clamped and integers rounded, quaternions normalised, unknown choices
 * replaced by the default, lists padded or cut, texts cut at a code point, unknown fields dropped. Right data comes back
 * unchanged, and healing twice changes nothing more.
 *
 * For data from outside. In a frame, where a wrong value is a bug, use `setComponent`, which reports it.
 *
 * @param data - anything; a plain object with the component's fields is what it should be. It is not modified
 * @throws EclipticError `ecs/migration-newer`, `ecs/migration-missing`, `ecs/migration-failed`
 *
 * @example
 * ```ts
 * const Light = defineComponent('Light', { kind: oneOf('point', 'spot'), intensity: f32({ default: 1, min: 0 }) });
 * const { value, repairs } = healComponent(Light, { kind: 'laser', intensity: -3 });
 * value; // { kind: 'point', intensity: 0 }
 * repairs.map((repair) => repair.kind); // ['unknown-choice', 'clamped']
 * ```
 */
export function healComponent<C extends Component>(
  component: C,
  data: unknown,
  options: HealOptions = {},
): HealedComponent<C> {
  const repairs: Repair[] = [];
  let source = data;
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    repairs.push({ kind: 'type', field: '', from: data, to: {} });
    source = {};
  } else if (options.version !== undefined && options.version !== component.version) {
    source = migrateComponent(component, source, options.version, options.migrations ?? {});
  }
  const given = source as Record<string, unknown>;
  const value: Record<string, unknown> = {};
  // Fields that mirror another come last: their default is that field's healed value.
  for (const mirrored of [false, true]) {
    for (const { name, field, mirrors } of component.fields) {
      if (mirrors >= 0 !== mirrored) continue;
      const present = Object.hasOwn(given, name) && given[name] !== undefined;
      const fallback = mirrored ? value[component.fields[mirrors]?.name ?? ''] : undefined;
      const report = (kind: RepairKind, to: unknown): void => {
        repairs.push({ kind, field: name, from: present ? given[name] : undefined, to });
      };
      value[name] = healField(field, present ? given[name] : undefined, fallback, report);
    }
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(component.schema, name)) continue;
    repairs.push({ kind: 'unknown-field', field: name, from: given[name], to: undefined });
  }
  const ordered = Object.fromEntries(component.fields.map(({ name }) => [name, value[name]]));
  return { value: ordered as ComponentValue<C>, repairs };
}
