import type { RowPacker } from '../storage/row-packer.js';
import type { RowWriter } from '../storage/row-writer.js';
import { EclipticError } from '@ecliptic/core';
import { makeViewClasses, type ViewClasses } from '../views/view-class.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { ComponentType } from '../storage/component-type.js';
import { ELEMENT_BYTES, Field, FieldKind } from './field.js';

/** Fields of a component, by name, in order. */
export type Schema = Readonly<Record<string, Field>>;

/** Where the values of a component live. */
export type StorageKind = 'table' | 'sparse';

/** Options of {@link defineComponent} and {@link defineTag}. */
export interface ComponentOptions {
  /**
   * `table` (default): in archetype tables; fastest to iterate. `sparse`: in a sparse set; fastest to add and remove, for tags
   * and data that comes and goes every few frames.
   */
  readonly storage?: StorageKind;
  /**
   * How exactly `changed()` sees writes: `chunks` (default) marks some hundred rows at a time when a system writes columns, so a
   * row may be reported that did not change; `rows` is exact, and systems that write columns call `touch`.
   */
  readonly trackChanges?: 'chunks' | 'rows';
  /** Version of the schema, from 1 on, for migrations of saved data. */
  readonly version?: number;
  /** For people. */
  readonly description?: string;
  /** What a scene does with the component besides storing it: begins where it is registered. @internal */
  readonly attach?: Attach;
}

/** Begins what a scene does with one component besides storing it. So programs without the component don't carry that code. */
type Attach = (core: SceneCore, type: ComponentType) => void;

/** Most bytes of one component in a row. */
const MAX_ROW_BYTES = 256;
/** Most fields of one component. */
const MAX_FIELDS = 32;

/** A field with its place in its component. */
export class FieldSlot {
  readonly name: string;
  readonly field: Field;
  /** Position in the schema. */
  readonly index: number;
  /** Bytes from the start of a packed row, as in commands. */
  readonly offset: number;
  /** 32-bit words a row, or 0 where the bytes are no multiple of 4. */
  readonly words: number;
  /** One number a row, which any value that is given replaces. */
  readonly isScalar: boolean;
  /** Numbers of a vector, quaternion or color; else 0. */
  readonly floats: number;
  /** The field whose value is the default, or -1. */
  readonly mirrors: number;

  constructor(name: string, field: Field, index: number, offset: number, mirrors: number) {
    this.name = name;
    this.field = field;
    this.index = index;
    this.offset = offset;
    this.words = field.bytes % 4 === 0 ? field.bytes / 4 : 0;
    this.isScalar =
      field.kind === FieldKind.number ||
      field.kind === FieldKind.bool ||
      field.kind === FieldKind.entity;
    const isVector =
      (field.kind >= FieldKind.vec2 && field.kind <= FieldKind.quat) ||
      field.kind === FieldKind.color;
    this.floats = isVector ? field.stride : 0;
    this.mirrors = mirrors;
  }
}

/**
 * A type of component: name, fields, storage. A token that any number of scenes may use; it holds no data. Made by
 * {@link defineComponent} or {@link defineTag}.
 */
export class Component<out S extends Schema = Schema> {
  /** Unique in a scene; also the name in saved data. */
  readonly name: string;
  readonly schema: S;
  /** The schema's fields in order, with their layout. */
  readonly fields: readonly FieldSlot[];
  readonly storage: StorageKind;
  readonly trackChanges: 'chunks' | 'rows';
  readonly version: number;
  readonly description: string;
  /** See {@link ComponentOptions.attach}. @internal */
  readonly attach: Attach | undefined;
  /** Bytes of a packed row, a multiple of 8. */
  readonly rowBytes: number;
  /** Writes rows of it in any scene, once it is made; `null` where it can't be. @internal */
  writer: RowWriter | null | undefined = undefined;
  /** Packs values of it. @internal */
  packer: RowPacker | null | undefined = undefined;
  #views: ViewClasses | undefined;
  #cacheOwner: object | undefined;
  #cacheValue: object | undefined;

