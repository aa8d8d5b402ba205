import { readFile } from 'node:fs/promises';
import { Arena, EventLog } from '@ecliptic/core';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { kernelBytesFile } from '../scripts/build-kernels.js';
import { javascriptKernels } from '../src/kernels/javascript-kernels.js';
import type { Kernels, PoseColumns } from '../src/kernels/kernels.js';
import { loadKernels } from '../src/kernels/load-kernels.js';

const arena = new Arena({ name: 'kernels', budget: 1 << 26, backing: 'wasm' });
const javascript = javascriptKernels();
let wasm: Kernels;

beforeAll(async () => {
  wasm = await loadKernels(arena, { backend: 'wasm' });
});
afterEach(() => vi.restoreAllMocks());

/** A column in the arena. */
function column(values: ArrayLike<number>): Float32Array {
  const block = arena.allocate(Math.max(4, values.length * 4), 'column');
  const view = new Float32Array(arena.buffer, block.offset, values.length);
  view.set(values);
  return view;
}

const finite = fc
  .float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
  .map((value) => value + 0);
const alpha = fc.float({ noNaN: true, min: 0, max: 1 });
const unit = fc
  .tuple(finite, finite, finite, finite)
  .filter((q) => Math.hypot(...q) > 1e-3)
  .map((q) => q.map((element) => Math.fround(element / Math.hypot(...q))));

/** Pairs of rotations for which the shorter arc is beyond doubt. */
const turn = fc
  .tuple(unit, unit)
  .filter(
    ([a, b]) => Math.abs(a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0)) > 1e-5,
  );

/** A quaternion at a right angle to another, to rounding. */
function atRightAngle(q: readonly number[], r: readonly number[]): number[] {
  const dot = q.reduce((sum, element, i) => sum + element * (r[i] ?? 0), 0);
  return r.map((element, i) => Math.fround(element - dot * (q[i] ?? 0)));
}

/** Slerp by its definition, in double precision. */
function slerp(a: readonly number[], b: readonly number[], t: number): number[] {
  const dot = a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const ca = sine < 1e-9 ? 1 - t : Math.sin((1 - t) * angle) / sine;
  const cb = sine < 1e-9 ? t : Math.sin(t * angle) / sine;
  return a.map((element, i) => element * ca + (b[i] ?? 0) * cb * sign);
}

