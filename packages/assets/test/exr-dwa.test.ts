import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DiagnosticReport } from '../src/diagnostics/diagnostic-report.js';
import type { ExrChannel } from '../src/environment/exr-channels.js';
import { DwaDecoder } from '../src/environment/exr-dwa.js';
import { fromHalf } from '../src/environment/float-image.js';
import { readExr } from '../src/environment/read-exr.js';
import { writeDwa, type DwaSource } from './dwa-writer.js';
import { sumOfCosines } from './sum-of-cosines.js';

/** Places of coefficients in the rows of a block, by which they are stored. */
const ZIGZAG = [
  [0, 1, 5, 6, 14, 15, 27, 28],
  [2, 4, 7, 13, 16, 26, 29, 42],
  [3, 8, 12, 17, 25, 30, 41, 43],
  [9, 11, 18, 24, 31, 40, 44, 53],
  [10, 19, 23, 32, 39, 45, 52, 54],
  [20, 22, 33, 38, 46, 51, 55, 60],
  [21, 34, 37, 47, 50, 56, 59, 61],
  [35, 36, 48, 49, 57, 58, 62, 63],
].flat();

const LISTS: readonly (readonly string[])[] = [
  ['B', 'G', 'R'],
  ['A', 'B', 'G', 'R'],
  ['A', 'B', 'G', 'R', 'Y', 'Z'],
  ['Y'],
  ['A', 'Y', 'Z'],
  ['G', 'R'],
  ['A', 'Z'],
];

const decoder = new DwaDecoder();
const decode = (data: Uint8Array, { width, rows, channels }: DwaSource): Uint8Array | undefined =>
  decoder.decode(data, sizeOf({ width, rows, channels }), width, rows, channels);
const sizeOf = ({
  width,
  rows,
  channels,
}: Pick<DwaSource, 'width' | 'rows' | 'channels'>): number =>
  channels.reduce((sum, { bytes }) => sum + bytes, 0) * width * rows;

/** Names of lossy channels as they are stored. */
function lossyOf(names: readonly string[]): string[] {
  const isTriple = ['R', 'G', 'B'].every((name) => names.includes(name));
  const rest = names.filter((name) => 'RGBY'.includes(name) && !(isTriple && 'RGB'.includes(name)));
  return isTriple ? ['R', 'G', 'B', ...rest] : rest;
}

/** Half floats: a few of moderate size, and zeros. */
const coefficient = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  fc
    .tuple(fc.integer({ min: 0x2000, max: 0x3800 }), fc.boolean())
    .map(([half, negative]) => (negative ? half | 0x8000 : half)),
);
const block = fc
  .tuple(fc.integer({ min: 0x3000, max: 0x4c00 }), fc.array(coefficient, { maxLength: 63 }))
  .map(([first, others]) => Array.from({ length: 64 }, (_, i) => [first, ...others][i] ?? 0));

const source: fc.Arbitrary<DwaSource> = fc
  .record({
    names: fc.constantFrom(...LISTS),
    width: fc.integer({ min: 1, max: 20 }),
    rows: fc.integer({ min: 1, max: 20 }),
    types: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    perceived: fc.boolean(),
    version: fc.constantFrom(1 as const, 2 as const),
    blocks: fc.array(block, { minLength: 1, maxLength: 12 }),
    noise: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  })
  .map(({ names, width, rows, types, perceived, version, blocks, noise }) => {
    const channels = names.map((name, i): ExrChannel => {
      const isHalf = types[i] ?? true;
      return {
        name,
        type: isHalf ? 'half' : 'float',
        bytes: isHalf ? 2 : 4,
        isPerceivedLinearly: perceived,
      };
    });
    const count = Math.ceil(width / 8) * Math.ceil(rows / 8);
    const lossy = lossyOf(names).map((_, c) =>
      Array.from({ length: count }, (_, i) => blocks[(c * 5 + i) % blocks.length] ?? []),
    );
    const others = new Map(
      channels.map(({ name, bytes }) => [
        name,
        Uint8Array.from({ length: bytes * width * rows }, (_, i) => noise[i % noise.length] ?? 0),
      ]),
    );
    return { width, rows, channels, version, lossy, others };
  });

