import {
  ElementKind,
  FieldKind,
  healComponent,
  type Component,
  type Field,
  type Prefab,
} from '@ecliptic/ecs';
import { savedFields } from '../values/saved-fields.js';
import { isSavedByName } from './saved-by-name.js';
import { SCENE_FORMAT, SCENE_VERSION } from './scene-document.js';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const UUID: JsonSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};

/** Whole numbers have their range anyway. */
function isWhole({ element }: Field): boolean {
  return element !== ElementKind.f32 && element !== ElementKind.f64;
}

function numberSchema(field: Field): JsonSchema {
  return {
    type: isWhole(field) ? 'integer' : 'number',
    ...(Number.isFinite(field.min) ? { minimum: field.min } : {}),
    ...(Number.isFinite(field.max) ? { maximum: field.max } : {}),
  };
}

/** What a number may be in a file: where its range allows it, infinite too. */
function numberOrInfinity(field: Field): JsonSchema {
  const infinite = [
    ...(field.max === Infinity ? ['Infinity'] : []),
    ...(field.min === -Infinity ? ['-Infinity'] : []),
  ];
  if (isWhole(field) || infinite.length === 0) return numberSchema(field);
  return { anyOf: [numberSchema(field), { enum: infinite }] };
}

function valueSchema(field: Field): JsonSchema {
  switch (field.kind) {
    case FieldKind.number:
      return numberOrInfinity(field);
    case FieldKind.bool:
      return { type: 'boolean' };
    case FieldKind.oneOf:
      return { enum: field.choices };
    case FieldKind.text:
      return { type: 'string', maxLength: field.stride };
    case FieldKind.uuid:
      return UUID;
    case FieldKind.entity:
      return { anyOf: [UUID, { type: 'null' }] };
    case FieldKind.object:
      return {};
    case FieldKind.color:
      return { type: 'array', items: numberOrInfinity(field), minItems: 3, maxItems: 4 };
    default:
      return {
        type: 'array',
        items: numberOrInfinity(field),
        minItems: field.stride,
        maxItems: field.stride,
      };
  }
}

function descriptionOf(field: Field): string {
  const what = field.asset === '' ? '' : `uuid of a ${field.asset}`;
  return [field.description, what].filter((text) => text !== '').join('; ');
}

function componentSchema(component: Component): JsonSchema {
  const defaults = healComponent(component, {}).value as Readonly<Record<string, unknown>>;
  const properties = savedFields(component).map(({ name, field }): [string, JsonSchema] => {
    const description = descriptionOf(field);
    const preset = field.kind === FieldKind.entity ? null : defaults[name];
    return [
      name,
      {
        ...valueSchema(field),
        ...(description === '' ? {} : { description }),
        ...(preset === undefined ? {} : { default: preset }),
      },
    ];
  });
  return {
    type: 'object',
    ...(component.description === '' ? {} : { description: component.description }),
    properties: Object.fromEntries(properties),
  };
}

/**
 * A JSON Schema (draft 2020-12) of scene files with these components: editors complete names, show descriptions and mark what does not
 * fit. Components and keys that it does not know are allowed, as loading keeps them.
 *
 * @param prefabs - whose names to offer
 *
 * @example
 * ```ts
 * await vfs.writeFile('/scenes/scene.schema.json', JSON.stringify(sceneSchema(scene.componentTypes), null, 2));
 * ```
 */
export function sceneSchema(
  components: Iterable<Component>,
  prefabs: Iterable<Prefab> = [],
): JsonSchema {
  const saved = [...components].filter(isSavedByName);
  const byName = saved.map((component): [string, JsonSchema] => [
    component.name,
    componentSchema(component),
  ]);
  const names = [...prefabs].map(({ name }) => name);
  const instance = {
    components: { type: 'object', properties: Object.fromEntries(byName) },
    without: { type: 'array', items: { type: 'string' } },
    parts: {
      type: 'object',
      additionalProperties: { anyOf: [{ $ref: '#/$defs/part' }, { type: 'null' }] },
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Ecliptic scene',
    type: 'object',
    required: ['format', 'version', 'entities'],
    properties: {
      format: { const: SCENE_FORMAT },
      version: { type: 'integer', minimum: 1, maximum: SCENE_VERSION },
      components: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
      entities: { type: 'array', items: { $ref: '#/$defs/entity' } },
    },
    $defs: {
      part: { type: 'object', properties: { uuid: UUID, ...instance } },
      entity: {
        type: 'object',
        required: ['uuid'],
        properties: {
          uuid: UUID,
          parent: UUID,
          prefab: names.length > 0 ? { type: 'string', examples: names } : { type: 'string' },
          ...instance,
        },
      },
    },
  };
}
