import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { lightKernelFile } from '../scripts/build-kernels.js';
import { fromHalf, type FloatImage } from '../src/environment/float-image.js';
import { loadLightKernel } from '../src/environment/light-kernel.js';
import type { Lobe } from '../src/environment/lobe.js';
import { scalarLightKernel } from '../src/environment/scalar-light-kernel.js';

afterEach(() => vi.restoreAllMocks());

const images = fc
  .record({ width: fc.integer({ min: 1, max: 24 }), height: fc.integer({ min: 1, max: 12 }) })
  .chain(({ width, height }) =>
    fc
      .array(fc.float({ min: 0, max: 2, noNaN: true }), {
        minLength: width * height * 3,
        maxLength: width * height * 3,
      })
      .map((values): FloatImage => ({ width, height, data: Float32Array.from(values) })),
  );

/** Up to nine directions of the upper half of a sphere, each with a picture. */
const lobes = fc
  .array(
    fc.record({
      around: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      down: fc.double({ min: 0, max: Math.PI / 2 - 0.01, noNaN: true }),
      weight: fc.double({ min: 0.1, max: 1, noNaN: true }),
      image: images,
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((directions): Lobe => {
    const total = directions.reduce((sum, { weight }) => sum + weight, 0);
    return {
      images: directions.map(({ image }) => image),
      samples: Float32Array.from(
        directions.flatMap(({ around, down, weight }) => {
          const sine = Math.sin(down);
          const [x, y] = [sine * Math.cos(around), sine * Math.sin(around)];
          return [x, y, Math.cos(down), weight / total];
        }),
      ),
    };
  });

const sizes = fc.constantFrom(2, 4, 8);
const levels = fc.array(fc.record({ size: sizes, lobe: lobes }), { minLength: 1, maxLength: 3 });

describe('Kernels for light', () => {
  test('of WebAssembly and of JavaScript come to the same bits', async () => {
    const simd = await loadLightKernel();
    expect(simd).not.toBe(scalarLightKernel);
    await fc.assert(
      fc.asyncProperty(levels, async (asked) => {
        expect(await simd(asked)).toEqual(await scalarLightKernel(asked));
      }),
    );
  });

  test('see what angles and interpolation by the book see', async () => {
    await fc.assert(
      fc.asyncProperty(lobes, sizes, async (lobe, size) => {
        const [pixels = new Uint16Array(0)] = await scalarLightKernel([{ size, lobe }]);
        const expected = levelByTheBook(lobe, size);
        expect(pixels).toHaveLength(expected.length);
        expected.forEach((light, i) => {
          // Halfs are right to a thousandth, and angles to a small part of a pixel.
          expect(Math.abs(fromHalf(pixels[i] ?? NaN) - light)).toBeLessThan(2e-3);
        });
      }),
    );
  });

  test('keep light from the smallest half float to the largest, and make what is beyond that one', async () => {
    const values = [0, 2 ** -26, 2 ** -24, 3 * 2 ** -24, 2 ** -14, 1, 1_025 / 1_024, 65_504, 1e12];
    const bits = [0, 0, 1, 3, 0x400, 0x3c00, 0x3c01, 0x7bff, 0x7bff];
    const asked = values.map((value) => {
      const image = { width: 1, height: 1, data: new Float32Array(3).fill(value) };
      return { size: 2, lobe: { samples: Float32Array.of(0, 0, 1, 1), images: [image] } };
    });
    for (const kernel of [scalarLightKernel, await loadLightKernel()]) {
      const made = await kernel(asked);
      // Of a picture of one pixel four quarters are added, which may be off by a unit in the last place.
      made.forEach((pixels, i) => {
        const [red = NaN] = pixels;
        expect(Math.abs(red - (bits[i] ?? NaN))).toBeLessThanOrEqual(1);
      });
    }
  });

  test('are those of JavaScript where a page forbids WebAssembly', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('blocked'));
    expect(await loadLightKernel()).toBe(scalarLightKernel);
  });

  test('are those of JavaScript for pictures that WebAssembly finds no memory for, and of WebAssembly after', async () => {
    const kernel = await loadLightKernel();
    const asked = fc.sample(levels, 1)[0] ?? [];
    const expected = await scalarLightKernel(asked);
    const memory = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function refuse() {
      throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    });
    const instantiate = vi.spyOn(WebAssembly, 'instantiate');
    expect(await kernel(asked)).toEqual(expected);
    expect(memory).toHaveBeenCalledOnce();
    expect(instantiate).not.toHaveBeenCalled();
    memory.mockRestore();
    expect(await kernel(asked)).toEqual(expected);
    expect(instantiate).toHaveBeenCalledOnce();
  });

  test('leave other failures as they are', async () => {
    const kernel = await loadLightKernel();
    const failure = new TypeError('not a number');
    vi.spyOn(WebAssembly, 'Memory').mockImplementation(function refuse() {
      throw failure;
    });
    await expect(kernel(fc.sample(levels, 1)[0] ?? [])).rejects.toBe(failure);
  });

  test('have the bytes in the repository that their source gives', async () => {
    const committed = new URL('../src/environment/light-kernel-bytes.ts', import.meta.url);
    expect(await lightKernelFile()).toBe(await readFile(committed, 'utf8'));
  });
});