/** What the lossy channels hold, by the definition of the format: as stored, before it is light. */
function perceivedValues({ width, rows, channels, lossy }: DwaSource): Map<string, number[]> {
  const names = lossyOf(channels.map(({ name }) => name));
  const across = Math.ceil(width / 8);
  const planes = lossy.map((blocks) => {
    const plane = Array.from({ length: width * rows }, () => 0);
    blocks.forEach((stored, index) => {
      const values = sumOfCosines(ZIGZAG.map((place) => fromHalf(stored[place] ?? 0)));
      values.forEach((value, i) => {
        const x = (index % across) * 8 + (i % 8);
        const y = Math.floor(index / across) * 8 + Math.floor(i / 8);
        if (x < width && y < rows) plane[y * width + x] = value;
      });
    });
    return plane;
  });
  const result = new Map(names.map((name, i) => [name, planes[i] ?? []]));
  const [luma = [], cb = [], cr = []] = planes;
  if (names.length >= 3) {
    result.set(
      'R',
      luma.map((y, i) => y + 1.5747 * (cr[i] ?? 0)),
    );
    result.set(
      'G',
      luma.map((y, i) => y - 0.1873 * (cb[i] ?? 0) - 0.4682 * (cr[i] ?? 0)),
    );
    result.set(
      'B',
      luma.map((y, i) => y + 1.8556 * (cb[i] ?? 0)),
    );
  }
  return result;
}

/** Whether a value is what is meant by one as stored, but for rounding to half floats. */
function isNear(found: number, stored: number, isLinear: boolean): boolean {
  const size = Math.abs(stored);
  const light = size <= 1 ? size ** 2.2 : Math.exp(2.2 * (size - 1));
  const wanted = isLinear ? stored : Math.sign(stored) * light;
  // Half the distance between half floats as stored, and of light once more.
  const share = 2 ** -11 * (isLinear ? 1 : 1 + 2.3 * Math.max(1, size));
  // Beyond half floats there is only infinity.
  if (Math.abs(wanted) > 60_000 && Math.abs(found) > 60_000) return true;
  return Math.abs(found - wanted) < Math.abs(wanted) * share + 4e-6;
}

