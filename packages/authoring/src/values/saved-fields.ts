import { FieldKind, type Component, type FieldSlot } from '@ecliptic/ecs';

/** Fields that scene files hold: all but those of the running application. */
export function savedFields(component: Component): readonly FieldSlot[] {
  return component.fields.filter(({ field }) => !field.runtime);
}

/** Whether a field refers to another entity. */
export function isReference({ field }: FieldSlot): boolean {
  return field.kind === FieldKind.entity;
}
