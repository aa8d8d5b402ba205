import { readFileSync } from 'node:fs';
import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { zlibSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DiagnosticReport } from '../src/diagnostics/diagnostic-report.js';
import { undoB44 } from '../src/environment/exr-b44.js';
import { panoramaOfCube } from '../src/environment/cube-panorama.js';
import { readExr, type ExrPicture } from '../src/environment/read-exr.js';
import { environmentImporter, ImportError, type Diagnostic } from '../src/index.js';
import { corpusEntries, corpusFile, hasCorpus } from './corpus.js';
import { dataOf, importFile } from './import-file.js';

interface Sample {
  readonly width: number;
  readonly height: number;
  readonly compression: 'none' | 'zip';
  readonly type: 'half' | 'float';
  readonly top: number;
  /** Of red, green and blue. */
  readonly value: (x: number, y: number, channel: number) => number;
}

const text = (value: string): number[] => [...new TextEncoder().encode(value), 0];
const word = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);

const attribute = (name: string, kind: string, data: readonly number[]): number[] => [
  ...text(name),
  ...text(kind),
  ...word(data.length),
  ...data,
];
const channelList = (names: readonly string[], type: Sample['type']): number[] => [
  ...names.flatMap((name) => [
    ...text(name),
    ...word(type === 'half' ? 1 : 2),
    ...word(0),
    ...word(1),
    ...word(1),
  ]),
  0,
];

/** Writes an OpenEXR, its blocks in reverse order. */
function writeExr({ width, height, compression, type, top, value }: Sample): Uint8Array {
  const bytes = type === 'half' ? 2 : 4;
  const window = [0, top, width - 1, top + height - 1].flatMap(word);
  const header = [
    ...word(20_000_630),
    ...word(2),
    ...attribute('channels', 'chlist', channelList(['B', 'G', 'R'], type)),
    ...attribute('compression', 'compression', [compression === 'none' ? 0 : 3]),
    ...attribute('dataWindow', 'box2i', window),
    0,
  ];
  const blockRows = compression === 'none' ? 1 : 16;
  const count = Math.ceil(height / blockRows);
  const blocks: number[][] = [];
  for (let block = 0; block < count; block++) {
    const first = block * blockRows;
    const rows = Math.min(blockRows, height - first);
    const raw = new Uint8Array(rows * width * 3 * bytes);
    const view = new DataView(raw.buffer);
    let at = 0;
    for (let y = first; y < first + rows; y++) {
      for (const channel of [2, 1, 0]) {
        for (let x = 0; x < width; x++, at += bytes) {
          if (bytes === 4) view.setFloat32(at, value(x, y, channel), true);
          else view.setUint16(at, halfOf(value(x, y, channel)), true);
        }
      }
    }
    const packed = compression === 'none' ? raw : zlibSync(predict(raw));
    const data = packed.length < raw.length ? packed : raw;
    blocks[block] = [...word(top + first), ...word(data.length), ...data];
  }
  const offsets = Array.from({ length: count }, () => 0);
  let end = header.length + count * 8;
  for (let block = count - 1; block >= 0; block--) {
    offsets[block] = end;
    end += blocks[block]?.length ?? 0;
  }
  const table = offsets.flatMap((offset) => [...word(offset), ...word(0)]);
  return Uint8Array.from([...header, ...table, ...blocks.toReversed().flat()]);
}

