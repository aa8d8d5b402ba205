import {
  ArrayView,
  ColorView,
  ElementKind,
  FieldKind,
  INVALID_ENTITY,
  QuatView,
  Vec2View,
  Vec3View,
  Vec4View,
  type Component,
  type EntityId,
  type Scene,
} from '@ecliptic/ecs';
import type { FieldValues } from '../../session/edit.js';
import { shortestFloat } from '../../values/shortest-float.js';

const COMPOSITES = [Vec2View, Vec3View, Vec4View, QuatView, ColorView, ArrayView] as const;

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
  for (const { name, field } of component.fields) {
    if (field.kind === FieldKind.object) continue;
    const value = view?.[name];
    if (field.kind === FieldKind.entity) values[name] = referenceTo(value as EntityId, uuidOf);
    else values[name] = plainValue(value, field.element === ElementKind.f32);
  }
  return values;
}

function referenceTo(
  entity: EntityId,
  uuidOf: (entity: EntityId) => string | undefined,
): string | null {
  return entity === INVALID_ENTITY ? null : (uuidOf(entity) ?? null);
}

/** @param short - of 32 bits: written with as many digits as they need */
function plainValue(value: unknown, short: boolean): unknown {
  if (typeof value === 'number') return short ? shortestFloat(value) : value;
  if (!COMPOSITES.some((View) => value instanceof View)) return value;
  const list = (value as { toArray(): readonly number[] }).toArray();
  return short ? list.map(shortestFloat) : list;
}
