import { describe, expect, test } from 'vitest';
import {
  assimpImporter,
  gltfImporter,
  imageImporter,
  type ImageDecoder,
  type Importer,
} from '../src/index.js';
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

  test("are no part of it where all are the importer's own: pages load what Node has cooked", () => {
    for (const make of [imageImporter, gltfImporter, assimpImporter]) {
      expect(make().limits ?? {}).not.toHaveProperty('codecs');
    }
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
