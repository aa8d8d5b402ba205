import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageImporter, type TextureData } from '../src/index.js';
import { textureLevels, TextureUnpacker } from '../src/textures.js';
import { mipChain } from '../src/textures/mip-chain.js';
import { dataOf, importFile } from './import-file.js';
import { png } from './samples.js';

async function importImage(
  bytes: Uint8Array,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TextureData> {
  const outcome = await tryImport(bytes, settings);
  if (outcome.kind === 'refused') throw outcome.error;
  const [texture] = dataOf(outcome.assets, 'texture');
  if (!texture) throw new Error('There is no texture');
  return texture;
}

function tryImport(bytes: Uint8Array, settings: Readonly<Record<string, unknown>> = {}) {
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { '/a.png': bytes } }));
  return importFile(imageImporter(), vfs, VFSPath.parse('/a.png'), settings);
}

/** Level `index` of a texture of plain pixels. */
function level(texture: TextureData, index: number): number[] {
  if (!texture.texels) throw new Error('It has no texels');
  const place = textureLevels(texture.texels, texture)[index];
  if (!place) throw new Error(`It has no level ${index}`);
  return [...texture.bytes.subarray(place.offset, place.offset + place.bytes)];
}

describe('mip levels', () => {
  const black = [0, 0, 0, 255] as const;
  const white = [255, 255, 255, 255] as const;
  const checks = png(2, 2, (x, y) => ((x + y) % 2 === 0 ? black : white));

  test('of colours are averaged as light', async () => {
    const texture = await importImage(checks);
    expect(texture).toMatchObject({
      mime: 'image/png',
      colorSpace: 'srgb',
      texels: { format: 'rgba8unorm', shape: '2d', layers: 1, levels: 2 },
    });
    // Half of the light is 188 in sRGB.
    expect(level(texture, 1)).toEqual([188, 188, 188, 255]);
  });

  test('of data are averaged as they are', async () => {
    const texture = await importImage(checks, { colorSpace: 'linear' });
    expect(level(texture, 1)).toEqual([128, 128, 128, 255]);
  });

  test('of normal maps are of unit length', async () => {
    const left = png(2, 1, (x) => (x === 0 ? [255, 128, 128, 255] : [128, 255, 128, 255]));
    const texture = await importImage(left, { normalMap: true });
    expect(texture).toMatchObject({ colorSpace: 'linear', normalMap: true });
    const [x = 0, y = 0, z = 0] = level(texture, 1).map((byte) => byte / 127.5 - 1);
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 1);
    expect(x).toBeCloseTo(Math.SQRT1_2, 1);
    expect(y).toBeCloseTo(Math.SQRT1_2, 1);
  });

  test('of odd sizes weigh every pixel alike', () => {
    const pixels = new Uint8Array(3 * 4);
    pixels.set([0, 0, 0, 0, 90, 90, 90, 90, 30, 30, 30, 30]);
    expect([...mipChain({ width: 3, height: 1, pixels }, 'data').subarray(12)]).toEqual([
      40, 40, 40, 40,
    ]);
  });

  test('of even sizes are means of four pixels', () => {
    const even = fc.integer({ min: 1, max: 5 }).map((half) => half * 2);
    const pictures = fc
      .tuple(even, even)
      .chain(([width, height]) =>
        fc
          .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
          .map((pixels) => ({ width, height, pixels })),
      );
    fc.assert(
      fc.property(pictures, ({ width, height, pixels }) => {
        const level = mipChain({ width, height, pixels }, 'data').subarray(width * height * 4);
        for (let i = 0; i < width * height; i++) {
          const [x, y] = [Math.floor(i / 4) % (width / 2), Math.floor(i / 4 / (width / 2))];
          const at = (column: number, row: number): number =>
            pixels[((y * 2 + row) * width + x * 2 + column) * 4 + (i % 4)] ?? NaN;
          const sum = at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1);
          // To the nearest byte.
          expect(Math.abs((level[i] ?? NaN) * 4 - sum)).toBeLessThanOrEqual(2);
        }
      }),
    );
  });

  test('go down to one pixel and keep one colour, whatever the size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 70 }),
        fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
        fc.constantFrom('color' as const, 'data' as const),
        (width, height, colour, use) => {
          const pixels = new Uint8Array(width * height * 4);
          for (let i = 0; i < pixels.length; i += 4) pixels.set(colour, i);
          const bytes = mipChain({ width, height, pixels }, use);
          const levels = 1 + Math.floor(Math.log2(Math.max(width, height)));
          const places = textureLevels(
            { format: 'rgba8unorm', shape: '2d', layers: 1, levels },
            { width, height },
          );
          expect(places.at(-1)).toMatchObject({ width: 1, height: 1, bytes: 4 });
          expect(places.reduce((sum, place) => sum + place.bytes, 0)).toBe(bytes.length);
          for (let i = 0; i < bytes.length; i += 4) {
            expect([...bytes.subarray(i, i + 4)]).toEqual(colour);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a texture is stored', () => {
  const image = png(8, 8, (x, y) => [x * 30, y * 30, 100, 255]);

  test('as the file where its setting says so', async () => {
    const texture = await importImage(image, { textures: 'file' });
    expect(texture.texels).toBeUndefined();
    expect(texture.bytes).toEqual(image);
  });

  test.each(['uastc', 'etc1s'])('as %s, which is unpacked for each device', async (textures) => {
    const texture = await importImage(image, { textures });
    expect(texture).toMatchObject({ mime: 'image/ktx2', width: 8, height: 8 });
    expect(texture.texels).toBeUndefined();
    const unpacker = new TextureUnpacker();
    const plain = await unpacker.unpack(texture, new Set());
    expect(plain.texels).toEqual({ format: 'rgba8unorm', shape: '2d', layers: 1, levels: 4 });
    const [red = 0, green = 0, blue = 0, alpha] = level(plain, 3);
    expect(
      [Math.abs(red - 122), Math.abs(green - 122), Math.abs(blue - 100)].every((d) => d < 25),
    ).toBe(true);
    expect(alpha).toBe(255);
    const packed = await unpacker.unpack(texture, new Set(['bc7-rgba-unorm', 'bc1-rgba-unorm']));
    const format = textures === 'uastc' ? 'bc7-rgba-unorm' : 'bc1-rgba-unorm';
    expect(packed.texels.format).toBe(format);
    const blocks = textures === 'uastc' ? 16 : 8;
    expect(packed.bytes.length).toBe((4 + 1 + 1 + 1) * blocks);
  });

  test('never in a way that does not exist', async () => {
    const outcome = await tryImport(image, { textures: 'zip' });
    expect(outcome.kind === 'refused' && outcome.error.code).toBe('assets/texture-storage');
  });

  test('in plain pixels where blocks do not fit', async () => {
    const texture = await importImage(png(6, 6), { textures: 'uastc' });
    const ready = await new TextureUnpacker().unpack(texture, new Set(['bc7-rgba-unorm']));
    expect(ready.texels.format).toBe('rgba8unorm');
  });
});

describe('a damaged image', () => {
  const whole = png(16, 16, (x, y) => [x * 16, y * 16, x ^ y, 255]);

  test('is refused before its size is believed', async () => {
    const huge = Uint8Array.from(whole);
    new DataView(huge.buffer).setUint32(16, 16_000);
    new DataView(huge.buffer).setUint32(20, 16_000);
    const outcome = await tryImport(huge);
    expect(outcome.kind === 'refused' && outcome.error.code).toBe('assets/image-too-large');
  });

  test('is refused where its pixels are not as its header says', async () => {
    const liar = Uint8Array.from(whole);
    new DataView(liar.buffer).setUint32(16, 17);
    const outcome = await tryImport(liar);
    expect(outcome.kind === 'refused' && outcome.error.code).toBe('assets/image-undecodable');
  });

  test('never comes through in part, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 13 }), async (length) => {
        const outcome = await tryImport(whole.slice(0, length));
        expect(outcome.kind).toBe('refused');
      }),
      { numRuns: 40 },
    );
  });

  test('gives an image of its size or a diagnostic, whatever byte is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const bytes = Uint8Array.from(whole);
        bytes[at] = byte;
        const outcome = await tryImport(bytes);
        const seen =
          outcome.kind === 'refused'
            ? outcome.error.code
            : dataOf(outcome.assets, 'texture')[0]?.bytes.length;
        const bytesOfAll = (16 * 16 + 8 * 8 + 4 * 4 + 2 * 2 + 1) * 4;
        expect(String(seen)).toMatch(new RegExp(`^assets/image-|^${bytesOfAll}$`));
      }),
      { numRuns: 60 },
    );
  });
});
