import { EclipticError } from '@ecliptic/core';
import { defineComponent, type Component } from '../schema/component.js';
import type { CompositeTypes, ScalarTypes, Vec3, Vec3Input } from '../schema/field-shapes.js';
import { oneOf } from '../schema/one-of-field.js';
import { vec3 } from '../schema/vector-fields.js';
import type { Field } from '../schema/field.js';
import type { Vec3View } from '../views/vector-views.js';
import type { ComponentValue } from '../schema/component-types.js';

/** Fields of {@link SdfShape}. */
export type SdfShapeSchema = {
  readonly kind: Field<ScalarTypes<'sphere' | 'box' | 'cylinder' | 'capsule', Uint8Array>>;
  /** Sphere: radius; box: half extents; cylinder and capsule: radius, half height. */
  readonly size: Field<CompositeTypes<Vec3, Vec3Input, Vec3View, Float32Array>>;
  readonly center: Field<CompositeTypes<Vec3, Vec3Input, Vec3View, Float32Array>>;
};

/**
 * A collision shape given by its signed distance: what particles, brushes and queries collide with cheaply. In metres, in the
 * entity's own space; cylinders and capsules stand along y.
 *
 * Made by {@link sdfSphere}, {@link sdfBox}, {@link sdfCylinder} and {@link sdfCapsule}; measured by {@link sdfDistance}.
 */
export const SdfShape: Component<SdfShapeSchema> = /* @__PURE__ */ defineComponent('SdfShape', {
  kind: /* @__PURE__ */ oneOf('sphere', 'box', 'cylinder', 'capsule'),
  size: /* @__PURE__ */ vec3({
    default: [0.5, 0.5, 0.5],
    description: 'sphere: radius; box: half extents; cylinder and capsule: radius, half height',
  }),
  center: /* @__PURE__ */ vec3({ description: 'offset from the entity, in its own space' }),
});

/** A shape as data: what `addComponent(entity, SdfShape, …)` and a prefab's `shape` take. */
export type SdfShapeInit = ComponentValue<typeof SdfShape>;

function shape(kind: SdfShapeInit['kind'], size: Vec3, center: Vec3): SdfShapeInit {
  if (![...size, ...center].every(Number.isFinite) || size.some((length) => length < 0)) {
    throw new EclipticError('ecs/invalid-shape', `A ${kind} of size ${size.join(', ')} can't be`, {
      subjects: { kind, size, center },
      fix: 'Give finite numbers, and lengths of at least 0.',
    });
  }
  return { kind, size, center };
}

/**
 * A ball.
 *
 * @throws EclipticError `ecs/invalid-shape`, as all four, for negative lengths and numbers that are not finite
 */
export function sdfSphere(radius: number, center: Vec3 = [0, 0, 0]): SdfShapeInit {
  return shape('sphere', [radius, 0, 0], center);
}

/** A box along the axes, by half its extents. */
export function sdfBox(halfExtents: Vec3, center: Vec3 = [0, 0, 0]): SdfShapeInit {
  return shape('box', halfExtents, center);
}

/** A cylinder along y, `2 * halfHeight` high. */
export function sdfCylinder(
  radius: number,
  halfHeight: number,
  center: Vec3 = [0, 0, 0],
): SdfShapeInit {
  return shape('cylinder', [radius, halfHeight, 0], center);
}

/** A capsule along y: all points nearer than `radius` to a segment of `2 * halfHeight`. It is `2 * (halfHeight + radius)` high. */
export function sdfCapsule(
  radius: number,
  halfHeight: number,
  center: Vec3 = [0, 0, 0],
): SdfShapeInit {
  return shape('capsule', [radius, halfHeight, 0], center);
}

function numbers(input: Vec3Input): Readonly<Vec3> {
  if ('x' in input) return [input.x, input.y, input.z];
  return [input[0] ?? NaN, input[1] ?? NaN, input[2] ?? NaN];
}

/**
 * Signed distance of a point to the surface of a shape, in metres: negative inside, 0 on it. Exact for all four shapes, so
 * it can be used to step along a ray. Both in the entity's own space: transform the point into it first, and with a uniform
 * scale multiply the result by it; under a non-uniform scale the result is only a bound.
 *
 * @param shape - a view of {@link SdfShape}, or what `sdfBox` and its like return
 *
 * @example
 * ```ts
 * sdfDistance(sdfBox([1, 1, 1]), [3, 0, 0]); // 2
 * ```
 */
export function sdfDistance(
  shape: {
    readonly kind: SdfShapeInit['kind'];
    readonly size: Vec3Input;
    readonly center: Vec3Input;
  },
  point: Vec3Input,
): number {
  const [cx, cy, cz] = numbers(shape.center);
  const [px, py, pz] = numbers(point);
  const [sx, sy, sz] = numbers(shape.size);
  return distanceTo(shape.kind, sx, sy, sz, px - cx, py - cy, pz - cz);
}

function distanceTo(
  kind: SdfShapeInit['kind'],
  sx: number,
  sy: number,
  sz: number,
  x: number,
  y: number,
  z: number,
): number {
  switch (kind) {
    case 'sphere':
      return Math.hypot(x, y, z) - sx;
    case 'box': {
      const dx = Math.abs(x) - sx;
      const dy = Math.abs(y) - sy;
      const dz = Math.abs(z) - sz;
      const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
      return outside + Math.min(Math.max(dx, dy, dz), 0);
    }
    case 'cylinder': {
      const radial = Math.hypot(x, z) - sx;
      const axial = Math.abs(y) - sy;
      const outside = Math.hypot(Math.max(radial, 0), Math.max(axial, 0));
      return outside + Math.min(Math.max(radial, axial), 0);
    }
    case 'capsule':
      return Math.hypot(x, y - Math.min(Math.max(y, -sy), sy), z) - sx;
  }
}