describe.each([
  ['javascript', () => javascript],
  ['wasm', () => wasm],
] as const)('%s kernels', (name, backend) => {
  test('say which backend they are', () => {
    expect(backend().backend).toBe(name);
  });

  test('addScaled adds a multiple to exactly the elements asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(finite, finite), { maxLength: 40 }),
        finite,
        fc.nat(40),
        (pairs, k, extra) => {
          const target = column(pairs.map(([a]) => a));
          const source = column(pairs.map(([, b]) => b));
          const elements = Math.min(pairs.length, extra);
          backend().addScaled(target, source, k, elements);
          const expected = pairs.map(([a, b], i) =>
            i < elements ? Math.fround(a + Math.fround(b * Math.fround(k))) : a,
          );
          expect(Array.from(target)).toEqual(expected.map((value) => value));
          expect(Array.from(source)).toEqual(pairs.map(([, b]) => b));
        },
      ),
    );
  });

  test('interpolate is exact at both ends, and writes exactly the elements asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(finite, finite), { minLength: 1, maxLength: 20 }), (pairs) => {
        const from = column(pairs.map(([a]) => a));
        const to = column(pairs.map(([, b]) => b));
        const out = column(pairs.map(() => 7));
        const elements = pairs.length - 1;
        backend().interpolate(from, to, 0, out, elements);
        expect(out.subarray(0, elements)).toEqual(from.subarray(0, elements));
        backend().interpolate(from, to, 1, out, elements);
        expect(out.subarray(0, elements)).toEqual(to.subarray(0, elements));
        expect(out[elements]).toBe(7);
      }),
    );
  });

  test('interpolateRotations is slerp along the shorter arc, to 2e-6 an element', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 9 }), alpha, (pairs, t) => {
        const from = column(pairs.flatMap(([a]) => a));
        const to = column(pairs.flatMap(([, b]) => b));
        const out = column(pairs.flatMap(() => [7, 7, 7, 7]).concat(7));
        backend().interpolateRotations(from, to, t, out, pairs.length);
        const expected = pairs.flatMap(([a, b]) => slerp(a, b, t));
        for (const [i, value] of expected.entries())
          expect(Math.abs((out[i] ?? NaN) - value)).toBeLessThan(2e-6);
        expect(out[pairs.length * 4]).toBe(7);
      }),
    );
  });

  test('rotations a right angle apart (90° as quaternions: 180° of turn) stay of unit length', () => {
    const from = column([0, 0, 0, 1]);
    const to = column([0, 1, 0, 0]);
    const out = column([0, 0, 0, 0]);
    for (let i = 0; i <= 10; i++) {
      backend().interpolateRotations(from, to, i / 10, out, 1);
      expect(Math.abs(Math.hypot(...out) - 1)).toBeLessThan(2e-6);
      const turned = (2 * Math.atan2(out[1] ?? 0, out[3] ?? 0)) / Math.PI;
      expect(Math.abs(turned - i / 10)).toBeLessThan(2e-6);
    }
  });

  test('a result may be written over an argument', () => {
    const from = column([1, 2, 3, 4, 5]);
    const to = column([3, 4, 5, 6, 7]);
    backend().interpolate(from, to, 0.5, from, 5);
    expect(Array.from(from)).toEqual([2, 3, 4, 5, 6]);
    const twice = column([1, 2, 3]);
    backend().addScaled(twice, twice, 1, 3);
    expect(Array.from(twice)).toEqual([2, 4, 6]);
  });

  test('whole transforms: positions and scales straight, rotations along the arc', () => {
    const pose = (x: number, q: number[], s: number): PoseColumns => ({
      position: column([x, x, x, x + 1, x + 1, x + 1]),
      rotation: column([...q, ...q]),
      scale: column([s, s, s, s, s, s]),
    });
    const out = pose(0, [0, 0, 0, 0], 0);
    backend().interpolateTransforms(
      pose(0, [0, 0, 0, 1], 1),
      pose(4, [0, 0, 1, 0], 3),
      0.25,
      out,
      2,
    );
    expect(Array.from(out.position)).toEqual([1, 1, 1, 2, 2, 2]);
    expect(Array.from(out.scale)).toEqual([1.5, 1.5, 1.5, 1.5, 1.5, 1.5]);
    const [x, y, z, w] = slerp([0, 0, 0, 1], [0, 0, 1, 0], 0.25);
    expect(out.rotation[4]).toBeCloseTo(x ?? NaN, 6);
    expect(out.rotation[5]).toBeCloseTo(y ?? NaN, 6);
    expect(out.rotation[6]).toBeCloseTo(z ?? NaN, 6);
    expect(out.rotation[7]).toBeCloseTo(w ?? NaN, 6);
  });

  test('results may begin at any row that has room for them', () => {
    const pose = (value: number, rows: number): PoseColumns => ({
      position: column(Array.from({ length: 3 * rows }, () => value)),
      rotation: column(Array.from({ length: 4 * rows }, () => value / 2)),
      scale: column(Array.from({ length: 3 * rows }, () => value)),
    });
    const one = pose(1, 2);
    const out = pose(8, 4);
    backend().interpolateTransforms(one, one, 0.5, out, 2, 1);
    expect(Array.from(out.position)).toEqual([8, 8, 8, 1, 1, 1, 1, 1, 1, 8, 8, 8]);
    expect(Array.from(out.scale)).toEqual([8, 8, 8, 1, 1, 1, 1, 1, 1, 8, 8, 8]);
    expect(Array.from(out.rotation.subarray(0, 4))).toEqual([4, 4, 4, 4]);
    expect(out.rotation[4]).toBeCloseTo(0.5, 6);
    expect(out.rotation[11]).toBeCloseTo(0.5, 6);
    expect(Array.from(out.rotation.subarray(12))).toEqual([4, 4, 4, 4]);
    for (const row of [3, -1, 0.5, Number.NaN]) {
      expect(() => {
        backend().interpolateTransforms(one, one, 0.5, out, 2, row);
      }).toThrow(/rows of 3|outRow/);
    }
    const shared = { ...out, position: one.position };
    expect(() => {
      backend().interpolateTransforms(one, one, 0.5, shared, 1, 1);
    }).not.toThrow();
    expect(Array.from(out.rotation.subarray(12))).toEqual([4, 4, 4, 4]);
  });

  test('columns that are too short, rows that are no count, numbers out of range: errors, and nothing is written', () => {
    const a = column([1, 2, 3, 4]);
    const b = column([5, 6, 7, 8]);
    const code = (call: () => void) => {
      try {
        call();
      } catch (error) {
        return (error as { code?: string }).code;
      }
      return 'no error';
    };
    for (const rows of [5, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 53]) {
      expect(code(() => backend().addScaled(a, b, 1, rows))).toBe('ecs/kernel-range');
      expect(code(() => backend().interpolate(a, b, 0, a, rows))).toBe('ecs/kernel-range');
      expect(code(() => backend().interpolateRotations(a, b, 0, a, rows))).toBe('ecs/kernel-range');
    }
    expect(code(() => backend().interpolateRotations(a, b, 0, a, 2))).toBe('ecs/kernel-range');
    expect(code(() => backend().addScaled(a, b.subarray(0, 3), 1, 4))).toBe('ecs/kernel-range');
    for (const share of [-0.1, 1.1, NaN, Infinity]) {
      expect(code(() => backend().interpolate(a, b, share, a, 4))).toBe('ecs/kernel-argument');
      expect(code(() => backend().interpolateRotations(a, b, share, a, 1))).toBe(
        'ecs/kernel-argument',
      );
    }
    expect(code(() => backend().addScaled(a, b, NaN, 4))).toBe('ecs/kernel-argument');
    const pose = { position: a, rotation: a, scale: a };
    expect(
      code(() =>
        backend().interpolateTransforms(pose, pose, 0, { ...pose, scale: b.subarray(1) }, 1),
      ),
    ).toBe('no error');
    expect(
      code(() =>
        backend().interpolateTransforms(pose, pose, 0, { ...pose, scale: b.subarray(2) }, 1),
      ),
    ).toBe('ecs/kernel-range');
    expect(Array.from(a)).toEqual([1, 2, 3, 4]);
  });

  test('a result that overlaps an argument at another place is refused', () => {
    const values = column([1, 2, 3, 4, 5, 6, 7, 8]);
    const shifted = values.subarray(1);
    const out = column([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(() => backend().addScaled(values, shifted, 1, 4)).toThrow(
      expect.objectContaining({ code: 'ecs/kernel-overlap' }),
    );
    expect(() => backend().interpolate(values, out, 0, shifted, 4)).toThrow(
      expect.objectContaining({ code: 'ecs/kernel-overlap' }),
    );
    backend().addScaled(values, values.subarray(4), 1, 4);
    expect(Array.from(values)).toEqual([6, 8, 10, 12, 5, 6, 7, 8]);
  });
});

