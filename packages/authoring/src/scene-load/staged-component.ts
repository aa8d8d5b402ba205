import {
  ElementKind,
  FieldKind,
  writeHealthyField,
  type Component,
  type Field,
  type FieldSlot,
  type NumericColumn,
} from '@ecliptic/ecs';
import { isRecord } from '../scene-file/is-record.js';
import type { ComponentReader, Values } from './component-reader.js';
import type { ReadContext } from './read-context.js';

/** How the value of a field comes from a file. */
const Source = { plain: 0, object: 1, reference: 2, asset: 3 } as const;
type Source = (typeof Source)[keyof typeof Source];

/** One field of the entities of a set that are to be made. */
export interface StagedField {
  readonly name: string;
  readonly field: Field;
  readonly source: Source;
  /** Whether it refers to an entity. */
  readonly isReference: boolean;
  /** As scenes have it; of references the numbers of entities, from 1 on, and 0 for none. */
  readonly column: NumericColumn | unknown[];
}

/**
 * The values of one component, for all entities of a set that are to be made: columns as scenes have them, which are copied in one
 * go. What is as it should be, nearly everything, goes from the file to the column without anything between.
 */
export class StagedComponent {
  readonly component: Component;
  readonly fields: readonly StagedField[];
  readonly #reader: ComponentReader;
  readonly #context: ReadContext;
  readonly #byName = new Map<string, StagedField>();
  /** Fields that each value must have. */
  readonly #required: number;

  constructor(reader: ComponentReader, rows: number, context: ReadContext) {
    this.component = reader.component;
    this.#reader = reader;
    this.#context = context;
    this.fields = reader.saved.map((slot) => stage(slot, rows, context.findsAssets));
    for (const field of this.fields) this.#byName.set(field.name, field);
    this.#required = this.fields.filter(({ source }) => source !== Source.object).length;
  }

  /**
   * Reads the value of one row.
   *
   * @param saved - what the file says
   * @param base - values of a prefab, for fields that the file leaves out
   * @throws EclipticError `authoring/asset-path`, `authoring/missing-asset`, `authoring/migration-failed`
   */
  read(saved: unknown, base: Values | undefined, row: number): void {
    const reader = this.#reader;
    if (reader.isCurrent && base === undefined && isRecord(saved) && this.#take(saved, row)) return;
    this.#put(reader.repair(saved, base, this.#context), row);
  }

  /** Writes one field, of components that this package has itself. @param value - as files have it */
  write(index: number, value: unknown, row: number): void {
    this.#write(this.fields[index] as StagedField, row, value);
  }

  /** Takes a value that needs no repair. @returns false where it does; the row holds anything then */
  #take(saved: Values, row: number): boolean {
    const { fields } = this;
    let required = 0;
    let at = 0;
    for (const name in saved) {
      let field = fields[at++];
      if (field === undefined || field.name !== name) field = this.#byName.get(name);
      if (field === undefined || !this.#write(field, row, saved[name])) return false;
      if (field.source !== Source.object) required++;
    }
    return required === this.#required;
  }

  #write({ field, source, column }: StagedField, row: number, value: unknown): boolean {
    if (source === Source.reference) {
      const slot = value === null ? 0 : this.#context.numberOf(value);
      (column as Int32Array)[row] = slot;
      return value === null || slot > 0;
    }
    if (source === Source.asset && !this.#context.isThere(field, value)) return false;
    return writeHealthyField(field, column, row, value);
  }

  /** Writes values that are legal: healed ones, and infinities, which are not healthy. */
  #put(values: Values, row: number): void {
    for (const { name, field, column } of this.fields) {
      const value = values[name];
      // An object() field may be absent, and has its default then.
      if (value === undefined) continue;
      if (field.kind === FieldKind.entity) (column as Int32Array)[row] = value as number;
      else if (!writeHealthyField(field, column, row, value)) {
        if (Array.isArray(value)) (column as Float64Array).set(value, row * field.stride);
        else column[row] = value as number;
      }
    }
  }
}

function stage({ name, field }: FieldSlot, rows: number, findsAssets: boolean): StagedField {
  const source = sourceOf(field, findsAssets);
  const isReference = source === Source.reference;
  return { name, field, source, isReference, column: columnOf(field, rows) };
}

function sourceOf(field: Field, findsAssets: boolean): Source {
  if (field.kind === FieldKind.object) return Source.object;
  if (field.kind === FieldKind.entity) return Source.reference;
  return field.asset !== '' && findsAssets ? Source.asset : Source.plain;
}

function columnOf(field: Field, rows: number): NumericColumn | unknown[] {
  const length = rows * field.stride;
  switch (field.element) {
    case ElementKind.object:
      return Array.from({ length: rows }, () => field.fallback);
    case ElementKind.f32:
      return new Float32Array(length);
    case ElementKind.f64:
      return new Float64Array(length);
    case ElementKind.i8:
      return new Int8Array(length);
    case ElementKind.u8:
      return new Uint8Array(length);
    case ElementKind.i16:
      return new Int16Array(length);
    case ElementKind.u16:
      return new Uint16Array(length);
    case ElementKind.i32:
      return new Int32Array(length);
    default:
      return new Uint32Array(length);
  }
}
