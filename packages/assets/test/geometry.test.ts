import fc from 'fast-check';
import { generateTangents } from 'mikktspace';
import { describe, expect, test } from 'vitest';
import { decompose } from '../src/geometry/decompose.js';
import { flatNormals, smoothNormals } from '../src/geometry/normals.js';
import { splitVertices } from '../src/geometry/split-vertices.js';
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

const soup = fc
  .record({
    points: fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 12 }),
    corners: fc.array(fc.nat(11), { maxLength: 30 }),
    flat: fc.boolean(),
  })
  .map(({ points, corners, flat }) => {
    const usable = corners.map((corner) => corner % points.length);
    return {
      positions: new Float32Array(points.flat()),
      uvs: new Float32Array(points.flatMap(([x, y]) => (flat ? [0, 0] : [x, y]))),
      indices: new Uint32Array(usable.slice(0, usable.length - (usable.length % 3))),
    };
  });

test('normals and tangents are finite and of length 1 for any triangles', () => {
  fc.assert(
    fc.property(soup, ({ positions, uvs, indices }) => {
      const normals = smoothNormals(positions, [indices]);
      const flat = flatNormals(positions, indices);
      for (const all of [normals, flat]) {
        for (let i = 0; i < all.length; i += 3) {
          expect(Math.hypot(...all.subarray(i, i + 3))).toBeCloseTo(1, 4);
        }
      }
      const { groupOf, tangents } = computeTangents({ positions, normals, uvs, indices });
      indices.forEach((vertex, corner) => {
        const normal = normals.subarray(vertex * 3, vertex * 3 + 3);
        const at = (groupOf[corner] ?? 0) * 4;
        const tangent = tangents.subarray(at, at + 3);
        expect(Math.hypot(...tangent)).toBeCloseTo(1, 4);
        const dot = normal.reduce((sum, value, k) => sum + value * (tangent[k] ?? 0), 0);
        expect(Math.abs(dot)).toBeLessThan(1e-3);
        expect(Math.abs(tangents[at + 3] ?? 0)).toBe(1);
      });
    }),
  );
});

test('flat normals are those of the triangles, in their winding', () => {
  const corner = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect([...flatNormals(corner, new Uint32Array([0, 1, 2, 0, 2, 3]))]).toEqual([
    0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0,
  ]);
  expect([...flatNormals(corner, new Uint32Array([1, 1, 2]))]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
});

describe('tangents', () => {
  const unit = (v: readonly number[]): number[] => v.map((value) => value / Math.hypot(...v));
  test.each([
    ['smooth', (x: number, y: number) => [x, y]],
    ['mirrored', (x: number, y: number) => [Math.abs(x - 3), y]],
    ['without area in places', (x: number, y: number) => [Math.floor(x / 2), y]],
    [
      'all over the place',
      (x: number, y: number, random: number) => [x + 3 * random, y - 4 * random],
    ],
  ] as const)('are those of MikkTSpace where texture coordinates are %s', (_, uvAt) => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, isSplit) => {
        const side = 7;
        let state = seed;
        const next = (): number => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return state / 2 ** 32 - 0.5;
        };
        const positions: number[][] = [];
        const normals: number[][] = [];
        const uvs: (readonly number[])[] = [];
        const indices: number[] = [];
        for (let y = 0; y < side; y++) {
          for (let x = 0; x < side; x++) {
            positions.push([x + next() / 3, y + next() / 3, next()]);
            normals.push(unit([next(), next(), 1]));
            uvs.push(uvAt(x, y, next()));
            if (x === side - 1 || y === side - 1) continue;
            const i = y * side + x;
            indices.push(i, i + 1, i + side + 1, i, i + side + 1, i + side);
          }
        }
        const each = (values: readonly (readonly number[])[]): Float32Array =>
          new Float32Array(indices.flatMap((index) => values[index] ?? []));
        const corners = { positions: each(positions), normals: each(normals), uvs: each(uvs) };
        const expected = generateTangents(corners.positions, corners.normals, corners.uvs);
        const { groupOf, tangents } = computeTangents(
          isSplit
            ? { ...corners, indices: Uint32Array.from(indices.keys()) }
            : {
                positions: new Float32Array(positions.flat()),
                normals: new Float32Array(normals.flat()),
                uvs: new Float32Array(uvs.flat()),
                indices: new Uint32Array(indices),
              },
        );
        let compared = 0;
        for (let corner = 0; corner < indices.length; corner++) {
          const theirs = [...expected.subarray(corner * 4, corner * 4 + 4)];
          // What the other gives to corners without a direction isn't orthogonal to the normal.
          if (theirs.join() === '1,0,0,-1') continue;
          compared++;
          const ours = tangents.subarray((groupOf[corner] ?? 0) * 4);
          for (let k = 0; k < 3; k++) expect(ours[k]).toBeCloseTo(theirs[k] ?? 0, 3);
          expect(ours[3]).toBe(-(theirs[3] ?? 0));
        }
        expect(compared).toBeGreaterThan(indices.length / 3);
      }),
      { numRuns: 25 },
    );
  });

  test('of a fan of 100,000 triangles are found at once, with one at its centre', () => {
    const count = 100_000;
    const positions = new Float32Array((count + 1) * 3);
    const uvs = new Float32Array((count + 1) * 2);
    const normals = new Float32Array((count + 1) * 3);
    for (let i = 0; i <= count; i++) normals[i * 3 + 2] = 1;
    const indices = new Uint32Array(count * 3);
    for (let i = 1; i <= count; i++) {
      const angle = (i / count) * 2 * Math.PI;
      positions.set([Math.cos(angle), Math.sin(angle)], i * 3);
      uvs.set([Math.cos(angle), Math.sin(angle)], i * 2);
      indices.set([0, i, (i % count) + 1], (i - 1) * 3);
    }
    const { groupOf, tangents } = computeTangents({ positions, normals, uvs, indices });
    expect(new Set(groupOf).size).toBe(tangents.length / 4);
    expect(tangents.length / 4).toBe(count + 1);
    expect([...tangents.subarray(0, 4)].map((value) => Math.round(value))).toEqual([1, 0, 0, -1]);
  });
});

test('vertices that are split keep their corners apart by group, and leave out what no corner uses', () => {
  const triangles = fc.array(fc.tuple(fc.nat(9), fc.nat(4)), { minLength: 3, maxLength: 60 });
  fc.assert(
    fc.property(triangles, (corners) => {
      const indices = new Uint32Array(corners.map(([vertex]) => vertex));
      const groupOf = new Uint32Array(corners.map(([, group]) => group));
      const split = splitVertices(indices, groupOf, 5, 10);
      corners.forEach(([vertex, group], corner) => {
        const copy = split.indices[corner] ?? -1;
        expect([split.from[copy], split.groups[copy]]).toEqual([vertex, group]);
      });
      const pairs = new Set(corners.map(([vertex, group]) => `${vertex} ${group}`));
      expect(split.from).toHaveLength(pairs.size);
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