describe('the two backends', () => {
  test('agree to the bit in addScaled and interpolate, to 2e-6 an element in rotations', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 9 }), alpha, finite, (pairs, t, k) => {
        const a = pairs.flatMap(([first]) => first);
        const b = pairs.flatMap(([, second]) => second);
        const [out, twin] = [column(a), column(a)];
        wasm.addScaled(out, column(b), k, a.length);
        javascript.addScaled(twin, column(b), k, a.length);
        expect(out).toEqual(twin);
        wasm.interpolate(column(a), column(b), t, out, a.length);
        javascript.interpolate(column(a), column(b), t, twin, a.length);
        expect(out).toEqual(twin);
        wasm.interpolateRotations(column(a), column(b), t, out, pairs.length);
        javascript.interpolateRotations(column(a), column(b), t, twin, pairs.length);
        for (const [i, value] of twin.entries())
          expect(Math.abs((out[i] ?? NaN) - value)).toBeLessThan(2e-6);
      }),
    );
  });

  test('take the same arc, and agree to 2e-6 an element, also half a turn apart and for quaternions that are zero or not of unit length', () => {
    const element = fc.oneof(
      fc.constantFrom(-1, -0.5, -0, 0, 0.5, 1),
      fc.float({ noNaN: true, min: -1, max: 1 }),
    );
    const quat = fc.oneof(unit, fc.tuple(element, element, element, element));
    const pair = fc.oneof(
      fc.tuple(quat, quat),
      fc.tuple(fc.constant([0, -0, 0, -0]), quat),
      fc.tuple(unit, unit).map(([q, r]) => [q, atRightAngle(q, r)] as const),
    );
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 9 }), alpha, (pairs, t) => {
        const from = column(pairs.flatMap(([first]) => first));
        const to = column(pairs.flatMap(([, second]) => second));
        const [out, twin] = [column(from), column(from)];
        wasm.interpolateRotations(from, to, t, out, pairs.length);
        javascript.interpolateRotations(from, to, t, twin, pairs.length);
        for (const [i, value] of twin.entries())
          expect(Math.abs((out[i] ?? NaN) - value)).toBeLessThan(2e-6);
      }),
      { numRuns: 500 },
    );
  });

  test('a quaternion of zeros has no arc: nothing is turned round', () => {
    const zero = column([0, 0, 0, 0]);
    const to = column([-0.5, -0.5, -0.5, -0.5]);
    for (const backend of [wasm, javascript]) {
      const out = column([0, 0, 0, 0]);
      backend.interpolateRotations(zero, to, 1, out, 1);
      expect(Array.from(out)).toEqual([-0.5, -0.5, -0.5, -0.5]);
    }
  });

  test('wasm takes no column of another memory', () => {
    const own = column([1, 2, 3, 4]);
    const foreign = new Float32Array(4);
    for (const call of [
      () => wasm.addScaled(own, foreign, 1, 4),
      () => wasm.addScaled(foreign, own, 1, 4),
      () => wasm.interpolate(own, own, 0, foreign, 4),
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: 'ecs/kernel-memory' }));
    }
  });
});

