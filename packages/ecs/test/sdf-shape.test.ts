import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  sdfBox,
  sdfCapsule,
  sdfCylinder,
  sdfDistance,
  sdfSphere,
  SdfShape,
  type SdfShapeInit,
} from '../src/prefabs/sdf-shape.js';
import type { Vec3 } from '../src/schema/field-shapes.js';
import { validateValue } from '../src/schema/validate-value.js';

const length = fc.double({ min: 0, max: 20, noNaN: true });
const coordinate = fc.double({ min: -50, max: 50, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate) as fc.Arbitrary<Vec3>;
const shape: fc.Arbitrary<SdfShapeInit> = fc.oneof(
  fc.tuple(length, point).map(([r, c]) => sdfSphere(r, c)),
  fc.tuple(length, length, length, point).map(([x, y, z, c]) => sdfBox([x, y, z], c)),
  fc.tuple(length, length, point).map(([r, h, c]) => sdfCylinder(r, h, c)),
  fc.tuple(length, length, point).map(([r, h, c]) => sdfCapsule(r, h, c)),
);

/** Whether a point is inside, from the definition of each body. */
function inside({ kind, size: [sx, sy, sz], center }: SdfShapeInit, p: Vec3): boolean {
  const [x, y, z] = p.map((value, axis) => value - (center[axis] ?? 0)) as Vec3;
  if (kind === 'sphere') return Math.hypot(x, y, z) < sx;
  if (kind === 'box') return Math.abs(x) < sx && Math.abs(y) < sy && Math.abs(z) < sz;
  if (kind === 'cylinder') return Math.hypot(x, z) < sx && Math.abs(y) < sy;
  return Math.hypot(x, y - Math.max(-sy, Math.min(sy, y)), z) < sx;
}

describe('signed distances', () => {
  test('known answers', () => {
    expect(sdfDistance(sdfSphere(2), [0, 5, 0])).toBe(3);
    expect(sdfDistance(sdfSphere(2), [0, 0, 0])).toBe(-2);
    expect(sdfDistance(sdfBox([1, 2, 3]), [4, 6, 3])).toBe(5);
    expect(sdfDistance(sdfBox([1, 2, 3]), [0, 0, 0])).toBe(-1);
    expect(sdfDistance(sdfBox([1, 2, 3]), [1, 2, 3])).toBe(0);
    expect(sdfDistance(sdfCylinder(1, 2), [4, 6, 0])).toBe(5);
    expect(sdfDistance(sdfCylinder(1, 2), [0, 1.5, 0])).toBe(-0.5);
    expect(sdfDistance(sdfCapsule(1, 2), [0, 6, 0])).toBe(3);
    expect(sdfDistance(sdfCapsule(1, 2), [3, 1, 0])).toBe(2);
    expect(sdfDistance(sdfSphere(1, [5, 0, 0]), { x: 5, y: 0, z: 3 })).toBe(2);
    expect(sdfDistance(sdfSphere(1), new Float32Array([0, 0, 3]))).toBe(2);
  });

  test('negative exactly inside the body', () => {
    fc.assert(
      fc.property(shape, point, (s, p) => {
        const distance = sdfDistance(s, p);
        fc.pre(Math.abs(distance) > 1e-9);
        expect(distance < 0).toBe(inside(s, p));
      }),
    );
  });

  test('never change faster than the point moves', () => {
    fc.assert(
      fc.property(shape, point, point, (s, p, q) => {
        const moved = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        expect(Math.abs(sdfDistance(s, p) - sdfDistance(s, q))).toBeLessThanOrEqual(moved + 1e-9);
      }),
    );
  });

  test('are exact outside: a step of that length along the gradient ends on the surface', () => {
    fc.assert(
      fc.property(shape, point, (s, p) => {
        const distance = sdfDistance(s, p);
        fc.pre(distance > 0.01);
        const step = 1e-6;
        const gradient = p.map((value, axis) => {
          const ahead = p.with(axis, value + step) as Vec3;
          const behind = p.with(axis, value - step) as Vec3;
          return (sdfDistance(s, ahead) - sdfDistance(s, behind)) / (2 * step);
        });
        const surface = p.map((value, axis) => value - distance * (gradient[axis] ?? 0)) as Vec3;
        expect(Math.abs(sdfDistance(s, surface))).toBeLessThan(1e-3);
      }),
    );
  });

  test('NaN in, NaN out', () => {
    for (const s of [sdfSphere(1), sdfBox([1, 1, 1]), sdfCylinder(1, 1), sdfCapsule(1, 1)]) {
      expect(sdfDistance(s, [NaN, 0, 0])).toBeNaN();
    }
  });
});

test('shapes of negative or endless size are refused', () => {
  for (const make of [
    () => sdfSphere(-1),
    () => sdfBox([1, Infinity, 1]),
    () => sdfCylinder(NaN, 1),
    () => sdfCapsule(1, 1, [0, NaN, 0]),
  ]) {
    expect(make).toThrow(expect.objectContaining({ code: 'ecs/invalid-shape' }));
  }
});

test('a shape is a value of the SdfShape component', () => {
  fc.assert(
    fc.property(shape, (s) => {
      expect(() => validateValue(SdfShape, s)).not.toThrow();
    }),
  );
});
