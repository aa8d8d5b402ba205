import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompose } from '../src/geometry/decompose.js';
import { computeNormals } from '../src/geometry/normals.js';
import { computeTangents } from '../src/geometry/tangents.js';

const number = fc.double({ min: -1_000, max: 1_000, noNaN: true });

describe('decomposing a matrix', () => {
  test('gives back translation, rotation and scale of one that was composed of them', () => {
    const unit = fc.tuple(number, number, number, number).filter((q) => Math.hypot(...q) > 1e-3);
    const size = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(number, number, number),
        unit,
        fc.tuple(size, size, size),
        fc.boolean(),
        (t, q, s, mirrored) => {
          const scale = [mirrored ? -s[0] : s[0], s[1], s[2]] as const;
          const matrix = compose(t, q, scale);
          const parts = decompose(matrix);
          expect(parts.sheared).toBe(false);
          compose(parts.translation, parts.rotation, parts.scale).forEach((value, i) => {
            expect(value).toBeCloseTo(matrix[i] ?? 0, 4);
          });
        },
      ),
    );
  });

  test('is always finite, with a unit rotation, also for flat and sheared ones', () => {
    const cell = fc.oneof(fc.constant(0), number);
    fc.assert(
      fc.property(fc.array(cell, { minLength: 16, maxLength: 16 }), (matrix) => {
        const { translation, rotation, scale } = decompose(matrix);
        expect([...translation, ...rotation, ...scale].every(Number.isFinite)).toBe(true);
        expect(Math.hypot(...rotation)).toBeCloseTo(1, 6);
      }),
    );
  });

  test('says when something is lost', () => {
    expect(decompose([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]).sheared).toBe(true);
    expect(decompose([1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]).sheared).toBe(true);
  });
});

test('normals and tangents are finite and of length 1 for any triangles', () => {
  const soup = fc.record({
    points: fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 12 }),
    corners: fc.array(fc.nat(11), { maxLength: 30 }),
    flat: fc.boolean(),
  });
  fc.assert(
    fc.property(soup, ({ points, corners, flat }) => {
      const positions = new Float32Array(points.flat());
      const usable = corners.map((corner) => corner % points.length);
      const indices = new Uint32Array(usable.slice(0, usable.length - (usable.length % 3)));
      const uvs = new Float32Array(points.flatMap(([x, y]) => (flat ? [0, 0] : [x, y])));
      const normals = computeNormals(positions, indices);
      const tangents = computeTangents(positions, normals, uvs, indices);
      for (let i = 0; i < points.length; i++) {
        const normal = Array.from(normals).slice(i * 3, i * 3 + 3);
        const tangent = Array.from(tangents).slice(i * 4, i * 4 + 3);
        expect(Math.hypot(...normal)).toBeCloseTo(1, 4);
        expect(Math.hypot(...tangent)).toBeCloseTo(1, 4);
        const dot = normal.reduce((sum, value, k) => sum + value * (tangent[k] ?? 0), 0);
        expect(Math.abs(dot)).toBeLessThan(1e-3);
        expect(Math.abs(tangents[i * 4 + 3] ?? 0)).toBe(1);
      }
    }),
  );
});

function compose(
  [x, y, z]: readonly number[] | readonly [number, number, number],
  q: readonly number[],
  [sx = 1, sy = 1, sz = 1]: readonly number[],
): number[] {
  const size = Math.hypot(...q);
  const [a = 0, b = 0, c = 0, d = 1] = q.map((value) => value / size);
  return [
    (1 - 2 * (b * b + c * c)) * sx,
    2 * (a * b + c * d) * sx,
    2 * (a * c - b * d) * sx,
    0,
    2 * (a * b - c * d) * sy,
    (1 - 2 * (a * a + c * c)) * sy,
    2 * (b * c + a * d) * sy,
    0,
    2 * (a * c + b * d) * sz,
    2 * (b * c - a * d) * sz,
    (1 - 2 * (a * a + b * b)) * sz,
    0,
    x ?? 0,
    y ?? 0,
    z ?? 0,
    1,
  ];
}