describe('blocks of DWAA', () => {
  test('are the sums of cosines, the runs and the bytes that they were made of', () => {
    fc.assert(
      fc.property(source, (made) => {
        const bytes = decode(writeDwa(made), made);
        expect(bytes?.byteLength).toBe(sizeOf(made));
        const view = new DataView(bytes?.buffer ?? new ArrayBuffer(0));
        const perceived = perceivedValues(made);
        const isTriple = perceived.has('R') && perceived.has('G') && perceived.has('B');
        const wrong: string[] = [];
        let at = 0;
        for (let y = 0; y < made.rows; y++) {
          for (const { name, bytes: size, isPerceivedLinearly } of made.channels) {
            const isLinear = isPerceivedLinearly && !(isTriple && 'RGB'.includes(name));
            for (let x = 0; x < made.width; x++, at += size) {
              const place = y * made.width + x;
              const stored = perceived.get(name)?.[place];
              const isRight =
                stored === undefined
                  ? [0, 1, 2, 3].every(
                      (i) =>
                        i >= size || bytes?.[at + i] === made.others.get(name)?.[place * size + i],
                    )
                  : isNear(
                      size === 2 ? fromHalf(view.getUint16(at, true)) : view.getFloat32(at, true),
                      stored,
                      isLinear,
                    );
              if (!isRight) wrong.push(`${name} at ${x}, ${y}`);
            }
          }
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  const channel = (name: string, type: 'half' | 'float' = 'half'): ExrChannel => ({
    name,
    type,
    bytes: type === 'half' ? 2 : 4,
    isPerceivedLinearly: false,
  });
  const stored = Array.from({ length: 64 }, (_, i) => (i % 7 === 0 ? 0x3c00 + i : 0));
  const sample: DwaSource = {
    width: 9,
    rows: 10,
    channels: [channel('A'), channel('B'), channel('G'), channel('R'), channel('Z', 'float')],
    version: 2,
    lossy: [0, 1, 2].map(() => [stored, stored, stored, stored]),
    others: new Map([
      ['A', Uint8Array.from({ length: 180 }, (_, i) => i)],
      ['Z', Uint8Array.from({ length: 360 }, (_, i) => i >> 1)],
    ]),
  };

  test('whose counters lie, or that are cut, are refused', () => {
    const sound = writeDwa(sample);
    expect(decode(sound, sample)).toBeDefined();
    for (let counter = 0; counter < 11; counter++) {
      for (const value of [-1n, 1n, 2n ** 31n, 2n ** 53n, 2n ** 63n, -(2n ** 20n)]) {
        const bytes = sound.slice();
        const view = new DataView(bytes.buffer);
        view.setBigUint64(counter * 8, view.getBigUint64(counter * 8, true) + value, true);
        expect(decode(bytes, sample)).toBeUndefined();
      }
    }
    for (let length = 0; length < sound.length; length++) {
      expect(decode(sound.slice(0, length), sample)).toBeUndefined();
    }
    expect(decode(Uint8Array.from([...sound, 0]), sample)).toBeUndefined();
    // Of another size, or with other channels.
    for (const other of [
      { width: 8 },
      { width: 17 },
      { rows: 11 },
      { channels: sample.channels.slice(1) },
    ]) {
      expect(decode(sound, { ...sample, ...other })).toBeUndefined();
    }
    // Small data that promises very much.
    expect(decode(sound, { ...sample, width: 16_384, rows: 256 })).toBeUndefined();
  });

  test('whose rules are cut or contradict one another are refused', () => {
    const sound = writeDwa(sample);
    const rules = 88 + 2;
    const refused = (change: (bytes: Uint8Array) => void): boolean => {
      const bytes = sound.slice();
      change(bytes);
      return decode(bytes, sample) === undefined;
    };
    const set = (at: number, value: number) => (bytes: Uint8Array) => {
      bytes[at] = value;
    };
    // The first rule: "R", zero, bits, type.
    expect(refused(set(88, 0))).toBe(true);
    expect(refused(set(88, 255))).toBe(true);
    expect(refused(set(88, (sound[88] ?? 0) - 1))).toBe(true);
    expect(refused(set(rules + 2, 0x54))).toBe(true);
    expect(refused(set(rules + 2, 0x1c))).toBe(true);
    expect(refused(set(rules + 3, 3))).toBe(true);
    // Lossy whole numbers.
    expect(refused(set(rules + 3, 0))).toBe(true);
    // Red that is stored otherwise than green and blue, or is green, too.
    expect(refused(set(rules + 2, 0x10))).toBe(true);
    expect(refused(set(rules + 8, 'R'.charCodeAt(0)))).toBe(true);
    // Red is not one of three if no rule says so.
    expect(refused(set(rules + 2, 0x04))).toBe(false);
  });

  test('that are damaged are read or refused, whatever bytes are wrong', () => {
    fc.assert(
      fc.property(
        source,
        fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (made, faults) => {
          const bytes = writeDwa(made);
          for (const [at, byte] of faults) bytes[at % bytes.length] = byte;
          expect([undefined, sizeOf(made)]).toContain(decode(bytes, made)?.byteLength);
        },
      ),
      { numRuns: 300 },
    );
  });
});

// Written by OpenEXR 3.1.5 from sine waves, steps and a sun, of level 45 to 300; it also read them and wrote their colours as ZIP. `dwaa` has
// 32 rows and three that are as they are, alpha and a depth of floats; `dwab-layers` green of half among floats and a second layer; the tiles
// are of 24 × 21. Odd numbers of pixels in all.
test.each(['dwaa', 'dwaa-luminance', 'dwab-layers', 'tiles-dwab'])(
  'pictures of DWAA and DWAB are what OpenEXR reads: %s',
  (name) => {
    const load = (file: string) =>
      readExr(
        new Uint8Array(readFileSync(new URL(`fixtures/${file}.exr`, import.meta.url))),
        new DiagnosticReport('/a.exr'),
      ).image;
    const ours = load(name);
    const theirs = load(`${name}-decoded`);
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
    expect(new Set(theirs.data).size).toBeGreaterThan(100);
    const different = [...ours.data.keys()].filter((i) => ours.data[i] !== theirs.data[i]);
    // The sums of floats are in another order. Where that rounds to the next half float, it is at most 1.2 % of the light.
    const wrong = different.filter((i) => {
      const wanted = theirs.data[i] ?? NaN;
      return !(Math.abs((ours.data[i] ?? NaN) - wanted) < wanted * 0.012 + 2 ** -20);
    });
    expect(wrong).toEqual([]);
    expect(different.length / ours.data.length).toBeLessThan(0.02);
  },
);