describe('loading kernels', () => {
  test('without WebAssembly memory the twins are loaded, and the log says why', async () => {
    const log = new EventLog('ecs');
    const info = vi.spyOn(log, 'info').mockReturnValue();
    const plain = new Arena({ budget: 1024, backing: 'plain' });
    expect((await loadKernels(plain, { log })).backend).toBe('javascript');
    expect(info).toHaveBeenCalledWith(
      'kernels_fallback',
      expect.objectContaining({ backend: 'javascript' }),
    );
    await expect(loadKernels(plain, { backend: 'wasm' })).rejects.toMatchObject({
      code: 'ecs/kernels-unavailable',
    });
  });

  test('under a policy that forbids WebAssembly.compile the twins are loaded', async () => {
    const cause = new WebAssembly.CompileError('blocked by Content Security Policy');
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(cause);
    expect((await loadKernels(arena)).backend).toBe('javascript');
    await expect(loadKernels(arena, { backend: 'wasm' })).rejects.toMatchObject({
      code: 'ecs/kernels-unavailable',
      cause,
    });
  });

  test('a named backend is taken', async () => {
    expect((await loadKernels(arena, { backend: 'javascript' })).backend).toBe('javascript');
    expect((await loadKernels(arena)).backend).toBe('wasm');
  });

  test('the bytes in the repository are those of the source', async () => {
    const committed = await readFile(
      new URL('../src/kernels/kernel-bytes.ts', import.meta.url),
      'utf8',
    );
    expect(await kernelBytesFile()).toBe(committed);
  });
});
