import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matrixToRows, rowsToMatrix, RowsInterpolator } from '../src/index.js';
import { anyTrs, IDENTITY, matrixOf, rowsOf, turn, type Trs } from './fixtures/transforms.js';

function between(previous: Float32Array, current: Float32Array, alpha: number): Float32Array {
  const out = new Float32Array(12);
  new RowsInterpolator().interpolate(out, 0, previous, 0, current, 0, alpha);
  return out;
}

/** The largest difference of two transforms, relative to their numbers. */
function difference(actual: Float32Array, expected: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const want = expected[i] as number;
    worst = Math.max(worst, Math.abs((actual[i] as number) - want) / (1 + Math.abs(want)));
  }
  return worst;
}

describe('interpolation between two transforms', () => {
  test('rotation is slerped: the angle grows evenly, and scale does not shrink on the way (47)', () => {
    const end = 2.5;
    const axes: [number, number, number][] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, -2, 3],
    ];
    for (const axis of axes) {
      const previous = rowsOf({ ...IDENTITY, scale: [2, 2, 2] });
      const current = rowsOf({ ...IDENTITY, rotation: turn(axis, end), scale: [2, 2, 2] });
      for (const alpha of [0.1, 0.25, 0.5, 0.9]) {
        const expected = rowsOf({
          ...IDENTITY,
          rotation: turn(axis, end * alpha),
          scale: [2, 2, 2],
        });
        expect(difference(between(previous, current, alpha), expected)).toBeLessThan(1e-5);
      }
    }
  });

  test('what turns little goes straight, and stays as near to the arc as what is turned much (47)', () => {
    fc.assert(
      fc.property(
        fc.tuple(...[1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true }))),
        fc.double({ min: 0, max: 0.06, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ([x = 0, y = 0, z = 0], angle, alpha) => {
          const at = (part: number): Float32Array =>
            rowsOf({
              position: [1 + part, 2 - part, 3 * part],
              rotation: turn([x, y, z + 2], angle * part),
              scale: [0.5, 2, 3],
            });
          const expected = at(alpha);
          const actual = between(at(0), at(1), alpha);
          expect(difference(actual, expected)).toBeLessThan(1e-4);
        },
      ),
    );
  });

  test('takes the shorter way round', () => {
    const previous = rowsOf({ ...IDENTITY, rotation: turn([0, 1, 0], 3) });
    const current = rowsOf({ ...IDENTITY, rotation: turn([0, 1, 0], -3) });
    const half = rowsOf({ ...IDENTITY, rotation: turn([0, 1, 0], Math.PI) });
    expect(difference(between(previous, current, 0.5), half)).toBeLessThan(1e-5);
  });

  test('is exact at both ends, finite between them, for any scale and shear', () => {
    fc.assert(
      fc.property(
        anyTrs,
        anyTrs,
        anyTrs,
        anyTrs,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, p, q, alpha) => {
          const previous = rowsOf(a, p);
          const current = rowsOf(b, q);
          expect(between(previous, current, 0)).toEqual(previous);
          expect(between(previous, current, 1)).toEqual(current);
          expect(between(previous, current, alpha).every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });

  test('comes close to either end continuously, also with negative and zero scales', () => {
    fc.assert(
      fc.property(anyTrs, anyTrs, anyTrs, (a, b, parent) => {
        const previous = rowsOf(a, parent);
        const current = rowsOf(b, parent);
        expect(difference(between(previous, current, 1e-7), previous)).toBeLessThan(2e-2);
        expect(difference(between(previous, current, 1 - 1e-7), current)).toBeLessThan(2e-2);
      }),
    );
  });

  test('what does not move stays, to rounding', () => {
    fc.assert(
      fc.property(
        anyTrs,
        anyTrs,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, parent, alpha) => {
          const rows = rowsOf(a, parent);
          expect(difference(between(rows, rows, alpha), rows)).toBeLessThan(2e-3);
        },
      ),
    );
  });

  test('positions and scales move in a straight line', () => {
    const from: Trs = { ...IDENTITY, position: [1, 2, 3], scale: [1, 1, 1] };
    const to: Trs = { ...IDENTITY, position: [3, -2, 5], scale: [2, 3, 4] };
    const half: Trs = { ...IDENTITY, position: [2, 0, 4], scale: [1.5, 2, 2.5] };
    expect(difference(between(rowsOf(from), rowsOf(to), 0.5), rowsOf(half))).toBeLessThan(1e-5);
  });
});

test('affine rows and column-major matrices convert into each other', () => {
  fc.assert(
    fc.property(anyTrs, (trs) => {
      const matrix = matrixOf(trs);
      const rows = new Float32Array(12);
      matrixToRows(rows, 0, matrix, 0);
      expect([rows[3], rows[7], rows[11]]).toEqual([...matrix.subarray(12, 15)]);
      const back = new Float32Array(16);
      rowsToMatrix(back, 0, rows, 0);
      expect(back).toEqual(matrix);
    }),
  );
});
