import { isUuid, NIL_UUID } from '@ecliptic/core';
import {
  describeInvalid,
  FieldKind,
  type Component,
  type EntityId,
  type Field,
} from '@ecliptic/ecs';
import { assetPath } from '../scene-load/asset-check.js';
import type { FieldValues } from './edit.js';
import { invalidValue, notEditable, unknownEntity } from './session-error.js';

/** Finds an entity by UUID; `INVALID_ENTITY` where there is none. */
export type FindEntity = (uuid: string) => EntityId;

function fieldOf(component: Component, name: string): Field {
  const field = Object.hasOwn(component.schema, name) ? component.schema[name] : undefined;
  if (field === undefined) {
    const names = component.fields.map((slot) => slot.name).join(', ');
    throw invalidValue(
      component.name,
      name,
      `there is no such field; there are ${names || 'none'}`,
    );
  }
  if (field.runtime) {
    throw notEditable(`${component.name}.${name}`, 'It is derived while the application runs.');
  }
  return field;
}

function checkValue(component: Component, name: string, field: Field, value: unknown): void {
  if (field.asset !== '' && typeof value === 'string' && !isUuid(value.toLowerCase())) {
    throw assetPath(`${component.name}.${name}`, value, field.asset);
  }
  const problem = describeInvalid(field, value);
  if (problem !== undefined) throw invalidValue(component.name, name, problem);
}

/**
 * Turns values of an edit into values that a scene takes: checked, with references as ids.
 *
 * @throws EclipticError `authoring/invalid-value`, `authoring/asset-path`, `authoring/not-editable`, `authoring/unknown-entity`
 */
export function fromEdit(
  component: Component,
  values: FieldValues,
  find: FindEntity,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(component, name);
    if (field.kind !== FieldKind.entity) {
      checkValue(component, name, field, value);
      result[name] = value;
    } else if (value === null || value === NIL_UUID) {
      result[name] = 0;
    } else {
      if (typeof value !== 'string')
        throw invalidValue(component.name, name, 'is no UUID and not null');
      const entity = find(value);
      if (entity === 0) throw unknownEntity(value);
      result[name] = entity;
    }
  }
  return result;
}

/** Values that were read before, for a scene: references as ids, those to entities that are gone as none. */
export function fromImage(
  component: Component,
  values: FieldValues,
  find: FindEntity,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...values };
  for (const { name, field } of component.fields) {
    if (field.kind !== FieldKind.entity || !Object.hasOwn(values, name)) continue;
    const uuid = values[name];
    result[name] = typeof uuid === 'string' ? find(uuid) : 0;
  }
  return result;
}

/** Whether two plain values of a field are the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b);
  return a.length === b.length && a.every((each, i) => sameValue(each, b[i]));
}
