import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { describeImporter } from '../src/conformance.js';
import { turnOf } from '../src/environment/fast-angles.js';
import { fromHalf, halve, toHalf, type FloatImage } from '../src/environment/float-image.js';
import { harmonics, projectIrradiance } from '../src/environment/irradiance.js';
import { Panorama } from '../src/environment/panorama.js';
import { loadLightKernel } from '../src/environment/light-kernel.js';
import { mirrorLobe } from '../src/environment/lobe.js';
import { prefilter } from '../src/environment/prefilter.js';
import { readRgbe } from '../src/environment/read-rgbe.js';
import { direct, type Direction } from '../src/environment/scalar-light-kernel.js';
import {
  DiagnosticReport,
  environmentImporter,
  type EnvironmentData,
  type ImportError,
} from '../src/index.js';
import { corpusEntries, corpusFile, hasCorpus, type CorpusEntry } from './corpus.js';
import { dataOf, importFile } from './import-file.js';

/** A picture of flat RGBE pixels. */
function hdr(width: number, height: number, pixel: (x: number, y: number) => readonly number[]) {
  const header = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`;
  const pixels = Array.from({ length: width * height }, (_, i) =>
    pixel(i % width, Math.floor(i / width)),
  );
  return new Uint8Array([...new TextEncoder().encode(header), ...pixels.flat()]);
}

const GREY = [128, 64, 32, 129];
const read = (bytes: Uint8Array) => readRgbe(bytes, new DiagnosticReport('/a.hdr'));

describe('Radiance pictures', () => {
  test('are read as linear light, in whichever of the encodings', () => {
    const times = (count: number, ...codes: number[]): number[] =>
      Array.from({ length: count }, () => codes).flat();
    const rows = [
      // Plain pixels.
      times(305, 8, 4, 2, 137),
      // A run of 44 + 1 × 256, and four other pixels.
      [8, 4, 2, 137, 1, 1, 1, 44, 1, 1, 1, 1].concat(times(4, 1, 2, 3, 137)),
      // Runs and stretches, channel after channel.
      [2, 2, 305 >> 8, 305 & 255].concat(
        [255, 8, 255, 8, 128 + 50, 8, 1, 9],
        times(305, 1, 4),
        [255, 2, 255, 2, 128 + 51, 2],
        [255, 137, 255, 137, 128 + 51, 137],
      ),
    ];
    const header = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 3 +X 305\n';
    const bytes = [...new TextEncoder().encode(header), ...rows.flat()];
    const { data } = read(Uint8Array.from(bytes));
    const pixel = (x: number, y: number) => [
      ...data.subarray((y * 305 + x) * 3, (y * 305 + x) * 3 + 3),
    ];
    for (const [x, y] of [
      [0, 0],
      [304, 0],
      [0, 1],
      [300, 1],
      [0, 2],
      [303, 2],
    ] as const) {
      expect(pixel(x, y)).toEqual([16, 8, 4]);
    }
    expect([pixel(301, 1), pixel(304, 1)]).toEqual([
      [2, 4, 6],
      [2, 4, 6],
    ]);
    expect(pixel(304, 2)).toEqual([18, 8, 4]);
  });

  test('that little bytes blow up to many pixels are refused before these are made', () => {
    const row = [100, 50, 25, 128, 1, 1, 1, 255, 1, 1, 1, 63];
    const rows = Array<number[]>(2_048).fill(row).flat();
    const header = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2048 +X 16384\n';
    const bytes = Uint8Array.from([...new TextEncoder().encode(header), ...rows]);
    expect(() => read(bytes)).toThrow(/hdr.*16384 × 2048 pixels don't fit/);
  });

  test('whose exposure is nearly nothing hold numbers', () => {
    const header = (line: string): string =>
      `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n${line}\n\n-Y 1 +X 2\n`;
    for (const line of ['EXPOSURE=1e-320', 'EXPOSURE=1e-200\nEXPOSURE=1e-200']) {
      const text = new TextEncoder().encode(header(line));
      const image = read(Uint8Array.from([...text, 0, 255, 0, 255, 0, 0, 0, 129]));
      expect([...image.data]).toEqual([0, Math.fround(1e12), 0, 0, 0, 0]);
    }
  });

  test('whose exposure is blank say so, however long it is', () => {
    const blank = ' '.repeat(60_000);
    const text = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=${blank}\r\r\n\n-Y 1 +X 1\n`;
    const report = new DiagnosticReport('/a.hdr');
    readRgbe(Uint8Array.from([...new TextEncoder().encode(text), 1, 1, 2, 129]), report);
    expect(report.list().map(({ code }) => code)).toEqual(['assets/hdr-header']);
  });

  test('hold no light that sums to the infinite', async () => {
    const [before, size] = ['#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n', '\n-Y 4 +X 8\n'];
    const text = new TextEncoder().encode(`${before}EXPOSURE=1e-30\n${size}`);
    const bytes = new Uint8Array([...text, ...Array(32).fill([255, 1, 0, 255]).flat()]);
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/a.hdr': bytes } }));
    const outcome = await importFile(environmentImporter(), vfs, VFSPath.parse('/a.hdr'), {
      size: 16,
    });
    if (outcome.kind === 'refused') throw outcome.error;
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(['assets/hdr-values']);
    const [environment] = dataOf(outcome.assets, 'environment');
    expect([...(environment?.irradiance ?? [NaN])].every(Number.isFinite)).toBe(true);
  });

  test('are read with the top row first', () => {
    const image = read(hdr(2, 2, (x, y) => [128, x * 64, y * 64, 129]));
    expect([...image.data]).toEqual([1, 0, 0, 1, 0.5, 0, 1, 0, 0.5, 1, 0.5, 0.5]);
  });

  test.each([
    ['a header without end', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n', 'assets/hdr-header'],
    [
      'another format',
      '#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n1111',
      'assets/hdr-format',
    ],
    ['no size', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n', 'assets/hdr-size'],
    ['a size of 0', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 0 +X 4\n', 'assets/hdr-size'],
    [
      'a size beyond reason',
      '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16000 +X 16000\n',
      'assets/hdr-size',
    ],
    [
      'more rows than bytes',
      '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9000 +X 1\n1111',
      'assets/hdr-truncated',
    ],
  ])('with %s are refused', (_, text, code) => {
    expect(() => read(new TextEncoder().encode(text))).toThrow(expect.objectContaining({ code }));
  });
});

describe.skipIf(!hasCorpus)('Radiance pictures of the corpus', () => {
  const entries = corpusEntries().filter((entry) => entry.file.endsWith('.hdr'));
  const allowed: Readonly<Record<string, readonly string[]>> = {
    valid: ['read'],
    'valid-or-warn': ['read'],
    'reject-or-warn': ['read', 'refused'],
    reject: ['refused'],
  };

  test.each(entries.map((entry) => [entry.id, entry] as const))('%s', (_, entry) => {
    const {
      verdict = '',
      width,
      height,
      maxBlue,
    } = (entry.expect ?? {}) as {
      verdict?: string;
      width?: number;
      height?: number;
      maxBlue?: number;
    };
    let outcome = 'refused';
    let code = 'none';
    let isFinite = true;
    let worst = 0;
    let found: object = {};
    try {
      const image = read(corpusFile(entry.file));
      outcome = 'read';
      worst = worstError(image, entry);
      isFinite = image.data.every(Number.isFinite);
      const blue = image.data.filter((value, i) => i % 3 === 2).reduce((a, b) => Math.max(a, b), 0);
      found = {
        ...(width === undefined ? {} : { width: image.width, height: image.height }),
        ...(maxBlue === undefined ? {} : { maxBlue: blue }),
      };
    } catch (error) {
      ({ code } = error as ImportError);
    }
    expect(code).toMatch(/^(none|assets\/hdr-[a-z]+)$/);
    expect(isFinite).toBe(true);
    expect(worst).toBeLessThan(1e-4);
    expect(allowed[verdict]).toContain(outcome);
    const facts = {
      ...(width === undefined ? {} : { width, height }),
      ...(maxBlue === undefined ? {} : { maxBlue }),
    };
    expect(outcome === 'read' ? found : facts).toEqual(facts);
  });
});

/** The largest relative difference to what three.js reads: size, maximum and mean of each channel. */
function worstError(image: FloatImage, { facts }: CorpusEntry): number {
  const { three } = (facts ?? {}) as {
    three?: { width: number; height: number; max: number[]; mean: number[] };
  };
  if (!three?.max) return 0;
  if (three.width !== image.width || three.height !== image.height) return Infinity;
  const pixels = image.width * image.height;
  const errors = [0, 1, 2].flatMap((c) => {
    let most = 0;
    let sum = 0;
    for (let i = c; i < image.data.length; i += 3) {
      most = Math.max(most, image.data[i] ?? 0);
      sum += image.data[i] ?? 0;
    }
    // three.js divides by 255 where the format's definition says 256; in what it can't read it finds null.
    const [max, mean] = [
      (three.max[c] ?? Number.NaN) * (255 / 256),
      (three.mean[c] ?? Number.NaN) * (255 / 256),
    ];
    if (Number.isNaN(max + mean)) return [];
    return [Math.abs(most - max) / (max || 1), Math.abs(sum / pixels - mean) / (mean || 1)];
  });
  return Math.max(0, ...errors);
}

describe('an environment', () => {
  test('of one colour reflects that colour everywhere, at every roughness', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/a.hdr': hdr(32, 16, () => GREY) } }));
    const outcome = await importFile(environmentImporter(), vfs, VFSPath.parse('/a.hdr'), {
      size: 16,
    });
    const [data] = dataOf(outcome.kind === 'imported' ? outcome.assets : [], 'environment') as [
      EnvironmentData,
    ];
    expect(data.levels.map(({ size, roughness }) => [size, roughness])).toEqual([
      [16, 0],
      [8, 0.5],
      [4, 1],
    ]);
    const expected = [1, 0.5, 0.25, 1].map(toHalf);
    for (const { faces, size } of data.levels) {
      expect(faces).toHaveLength(6 * size * size * 4);
      faces.forEach((bits, i) => {
        // One unit in the last place.
        expect(Math.abs(bits - (expected[i % 4] ?? 0))).toBeLessThanOrEqual(1);
      });
    }
    for (const [x, y, z] of [
      [0, 1, 0],
      [1, 0, 0],
      [0, -0.6, 0.8],
    ] as const) {
      const basis = harmonics(x, y, z);
      [1, 0.5, 0.25].forEach((colour, c) => {
        const light = basis.reduce((sum, b, i) => sum + b * (data.irradiance[i * 3 + c] ?? 0), 0);
        expect(light).toBeCloseTo(colour, 2);
      });
    }
  });

  test('shows a lamp where it is, and less sharply the rougher the surface', async () => {
    // A lamp in direction +X: three quarters of the way across, half way down.
    const image = read(
      hdr(64, 32, (x, y) => (x === 48 && y === 16 ? [255, 255, 255, 140] : [0, 0, 0, 0])),
    );
    const levels = await prefilter(new Panorama(image), 32, await loadLightKernel());
    const brightest = levels.map(({ faces, size }) => {
      let best = 0;
      for (let i = 0; i < faces.length; i += 4) if ((faces[i] ?? 0) > (faces[best] ?? 0)) best = i;
      const pixel = best / 4;
      const face = Math.floor(pixel / (size * size));
      const u = (((pixel % size) + 0.5) / size) * 2 - 1;
      const v = ((Math.floor((pixel % (size * size)) / size) + 0.5) / size) * 2 - 1;
      const towards: Direction = [0, 0, 0];
      direct(towards, face, u, v);
      return { towards, value: faces[best] ?? 0 };
    });
    for (const { towards } of brightest) expect(towards[0]).toBeGreaterThan(0.6);
    const values = brightest.map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    const irradiance = projectIrradiance(image);
    const lit = (x: number): number =>
      harmonics(x, 0, 0).reduce((sum, b, i) => sum + b * (irradiance[i * 3] ?? 0), 0);
    expect(lit(1)).toBeGreaterThan(lit(-1) * 4);
  });

  test('angles are those of Math, to 4e-7', () => {
    const part = fc.float({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(part, part, (y, x) => {
        fc.pre(Math.hypot(x, y) > 1e-3);
        const angle = Math.atan2(y + 0, x + 0);
        expect(Math.abs(turnOf(y, x) * 2 * Math.PI - angle)).toBeLessThan(4e-7);
      }),
    );
    expect(turnOf(0, 0)).toBe(0);
  });

  test('is between its pixels, and goes on around the sides', async () => {
    // Brighter to the right: 0, 1, 2 … 7.
    const data = Float32Array.from({ length: 8 * 4 * 3 }, (_, i) => Math.floor(i / 3) % 8);
    const size = 16;
    const lobe = mirrorLobe(new Panorama({ width: 8, height: 4, data }), size);
    const [pixels = new Uint16Array(0)] = await (await loadLightKernel())([{ size, lobe }]);
    const towards: Direction = [0, 0, 0];
    for (let face = 0; face < 6; face++) {
      for (let i = 0; i < size * size; i++) {
        const column = ((i % size) + 0.5) / size;
        direct(towards, face, column * 2 - 1, ((Math.floor(i / size) + 0.5) / size) * 2 - 1);
        const place = (Math.atan2(towards[0], -towards[2]) / (2 * Math.PI) + 0.5) * 8 - 0.5;
        // Around the sides it falls from 7 to 0.
        const expected = place < 0 ? -place * 7 : place > 7 ? (8 - place) * 7 : place;
        const seen = fromHalf(pixels[(face * size * size + i) * 4] ?? NaN);
        expect(Math.abs(seen - expected)).toBeLessThan(0.004);
      }
    }
  });

  test('keeps its mean light when it is made smaller', () => {
    const image = read(hdr(8, 4, (x, y) => [x * 30, y * 60, 100, 129]));
    const mean = (data: Float32Array): number => data.reduce((a, b) => a + b, 0) / data.length;
    expect(mean(halve(image).data)).toBeCloseTo(mean(image.data), 5);
  });

  test('half floats are the nearest there are', () => {
    const known: readonly (readonly [number, number])[] = [
      [0, 0],
      [1, 0x3c00],
      [0.5, 0x3800],
      [65_504, 0x7bff],
      [1e9, 0x7bff],
      [2 ** -24, 1],
      [2 ** -14, 0x0400],
      [Number.NaN, 0],
      [-1, 0],
    ];
    for (const [value, bits] of known) expect(toHalf(value)).toBe(bits);
    fc.assert(
      fc.property(fc.double({ min: 2 ** -14, max: 65_504, noNaN: true }), (value) => {
        const bits = toHalf(value);
        const back = 2 ** ((bits >> 10) - 15) * (1 + (bits & 1_023) / 1_024);
        expect(Math.abs(back - value) / value).toBeLessThanOrEqual(2 ** -11 + 1e-9);
      }),
    );
  });
});

describeImporter(
  { describe, it },
  {
    importer: environmentImporter(),
    mutations: 60,
    samples: [
      {
        files: { '/a.hdr': hdr(16, 8, (x, y) => [x * 10, y * 20, 9, 128]) },
        path: '/a.hdr',
        settings: { size: 16 },
      },
    ],
  },
);
