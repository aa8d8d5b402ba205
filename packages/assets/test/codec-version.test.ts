import { describe, expect, test } from 'vitest';
import {
  assimpImporter,
  gltfImporter,
  imageImporter,
  type ImageDecoder,
  type Importer,
} from '../src/index.js';
import { codecKey } from '../src/importer/codec-key.js';
import { platform as browser } from '../src/textures/platform.browser.js';
import { platform } from '../src/textures/platform.node.js';
import { createTestEngine } from './engine.js';
import { png } from './samples.js';

/** A decoder that finds one colour in every picture. */
const decoderOf =
  (gray: number): ImageDecoder =>
  async () => ({ width: 1, height: 1, pixels: Uint8Array.of(gray, gray, gray, 255) });

async function start(importer: Importer, before?: ReturnType<typeof createTestEngine>) {
  const source = before ? { vfs: before.vfs } : { files: { '/a.png': png(1, 1) } };
  const engine = createTestEngine({ ...source, importers: [importer] });
  const report = engine.coordinator.enqueue('/a.png');
  await engine.coordinator.drain();
  const { status, uuid = '' } = await report;
  return { engine, status, gray: engine.manager?.getTexture(uuid).bytes[0] };
}

describe('codecs that importers are given', () => {
  test('are part of what results are remembered by', async () => {
    const dark = imageImporter({ decode: decoderOf(10), codecVersion: 'dark 1' });
    const light = imageImporter({ decode: decoderOf(200), codecVersion: 'light 1' });
    const first = await start(dark);
    expect(first).toMatchObject({ status: 'imported', gray: 10 });
    expect(await start(dark, first.engine)).toMatchObject({ status: 'unchanged', gray: 10 });
    expect(await start(light, first.engine)).toMatchObject({ status: 'imported', gray: 200 });
    const own = await start(imageImporter(), first.engine);
    expect(own.status).toBe('imported');
    // Each finds its own again.
    expect(await start(dark, first.engine)).toMatchObject({ status: 'unchanged', gray: 10 });
    expect(await start(light, first.engine)).toMatchObject({ status: 'unchanged', gray: 200 });
  });

  test.each([
    [
      'image',
      (codecVersion?: string) => imageImporter({ decode: decoderOf(1), ...named(codecVersion) }),
    ],
    [
      'gltf',
      (codecVersion?: string) =>
        gltfImporter({ decodeImage: decoderOf(1), ...named(codecVersion) }),
    ],
    [
      'gltf',
      (codecVersion?: string) =>
        gltfImporter({ decoders: { draco: async () => ({}) }, ...named(codecVersion) }),
    ],
    [
      'assimp',
      (codecVersion?: string) =>
        assimpImporter({ load: () => Promise.reject(new Error('none')), ...named(codecVersion) }),
    ],
  ])('must be named: %s', (name, make) => {
    for (const missing of [undefined, '']) {
      expect(() => make(missing)).toThrow(
        expect.objectContaining({
          code: 'assets/codec-unnamed',
          message: expect.stringContaining(name),
        }),
      );
    }
    const keys = [make('a'), make('b')].map(({ limits }) => JSON.stringify(limits));
    expect(keys[0]).toMatch(/"a"/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('that stand in for none are named, too: another platform has another one', () => {
    for (const make of [imageImporter, gltfImporter, assimpImporter]) {
      expect(make().limits?.['codecs']).toEqual([platform.decoderName]);
    }
    const draco = { decoders: { draco: async () => ({}) }, codecVersion: 'mine 1' };
    expect(gltfImporter(draco).limits?.['codecs']).toEqual([
      'draco',
      'mine 1',
      platform.decoderName,
    ]);
    const decode = decoderOf(1);
    expect(imageImporter({ decode, codecVersion: 'mine 1' }).limits?.['codecs']).toEqual([
      'decode',
      'mine 1',
    ]);
    expect(browser.decoderName).not.toBe(platform.decoderName);
  });

  test('are taken from the cache by the decoder that made them only', async () => {
    const files = (decoderName: string): Importer => ({
      ...imageImporter({ decode: decoderOf(decoderName.length), codecVersion: '1' }),
      limits: codecKey('image', {}, {}, { decode: decoderName }),
    });
    const first = await start(files(platform.decoderName));
    expect(await start(files(platform.decoderName), first.engine)).toMatchObject({
      status: 'unchanged',
    });
    expect(await start(files(browser.decoderName), first.engine)).toMatchObject({
      status: 'imported',
      gray: browser.decoderName.length,
    });
  });

  test('the decoder of Node is named with the version that is installed', async () => {
    const { versions } = (await import('sharp')).default;
    expect(`sharp ${versions.sharp}`).toMatch(new RegExp(`^${platform.decoderName}\\.`));
  });

  test('that are named alike and take different places are told apart', () => {
    const codecVersion = 'mine 1';
    const draco = gltfImporter({ decoders: { draco: async () => ({}) }, codecVersion });
    const image = gltfImporter({ decodeImage: decoderOf(1), codecVersion });
    expect(draco.limits).not.toEqual(image.limits);
    // A name without codecs means nothing.
    expect(gltfImporter({ codecVersion }).limits).toEqual(gltfImporter().limits);
  });
});

function named(codecVersion: string | undefined): { codecVersion?: string } {
  return codecVersion === undefined ? {} : { codecVersion };
}