/** Of whole numbers below 2,048, which halves hold exactly. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | ((value / 2 ** exponent - 1) * 1_024);
}

function predict(raw: Uint8Array): Uint8Array {
  const half = (raw.length + 1) >> 1;
  const split = raw.map((_, i) => (i < half ? raw[i * 2] : raw[(i - half) * 2 + 1]) ?? 0);
  return split.map((byte, i) => (i === 0 ? byte : byte - (split[i - 1] ?? 0) + 128));
}

/** PIZ of one pixel whose three halfs are 1, with a code for that and one for repetitions at the far end of the symbols. */
function pizOfOne(): number[] {
  let bits = '';
  const put = (value: number, count: number): void => {
    bits += value.toString(2).padStart(count, '0');
  };
  // Symbol 1 has a code of one bit; then there are runs of symbols without one, of up to 261; so has the last symbol.
  put(1, 6);
  let without = 65_534;
  for (; without >= 6; without -= Math.min(261, without)) {
    put(63, 6);
    put(Math.min(261, without) - 6, 8);
  }
  for (; without > 0; without--) put(0, 6);
  put(1, 6);
  const bytesOf = (text: string): number[] =>
    (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  const table = bytesOf(bits);
  const huffman = [
    ...[1, 65_536, table.length, 3, 0].flatMap(word),
    ...table,
    // Three times the first code.
    ...bytesOf('000'),
  ];
  // Of values there is 0x3c00, which has number 1.
  const bitmap = [0x80, 0x07, 0x80, 0x07, 1];
  return [...bitmap, ...word(huffman.length), ...huffman];
}

function read(bytes: Uint8Array): ExrPicture & { diagnostics: readonly Diagnostic[] } {
  const report = new DiagnosticReport('/a.exr');
  const picture = readExr(bytes, report);
  return { ...picture, diagnostics: report.list() };
}

/** The code of a refusal, or `read`. */
function codeOf(bytes: Uint8Array): string {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof ImportError) return error.code;
    throw error;
  }
  return 'read';
}

const plain: Sample = {
  width: 5,
  height: 20,
  compression: 'zip',
  type: 'half',
  top: 0,
  value: (x, y, channel) => x + y * 10 + channel * 300,
};