  /**
   * Use {@link defineComponent}.
   *
   * @throws EclipticError `ecs/invalid-component`
   */
  constructor(name: string, schema: S, options: ComponentOptions) {
    this.name = name;
    this.schema = schema;
    this.storage = options.storage ?? 'table';
    this.trackChanges = options.trackChanges ?? 'chunks';
    this.version = options.version ?? 1;
    this.description = options.description ?? '';
    this.attach = options.attach;
    const fields: FieldSlot[] = [];
    const names = Object.keys(schema);
    let offset = 0;
    for (const [index, field] of Object.values(schema).entries()) {
      if (!(field instanceof Field)) {
        const fix =
          typeof field === 'function'
            ? 'Call the function: f32(), vec3().'
            : 'Give each field a type, as f32({ default: 1 }).';
        throw invalid(String(name), `field "${names[index]}" has no type`, fix);
      }
      const align = ELEMENT_BYTES[field.element] || 1;
      // Words are copied as words, whatever the element.
      const boundary = field.bytes % 4 === 0 && field.bytes > 0 ? Math.max(align, 4) : align;
      offset = Math.ceil(offset / boundary) * boundary;
      const mirrors = field.defaultFrom === '' ? -1 : names.indexOf(field.defaultFrom);
      fields.push(new FieldSlot(names[index] ?? '', field, index, offset, mirrors));
      offset += field.bytes;
    }
    this.fields = fields;
    this.rowBytes = Math.ceil(offset / 8) * 8;
    check(this);
  }

  /** No fields: presence is all it says. */
  get isTag(): boolean {
    return this.fields.length === 0;
  }

  /** Has `object()` fields, which live outside shared memory. */
  get hasObjects(): boolean {
    return this.fields.some(({ field }) => field.kind === FieldKind.object);
  }

  /** What the registry that asked last remembered here: saves a hash in hot paths. @internal */
  cached(owner: object): object | undefined {
    return this.#cacheOwner === owner ? this.#cacheValue : undefined;
  }

  /** @internal */
  remember(owner: object | undefined, value: object | undefined): void {
    this.#cacheOwner = owner;
    this.#cacheValue = value;
  }

  /** Classes of its views, made when first needed. @internal */
  get views(): ViewClasses {
    return (this.#views ??= makeViewClasses(this.fields));
  }
}

/** A component without fields. */
export type Tag = Component<Readonly<Record<never, Field>>>;

function invalid(name: string, problem: string, fix: string): EclipticError {
  return new EclipticError('ecs/invalid-component', `Component "${name}": ${problem}`, {
    subjects: { component: name },
    fix,
  });
}

function check(component: Component): void {
  const { name, fields, rowBytes, version } = component;
  if (typeof name !== 'string' || name === '') {
    throw invalid(String(name), 'has no name', 'Give a name that is unique in the application.');
  }
  if (!Number.isInteger(version) || version < 1) {
    throw invalid(name, `version ${version}`, 'Count versions 1, 2, 3, ….');
  }
  if (fields.length > MAX_FIELDS || rowBytes > MAX_ROW_BYTES) {
    throw invalid(
      name,
      `${fields.length} fields of ${rowBytes} bytes a row`,
      `At most ${MAX_FIELDS} fields and ${MAX_ROW_BYTES} bytes: split it, or use an object() field.`,
    );
  }
  for (const { name: field, field: type, mirrors } of fields) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(field) || field in Object.prototype) {
      throw invalid(name, `field "${field}" is no usable name`, 'Use a plain identifier.');
    }
    if (type.defaultFrom === '') continue;
    const source = fields[mirrors]?.field;
    if (source?.kind !== type.kind || source.bytes !== type.bytes || source.defaultFrom !== '') {
      throw invalid(
        name,
        `field "${field}" takes its default from "${type.defaultFrom}"`,
        'That must be a field of the same type, with a default of its own.',
      );
    }
  }
}

/**
 * Defines a type of component: named, typed fields that become columns of shared memory. One schema drives types, defaults,
 * validation, healing, serialization and inspectors. Define it once, at module level, and use it in any number of scenes.
 *
 * Not for behaviour (that is a system's) and not for plain objects shared by many entities (a resource).
 *
 * @param name - unique in the application; saved data refers to it
 * @param schema - at most 32 fields and 256 bytes a row
 * @throws EclipticError `ecs/invalid-component` when name, fields or options are not usable
 *
 * @example
 * ```ts
 * const Velocity = defineComponent('Velocity', { linear: vec3(), angular: vec3() });
 * const Health = defineComponent('Health', { points: f32({ default: 100, min: 0 }) }, { trackChanges: 'rows' });
 * ```
 */
export function defineComponent<const S extends Schema>(
  name: string,
  schema: S,
  options: ComponentOptions = {},
): Component<S> {
  return new Component(name, schema, options);
}

/**
 * Defines a component without fields. Tags that come and go often belong in `storage: 'sparse'`.
 *
 * @throws EclipticError `ecs/invalid-component`
 *
 * @example
 * ```ts
 * const Selected = defineTag('Selected', { storage: 'sparse' });
 * ```
 */
export function defineTag(name: string, options: ComponentOptions = {}): Tag {
  return defineComponent(name, {}, options);
}
