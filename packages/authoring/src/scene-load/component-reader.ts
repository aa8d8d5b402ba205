import { EclipticError } from '@ecliptic/core';
import {
  describeInvalid,
  FieldKind,
  healComponent,
  migrateComponent,
  type Component,
  type Field,
  type FieldSlot,
  type Migrations,
} from '@ecliptic/ecs';
import { savedFields } from '../values/saved-fields.js';
import { isRecord } from '../scene-file/is-record.js';
import type { ReadContext } from './read-context.js';

/** Values of fields by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Turns saved values of one component that are not as they should be into values that a scene takes: migrated, healed, references to
 * entities as their numbers.
 */
export class ComponentReader {
  readonly component: Component;
  /** The fields that files hold. */
  readonly saved: readonly FieldSlot[];
  readonly #version: number;
  readonly #migrations: Migrations;

  /** @param version - of the schema that the data was saved with */
  constructor(component: Component, version: number, migrations: Migrations) {
    this.component = component;
    this.saved = savedFields(component);
    this.#version = version;
    this.#migrations = migrations;
  }

  /** Whether the data was saved with the schema that the application has. */
  get isCurrent(): boolean {
    return this.#version === this.component.version;
  }

  /**
   * @param saved - what the file says
   * @param base - values of a prefab, for fields that the file leaves out
   * @returns all fields that files hold; only `object()` fields may be `undefined`
   * @throws EclipticError `authoring/asset-path`, `authoring/missing-asset`, `authoring/migration-failed`
   */
  repair(saved: unknown, base: Values | undefined, context: ReadContext): Values {
    const current = this.isCurrent ? saved : this.#migrate(saved);
    return this.#heal(current, base, context);
  }

  #migrate(saved: unknown): unknown {
    if (!isRecord(saved)) return saved;
    try {
      return migrateComponent(this.component, saved, this.#version, this.#migrations);
    } catch (cause) {
      const { name, version } = this.component;
      const newer = this.#version > version;
      throw new EclipticError(
        newer ? 'authoring/component-newer' : 'authoring/migration-failed',
        `The scene file has "${name}" in version ${this.#version}, the application in version ${version}`,
        {
          subjects: { component: name, saved: this.#version, known: version },
          fix: newer
            ? 'Open it with the application that wrote it, or a later one.'
            : 'Give the missing step in the option migrations, or correct it; see the cause.',
          cause,
        },
      );
    }
  }

  #heal(saved: unknown, base: Values | undefined, context: ReadContext): Values {
    const { component } = this;
    const given = isRecord(saved) ? saved : {};
    if (!isRecord(saved))
      context.repaired(component, { kind: 'type', field: '', from: saved, to: {} });
    const plain: Record<string, unknown> = {};
    const infinite: Record<string, unknown> = {};
    for (const { name, field } of this.saved) {
      const own = Object.hasOwn(given, name) ? given[name] : undefined;
      const value = own === undefined ? base?.[name] : own;
      if (value === undefined || field.kind === FieldKind.entity) continue;
      if (field.asset !== '' && typeof value === 'string')
        context.checkUuid(component, name, field, value);
      const number = numberOf(field, value);
      if (number === undefined) plain[name] = value;
      else infinite[name] = number;
    }
    this.#keepUnknown(given, context);
    const { value, repairs } = healComponent(component, plain);
    for (const repair of repairs) {
      const slot = this.saved.find(({ name }) => name === repair.field);
      const healed =
        slot && slot.field.kind !== FieldKind.entity && !Object.hasOwn(infinite, slot.name);
      if (healed && !(repair.kind === 'missing' && base !== undefined))
        context.repaired(component, repair);
    }
    return this.#refer(given, { ...(value as Values), ...infinite }, context);
  }

  #keepUnknown(given: Values, context: ReadContext): void {
    const { component } = this;
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(component.schema, name))
        context.unknownField(component, name, given[name]);
      else if (component.schema[name]?.runtime) context.warn('runtime-field', component.name, name);
    }
  }

  /** A copy with references to entities as numbers, and missing assets replaced. */
  #refer(given: Values, values: Values, context: ReadContext): Values {
    const result: Record<string, unknown> = { ...values };
    for (const { name, field } of this.saved) {
      if (field.kind === FieldKind.entity) {
        result[name] = context.refer(this.component, name, given[name]);
      } else if (field.asset !== '' && context.findsAssets) {
        const uuid = result[name] as string;
        context.checkUuid(this.component, name, field, uuid);
        result[name] = context.findAsset(this.component, name, field.asset, uuid);
      }
    }
    return result;
  }
}

/** What files say of infinities, in place of the numbers. */
const INFINITIES: Readonly<Record<string, number>> = { Infinity, '-Infinity': -Infinity };

/**
 * The numbers of a field of which one is infinite, which is legal in a scene and would be healed away; `undefined` where none is, or
 * where something else is wrong.
 */
function numberOf(field: Field, value: unknown): unknown {
  const numbers = (Array.isArray(value) ? value : [value]).map((each: unknown) =>
    typeof each === 'string' && Object.hasOwn(INFINITIES, each) ? INFINITIES[each] : each,
  );
  if (!numbers.some((each) => each === Infinity || each === -Infinity)) return undefined;
  const result = Array.isArray(value) ? numbers : numbers[0];
  return describeInvalid(field, result) === undefined ? result : undefined;
}