describe('OpenEXR pictures', () => {
  test('are read whatever their size, place, type and compression', () => {
    fc.assert(
      fc.property(
        fc.record({
          width: fc.integer({ min: 1, max: 12 }),
          height: fc.integer({ min: 1, max: 40 }),
          compression: fc.constantFrom('none' as const, 'zip' as const),
          type: fc.constantFrom('half' as const, 'float' as const),
          top: fc.integer({ min: -50, max: 50 }),
          seed: fc.nat(1_000),
        }),
        ({ seed, ...shape }) => {
          const value: Sample['value'] = (x, y, channel) =>
            (seed + x * 31 + y * 17 + channel * 7) % 2_000;
          const { image, isCube, diagnostics } = read(writeExr({ ...shape, value }));
          expect(diagnostics).toEqual([]);
          expect([image.width, image.height, isCube]).toEqual([shape.width, shape.height, false]);
          const wanted: number[] = [];
          for (let y = 0; y < shape.height; y++) {
            for (let x = 0; x < shape.width; x++) {
              for (let c = 0; c < 3; c++) wanted.push(value(x, y, c));
            }
          }
          expect([...image.data]).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });

  // The first two written by hdrify 1.2.1: 37 × 45 pixels of R = x / 8, G = y² / 64, B = (7 x + 3 y) mod 11 / 4 and A = 1. Of the second
  // exrmaketiled of OpenEXR made the others: tiles of 16 × 12, and smaller copies.
  test.each(['gradient-piz', 'gradient-rle', 'tiles-pxr24', 'tiles-mip-zip'])(
    'of another tool are read: %s',
    (name) => {
      const file = readFileSync(new URL(`fixtures/${name}.exr`, import.meta.url));
      const { image } = read(new Uint8Array(file));
      expect([image.width, image.height]).toEqual([37, 45]);
      let largest = 0;
      for (let y = 0; y < 45; y++) {
        for (let x = 0; x < 37; x++) {
          const at = (y * 37 + x) * 3;
          [x / 8, (y * y) / 64, ((x * 7 + y * 3) % 11) / 4].forEach((wanted, c) => {
            largest = Math.max(
              largest,
              Math.abs((image.data[at + c] ?? 0) - wanted) / (wanted || 1),
            );
          });
        }
      }
      // What half floats round away.
      expect(largest).toBeLessThan(2 ** -10);
    },
  );

  test('of floats as PXR24 keeps them are read', () => {
    // 2 × 3 pixels of red, green, blue and alpha, counted up from the last row.
    const file = readFileSync(new URL('fixtures/tiles-float-pxr24.exr', import.meta.url));
    const { image } = read(new Uint8Array(file));
    expect([image.width, image.height]).toEqual([1, 3]);
    expect([...image.data]).toEqual([8, 9, 10, 4, 5, 6, 0, 1, 2]);
  });

  // Written by OpenEXR 3.1.5, which also read them and wrote what it read as ZIP: 37 × 45 pixels of slopes, noise over 32 powers of
  // two, flat places and the largest half float. `b44` has a channel of floats besides, `b44a` two that are perceived linearly.
  test.each(['b44', 'b44a', 'tiles-b44a'])('of 4 × 4 blocks are what OpenEXR reads: %s', (name) => {
    const load = (file: string): ExrPicture & { diagnostics: readonly Diagnostic[] } =>
      read(new Uint8Array(readFileSync(new URL(`fixtures/${file}.exr`, import.meta.url))));
    const ours = load(name);
    // Its warnings too: rounding makes some zeros negative.
    expect(ours).toEqual(load(`${name}-decoded`));
    expect(new Set(ours.image.data).size).toBeGreaterThan(500);
  });

  test('of 4 × 4 blocks are nothing but their blocks', () => {
    const half = { name: 'Y', type: 'half', bytes: 2, isPerceivedLinearly: false } as const;
    const undo = (data: readonly number[], width = 4, rows = 4): number[] | undefined => {
      const bytes = undoB44(Uint8Array.from(data), width * rows * 2, width, rows, [half]);
      return bytes && [...new Uint16Array(bytes.buffer)];
    };
    const pack = (first: number, shift: number, differences: readonly number[]): number[] => {
      const bits = [[first, 16], [shift, 6], ...differences.map((value) => [value + 32, 6])]
        .map(([value = 0, count = 0]) => value.toString(2).padStart(count, '0'))
        .join('');
      return Array.from({ length: 14 }, (_, i) => Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2));
    };
    const still = Array.from({ length: 15 }, () => 0);
    // 1 is 0x3c00, which is numbered 0xbc00.
    const flat = pack(0xbc00, 3, still);
    expect(undo(flat)).toEqual(Array.from({ length: 16 }, () => 0x3c00));
    // Each pixel from the one above it in the left column, and from the one to its left in the others.
    const slope = pack(0xbc00, 1, [1, 2, 3, -1, -2, -3, -4, 5, 6, 7, 8, 31, -32, 0, 1]);
    expect(undo(slope)?.map((value) => (value - 0x3c00) / 2)).toEqual([
      0, -1, 4, 35, 1, -1, 5, -27, 3, 0, 7, 7, 6, 2, 10, 11,
    ]);
    // Of all half floats the one whose logarithm, as a float of 32 bits, is just between two: OpenEXR's table has the even one.
    const seen = { ...half, isPerceivedLinearly: true };
    const tie = undoB44(Uint8Array.of(0x9d, 0x78, 0xfc), 2, 1, 1, [seen]);
    expect(tie && [...new Uint16Array(tie.buffer)]).toEqual([0xd13c]);
    // Numbers below the half stand for negative values.
    expect(undo([0x43, 0xff, 0xfc])).toEqual(Array.from({ length: 16 }, () => 0xbc00));
    expect(undo([0xbc, 0x00, 0xfc], 3, 1)).toEqual([0x3c00, 0x3c00, 0x3c00]);
    for (const wrong of [[], [0xbc, 0x00], flat.slice(0, 13), [...flat, 0], [0xbc, 0, 0xfc, 0]]) {
      expect(undo(wrong)).toBeUndefined();
    }
  });

  test('of several parts are the first one with colours', () => {
    // By exrmultipart of OpenEXR: scan lines of depth, tiles of depth in several sizes, and the tiles of `tiles-b44a`.
    const load = (file: string): Uint8Array =>
      new Uint8Array(readFileSync(new URL(`fixtures/${file}.exr`, import.meta.url)));
    const bytes = load('parts');
    const { image, diagnostics } = read(bytes);
    expect(image).toEqual(read(load('tiles-b44a')).image);
    expect(diagnostics[0]).toMatchObject({
      severity: 'info',
      code: 'assets/exr-parts',
      message: 'Of 3 parts number 2 ("beauty") is read',
    });
    const changed = (find: string, skip: number, text: string): string => {
      const copy = Buffer.from(bytes);
      copy.write(text, copy.indexOf(find) + skip, 'latin1');
      return codeOf(new Uint8Array(copy));
    };
    // Deep parts are passed over, and so is what isn't known.
    expect(changed('scanlineimage', 0, 'deepscanline\0')).toBe('read');
    expect(changed('scanlineimage', 0, 'somethingelse')).toBe('read');
    // Without the beauty's type the first part is left, whose depth is no light.
    const beauty = bytes.length - Buffer.from(bytes).lastIndexOf('tiledimage');
    const copy = bytes.slice();
    copy[bytes.length - beauty] = 'x'.charCodeAt(0);
    expect(codeOf(copy)).toBe('assets/exr-channels');
    // A wrong count leads to a table that isn't there, or to blocks of another part.
    expect(changed('chunkCount', 15 + 4, '\x04')).toMatch(/^assets\/exr-(block|truncated)$/);
    expect(changed('chunkCount', 15 + 4, '\xff\xff\xff\xff')).toBe('assets/exr-truncated');
    expect(changed('chunkCount', 0, 'chunkcount')).toBe('assets/exr-header');
    for (let length = 0; length < bytes.length; length += 41) {
      expect(codeOf(bytes.slice(0, length))).toMatch(/^assets\/exr-/);
    }
  });

  test('of more parts than anything has are refused', () => {
    const header = [...attribute('type', 'string', text('scanlineimage').slice(0, -1)), 0];
    const parts = Array.from({ length: 300 }, () => header).flat();
    const bytes = Uint8Array.from([...word(20_000_630), ...word(2 + 0x1000), ...parts, 0]);
    expect(codeOf(bytes)).toBe('assets/exr-format');
  });

  test('of very many tiles with tables far larger than they are read in good time', () => {
    // Each a pixel of PIZ, with codes for all 65,537 symbols: a list of them a tile would take a minute.
    const side = 128;
    const tile = pizOfOne();
    const chunk = 20 + tile.length;
    const header = [
      ...word(20_000_630),
      ...word(2 + 0x200),
      ...attribute('channels', 'chlist', channelList(['B', 'G', 'R'], 'half')),
      ...attribute('compression', 'compression', [4]),
      ...attribute('dataWindow', 'box2i', [0, 0, side - 1, side - 1].flatMap(word)),
      ...attribute('tiles', 'tiledesc', [...word(1), ...word(1), 0]),
      0,
    ];
    const tableEnd = header.length + side * side * 8;
    const bytes = new Uint8Array(tableEnd + side * side * chunk);
    const view = new DataView(bytes.buffer);
    bytes.set(header);
    for (let i = 0; i < side * side; i++) {
      const at = tableEnd + i * chunk;
      view.setUint32(header.length + i * 8, at, true);
      view.setUint32(at, i % side, true);
      view.setUint32(at + 4, Math.floor(i / side), true);
      view.setUint32(at + 16, tile.length, true);
      bytes.set(tile, at + 20);
    }
    const { image, diagnostics } = read(bytes);
    expect(diagnostics).toEqual([]);
    expect(image.data.every((value) => value === 1)).toBe(true);
  });

  test('of tiles that share their bytes are refused', () => {
    // Each a pixel of PIZ whose bitmap is the 128 tiles behind it. Alone they are sound; 25,600 in 1.9 MB took 24 s.
    const [width, cell, bitmap] = [300, 64, 8_192];
    const header = [
      ...word(20_000_630),
      ...word(2 + 0x200),
      ...attribute('channels', 'chlist', channelList(['Y'], 'half')),
      ...attribute('compression', 'compression', [4]),
      ...attribute('dataWindow', 'box2i', [0, 0, width - 1, 0].flatMap(word)),
      ...attribute('tiles', 'tiledesc', [...word(1), ...word(1), 0]),
      0,
    ];
    // Of two symbols with codes of one bit, once the first.
    const huffman = [23, 0, 1, 2, 1, 0].flatMap(word).concat(0b100, 0b1_0000, 0);
    const tile = (x: number): number[] => {
      const head = [x, 0, 0, 0, 4 + bitmap + huffman.length].flatMap(word);
      return [...head, 0, 0, 0xff, 0x1f, ...huffman].concat(Array(13).fill(0xff));
    };
    const tableEnd = header.length + width * 8;
    const table = Array.from({ length: width }, (_, x) => [
      ...word(tableEnd + x * cell),
      0,
      0,
      0,
      0,
    ]);
    const cells = Array.from({ length: width + bitmap / cell + 1 }, (_, x) => tile(x));
    const bytes = Uint8Array.from([...header, ...table.flat(), ...cells.flat()]);
    const refusal = (): unknown => read(bytes);
    expect(refusal).toThrow(/block at [1-9]\d*, 0 overlaps others/);
    expect(codeOf(bytes)).toBe('assets/exr-block');
  });

  test('of headers without end are refused before they are read', () => {
    const start = [...word(20_000_630), ...word(2)];
    // The shortest attributes; 32 MiB of them took 38 s.
    const many = Uint8Array.from([
      ...start,
      ...Array(2_000).fill([97, 0, 97, 0, 0, 0, 0, 0]).flat(),
      0,
    ]);
    expect(() => read(many)).toThrow(/more than 1024 attributes/);
    // A channel whose name is all there is; one of 32 MiB took 9 s and 1.2 GB.
    const long = channelList(['R'.repeat(256)], 'half');
    const named = Uint8Array.from([
      ...start,
      ...attribute('channels', 'chlist', long),
      ...attribute('compression', 'compression', [0]),
      ...attribute('dataWindow', 'box2i', [0, 0, 0, 0].flatMap(word)),
      0,
    ]);
    expect(() => read(named)).toThrow(/name has more than 255 characters/);
    expect([codeOf(many), codeOf(named)]).toEqual(['assets/exr-header', 'assets/exr-channels']);
  });

  test('of tiles in impossible places are refused', () => {
    const file = readFileSync(new URL('fixtures/tiles-pxr24.exr', import.meta.url));
    const bytes = new Uint8Array(file);
    const view = new DataView(bytes.buffer);
    const tiles = file.indexOf('tiledesc') + 9 + 4;
    expect([view.getUint32(tiles, true), view.getUint32(tiles + 4, true)]).toEqual([16, 12]);
    const refused = (at: number, value: number): string => {
      const changed = bytes.slice();
      new DataView(changed.buffer).setUint32(at, value, true);
      return codeOf(changed);
    };
    expect(refused(tiles, 0)).toBe('assets/exr-size');
    expect(refused(tiles, 1)).toBe('assets/exr-truncated');
    expect(refused(tiles + 4, 2 ** 31)).toBe('assets/exr-size');
    // After the header come 12 offsets, and then the first tile.
    const table = bytes.findIndex((_, at) => view.getUint32(at, true) === at + 12 * 8);
    const first = table + 12 * 8;
    expect(table).toBeGreaterThan(tiles);
    for (const [field, value] of [
      [0, 3],
      [4, 9],
      [8, 1],
      [0, 2 ** 32 - 1],
    ] as const) {
      expect(refused(first + field, value)).toBe('assets/exr-block');
    }
    expect(refused(first + 16, 2 ** 31)).toBe('assets/exr-truncated');
  });

  test('lose what is no light, and say so', () => {
    const bad = [NaN, -1, Infinity];
    const bytes = writeExr({ ...plain, type: 'float', value: (x) => bad[x] ?? x });
    const { image, diagnostics } = read(bytes);
    expect([...image.data.subarray(0, 15)]).toEqual(
      [0, 0, 65_504, 3, 4].flatMap((value) => [value, value, value]),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['assets/exr-values']);
  });

  test.each([
    ['no OpenEXR', 0, 1, 'assets/exr-header'],
    ['tiles whose size is missing', 5, 2, 'assets/exr-header'],
    ['deep data', 5, 8, 'assets/exr-deep'],
    ['another version', 4, 3, 'assets/exr-format'],
  ])('of %s are refused', (_, at, byte, code) => {
    const bytes = writeExr(plain);
    bytes[at] = byte;
    expect(codeOf(bytes)).toBe(code);
  });

  test('of a size that the file cannot hold are refused before memory is taken', () => {
    const bytes = writeExr(plain);
    const at = Buffer.from(bytes).indexOf('box2i') + 6 + 4;
    const view = new DataView(bytes.buffer);
    view.setInt32(at + 8, 8_191, true);
    view.setInt32(at + 12, 15, true);
    expect(codeOf(bytes)).toBe('assets/exr-truncated');
    view.setInt32(at + 8, 2 ** 31 - 1, true);
    expect(codeOf(bytes)).toBe('assets/exr-size');
    view.setInt32(at + 8, -5, true);
    expect(codeOf(bytes)).toBe('assets/exr-size');
  });

  test('of more channels than memory is taken for are refused', () => {
    const header = Uint8Array.from([
      ...word(20_000_630),
      ...word(2),
      ...attribute('channels', 'chlist', channelList('BGRabcdef'.split(''), 'float')),
      ...attribute('compression', 'compression', [3]),
      ...attribute('dataWindow', 'box2i', [0, 0, 16_383, 2_047].flatMap(word)),
      0,
    ]);
    const bytes = new Uint8Array(2 ** 21);
    bytes.set(header);
    expect(codeOf(bytes)).toBe('assets/exr-size');
  });

  test('of blocks that are larger than memory is taken for are refused', () => {
    // One tile of as many pixels as there may be, of 32 bytes each.
    const header = Uint8Array.from([
      ...word(20_000_630),
      ...word(2 + 0x200),
      ...attribute('channels', 'chlist', channelList('BGRabcde'.split(''), 'float')),
      ...attribute('compression', 'compression', [8]),
      ...attribute('dataWindow', 'box2i', [0, 0, 8_191, 4_095].flatMap(word)),
      ...attribute('tiles', 'tiledesc', [...word(8_192), ...word(4_096), 0]),
      0,
    ]);
    const bytes = new Uint8Array(2 ** 16);
    bytes.set(header);
    expect(() => read(bytes)).toThrow(/Blocks of 1073741824 bytes are larger .* smaller tiles/);
    expect(codeOf(bytes)).toBe('assets/exr-size');
  });

  test('that are deep are refused, with how to flatten them', () => {
    const bytes = writeExr(plain);
    bytes[5] = 8;
    expect(() => read(bytes)).toThrow(/Deep pictures.*oiiotool .* --flatten/);
    // Of parts that are all deep, too.
    const parts = [...attribute('type', 'string', text('deeptile').slice(0, -1)), 0, 0];
    const deep = Uint8Array.from([...word(20_000_630), ...word(2 + 0x1000), ...parts]);
    expect(codeOf(deep)).toBe('assets/exr-deep');
  });

  test('never come through in part, wherever they are cut', () => {
    const bytes = writeExr(plain);
    for (let length = 0; length < bytes.length; length++) {
      expect(codeOf(bytes.slice(0, length))).toMatch(/^assets\/exr-/);
    }
    expect(codeOf(bytes)).toBe('read');
  });

  test('are read or refused, and no more, whatever bytes are wrong', () => {
    const load = (name: string): Uint8Array =>
      new Uint8Array(readFileSync(new URL(`fixtures/${name}.exr`, import.meta.url)));
    const names = [
      'gradient-piz',
      'gradient-rle',
      'tiles-pxr24',
      'tiles-mip-zip',
      'b44',
      'tiles-b44a',
      'dwaa',
      'dwab-layers',
      'tiles-dwab',
      'parts',
    ];
    const sources = [writeExr(plain), ...names.map(load)];
    fc.assert(
      fc.property(
        fc.constantFrom(...sources),
        fc.array(fc.tuple(fc.nat(6_000), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        (source, faults) => {
          const bytes = source.slice();
          for (const [at, byte] of faults) bytes[at % bytes.length] = byte;
          expect(codeOf(bytes)).toMatch(/^read$|^assets\/exr-/);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('a cube map of OpenEXR', () => {
  /** Faces in one colour each: 1 to 6 in all channels. */
  const cube = (size: number) => ({
    width: size,
    height: size * 6,
    data: Float32Array.from(
      { length: size * size * 18 },
      (_, i) => 1 + Math.floor(i / (size * size * 3)),
    ),
  });

  test('is turned as its panoramas are: their middle, +Z, becomes ours', () => {
    const size = 8;
    const { width, height, data } = panoramaOfCube(cube(size), new DiagnosticReport('/a.exr'));
    const at = (x: number, y: number): number =>
      data[(Math.floor(y * height) * width + Math.floor(x * width)) * 3] ?? 0;
    expect([width, height]).toEqual([32, 16]);
    // From left to right: −Z, +X, +Z, −X, −Z; above +Y, below −Y.
    expect([0.01, 0.25, 0.5, 0.75, 0.99].map((x) => at(x, 0.5))).toEqual([6, 1, 5, 2, 6]);
    expect([at(0.3, 0.01), at(0.3, 0.99)]).toEqual([3, 4]);
  });

  test('has no seams between its faces where the light has none', () => {
    // Light that grows along each axis, by the directions that OpenEXR gives its pixels.
    const size = 16;
    const faces: ((u: number, v: number) => [number, number, number])[] = [
      (u, v) => [1, -v, u],
      (u, v) => [-1, -v, -u],
      (u, v) => [u, 1, -v],
      (u, v) => [u, -1, v],
      (u, v) => [-u, -v, 1],
      (u, v) => [u, -v, -1],
    ];
    const light = faces.flatMap((direction) =>
      Array.from({ length: size * size }, (_, i) => {
        const u = (((i % size) + 0.5) / size) * 2 - 1;
        const v = ((Math.floor(i / size) + 0.5) / size) * 2 - 1;
        const [x, y, z] = direction(u, v);
        const length = Math.hypot(x, y, z);
        return [2 + x / length, 2 + y / length, 2 + z / length];
      }).flat(),
    );
    const { width, height, data } = panoramaOfCube(
      { width: size, height: size * 6, data: Float32Array.from(light) },
      new DiagnosticReport('/a.exr'),
    );
    let worst = 0;
    for (let row = 0; row < height; row++) {
      const polar = ((row + 0.5) / height) * Math.PI;
      for (let column = 0; column < width; column++) {
        const longitude = -((column + 0.5) / width - 0.5) * 2 * Math.PI;
        const wanted = [
          Math.sin(longitude) * Math.sin(polar),
          Math.cos(polar),
          Math.cos(longitude) * Math.sin(polar),
        ];
        wanted.forEach((value, c) => {
          const seen = data[(row * width + column) * 3 + c] ?? 0;
          worst = Math.max(worst, Math.abs(seen - 2 - value));
        });
      }
    }
    expect(worst).toBeLessThan(0.08);
  });
});

describe.skipIf(!hasCorpus)('OpenEXR of the corpus', () => {
  const entries = corpusEntries().filter(({ group }) => group === 'exr');

  test.each(entries.map(({ id, file }) => [id, file] as const))('%s', async (_, file) => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { [`/${file}`]: corpusFile(file) } }));
    const outcome = await importFile(environmentImporter(), vfs, VFSPath.parse(file), { size: 16 });
    if (outcome.kind === 'refused') throw outcome.error;
    expect(outcome.diagnostics).toEqual([]);
    const [environment] = dataOf(outcome.assets, 'environment');
    expect(environment?.levels.map(({ size }) => size)).toEqual([16, 8, 4]);
    expect([...(environment?.irradiance ?? [NaN])].every(Number.isFinite)).toBe(true);
  });

  test('hold the numbers that their tests count up', () => {
    // Magnum's test files: rows from the top 6 7 8, 3 4 5, 0 1 2, and one more for floats without their alpha.
    const data = (id: string): number[] => [
      ...read(corpusFile(`exr/${id}-exr/${id}.exr`)).image.data,
    ];
    expect(data('rgb16f')).toEqual([6, 7, 8, 3, 4, 5, 0, 1, 2]);
    expect(data('rgba32f')).toEqual([8, 9, 10, 4, 5, 6, 0, 1, 2]);
  });
});
