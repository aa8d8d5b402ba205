import { ElementKind, FieldKind, type Component, type Field } from '@ecliptic/ecs';

/** What a field holds, as in `FieldKind`. */
export type FieldKindName = keyof typeof FieldKind;

/** A field of a component, for whoever shows or edits it. */
export interface FieldDescription {
  readonly name: string;
  readonly kind: FieldKindName;
  /** Numbers, or bytes, of one value: 3 for a vec3, the capacity of a text. */
  readonly size: number;
  /** Whether numbers must be whole. */
  readonly whole: boolean;
  /** Least legal number; `null` where there is none. */
  readonly min: number | null;
  readonly max: number | null;
  /** Names of a `oneOf` field. */
  readonly choices: readonly string[];
  readonly description: string;
  /** Derived by systems: shown, not edited. */
  readonly runtime: boolean;
}

/** A type of component, for whoever shows or edits it. */
export interface ComponentDescription {
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly storage: 'table' | 'sparse';
  readonly fields: readonly FieldDescription[];
}

const KIND_NAMES = new Map(
  Object.entries(FieldKind).map(([name, kind]) => [kind, name as FieldKindName]),
);

/** Describes a type of component by its schema. */
export function describeComponent(component: Component): ComponentDescription {
  const { name, description, version, storage, fields } = component;
  return {
    name,
    description,
    version,
    storage,
    fields: fields.map((slot) => describeField(slot.name, slot.field)),
  };
}

function describeField(name: string, field: Field): FieldDescription {
  const { kind, stride, element, min, max, choices, description, runtime } = field;
  return {
    name,
    kind: KIND_NAMES.get(kind) ?? 'object',
    size: stride,
    whole: element >= ElementKind.i8 && element <= ElementKind.u32,
    min: Number.isFinite(min) ? min : null,
    max: Number.isFinite(max) ? max : null,
    choices,
    description,
    runtime,
  };
}