/** RGBA of all six faces, in double precision. */
function levelByTheBook(lobe: Lobe, size: number): number[] {
  const result: number[] = [];
  for (let face = 0; face < 6; face++) {
    for (let i = 0; i < size * size; i++) {
      const u = (((i % size) + 0.5) / size) * 2 - 1;
      const v = ((Math.floor(i / size) + 0.5) / size) * 2 - 1;
      result.push(...lightByTheBook(lobe, towards(face, u, v)), 1);
    }
  }
  return result;
}

type Vector = readonly [number, number, number];

function towards(face: number, u: number, v: number): Vector {
  const all: readonly Vector[] = [
    [1, -v, -u],
    [-1, -v, u],
    [u, 1, v],
    [u, -1, -v],
    [u, -v, 1],
    [-u, -v, -1],
  ];
  return unit(all[face] ?? [0, 0, 0]);
}

function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function cross([a, b, c]: Vector, [x, y, z]: Vector): Vector {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

function lightByTheBook({ samples, images: pictures }: Lobe, normal: Vector): Vector {
  const tangent = unit(cross([0, 1, 0], normal));
  const bitangent = cross(normal, tangent);
  const light: [number, number, number] = [0, 0, 0];
  pictures.forEach((picture, i) => {
    const [sx = 0, sy = 0, sz = 0, weight = 0] = samples.subarray(i * 4, i * 4 + 4);
    const along = (axis: 0 | 1 | 2): number =>
      tangent[axis] * sx + bitangent[axis] * sy + normal[axis] * sz;
    const [x, y, z] = unit([along(0), along(1), along(2)]);
    const u = (0.5 + Math.atan2(x, -z) / (2 * Math.PI)) * picture.width - 0.5;
    const v = (Math.acos(y) / Math.PI) * picture.height - 0.5;
    for (let c = 0; c < 3; c++) light[c] = (light[c] ?? 0) + weight * lookUp(picture, u, v, c);
  });
  return light;
}

function lookUp({ width, height, data }: FloatImage, u: number, v: number, c: number): number {
  const at = (column: number, row: number): number => {
    const x = ((column % width) + width) % width;
    const y = Math.min(height - 1, Math.max(0, row));
    return data[(y * width + x) * 3 + c] ?? NaN;
  };
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const [fx, fy] = [u - left, v - top];
  const row = (y: number): number => at(left, y) * (1 - fx) + at(left + 1, y) * fx;
  return row(top) * (1 - fy) + row(top + 1) * fy;
}
