import {
  FieldKind,
  INVALID_ENTITY,
  type Component,
  type EntityId,
  type Scene,
} from '@ecliptic/ecs';
import type { FieldValues } from '../../session/edit.js';
import { plainValue } from '../../values/plain-value.js';

/**
 * What a component of an entity holds, as plain data: numbers, texts, lists, the UUIDs of entities. `object()` fields are left out.
 *
 * @param uuidOf - the UUID of an entity
 */
export function readComponent(
  scene: Scene,
  entity: EntityId,
  component: Component,
  uuidOf: (entity: EntityId) => string | undefined,
): FieldValues {
  const view = scene.getComponent(entity, component) as
    | Readonly<Record<string, unknown>>
    | undefined;
  const values: Record<string, unknown> = {};
  if (view === undefined) return values;
  for (const { name, field } of component.fields) {
    if (field.kind === FieldKind.object) continue;
    const value = view[name];
    values[name] =
      field.kind === FieldKind.entity
        ? referenceTo(value as EntityId, uuidOf)
        : plainValue(field, value, false);
  }
  return values;
}

function referenceTo(
  entity: EntityId,
  uuidOf: (entity: EntityId) => string | undefined,
): string | null {
  return entity === INVALID_ENTITY ? null : (uuidOf(entity) ?? null);
}
