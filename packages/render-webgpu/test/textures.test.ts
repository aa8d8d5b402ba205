import { imageImporter, type ImportContext, type TextureData } from '@ecliptic/assets';
import { EventLog } from '@ecliptic/core';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { OffscreenBackend, type NodeGpu } from '../src/node.js';
import { tryGpu } from './fixtures/gpu.js';
import { material, paint } from './fixtures/images.js';
import { sphere, textureRef, uuid } from './fixtures/meshes.js';
import { stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

const size = { width: 32, height: 20 };
type Rgb = readonly [number, number, number];
const RED: Rgb = [255, 0, 0];
const GREEN: Rgb = [0, 255, 0];

/** A texture whose level 0 has one colour, and all smaller ones another. */
function twoColours(side: number, first: Rgb, rest: Rgb): TextureData {
  const levels = 1 + Math.log2(side);
  const pixels: number[] = [];
  for (let level = 0; level < levels; level++) {
    const count = (side >> level) ** 2;
    for (let i = 0; i < count; i++) pixels.push(...(level === 0 ? first : rest), 255);
  }
  return {
    name: 'two colours',
    mime: 'image/png',
    width: side,
    height: side,
    colorSpace: 'srgb',
    texels: { format: 'rgba8unorm', levels, layers: 1, shape: '2d' },
    bytes: Uint8Array.from(pixels),
  };
}

/** One block of BC1 in pure green. */
function greenBlock(): TextureData {
  return {
    ...twoColours(4, RED, RED),
    mime: 'image/ktx2',
    texels: { format: 'bc1-rgba-unorm', levels: 1, layers: 1, shape: '2d' },
    bytes: Uint8Array.from([0xe0, 0x07, 0xe0, 0x07, 0, 0, 0, 0]),
  };
}

async function imported(file: TextureData, textures: string): Promise<TextureData> {
  const context = {
    path: '/painted.png',
    uuid: uuid(9),
    source: file.bytes,
    settings: { textures },
    reportAll: () => {},
  } as unknown as ImportContext;
  const [asset] = await imageImporter().import(context);
  return asset?.data as TextureData;
}

describe.skipIf(gpu === undefined)(`textures${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  /** The middle of a glowing ball with a texture, the textures that the backend has, and what it logged. */
  const shoot = async (texture: TextureData, distance: number) => {
    const log = new EventLog('test');
    const errors = vi.spyOn(log, 'error').mockImplementation(() => {});
    const backend = new OffscreenBackend({ gpu: gpu as NodeGpu, log });
    const set = await stage(backend, size);
    set.camera([0, 0, distance]);
    set.upload({ kind: 'texture', uuid: uuid(70), texture });
    const look = material({
      baseColor: [0, 0, 0, 1],
      emissive: [1, 1, 1],
      emissiveTexture: textureRef(uuid(70)),
    });
    set.upload({ kind: 'material', uuid: uuid(60), material: look });
    set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere() });
    set.mesh(uuid(1), [0, 0, 0], [1, 1, 1], uuid(60));
    set.frame();
    await backend.settled();
    set.frame();
    const pixels = await backend.readPixels();
    const at = ((size.height / 2) * size.width + size.width / 2) * 4;
    const [red = 0, green = 0, blue = 0] = pixels.data.subarray(at, at + 3);
    const { textures, errors: faults } = backend.stats;
    await set.close();
    const most = Math.max(red, green, blue);
    const colour =
      most === red ? (blue > green * 2 ? 'pink' : 'red') : most === green ? 'green' : 'blue';
    return { colour, textures, faults, logged: errors.mock.calls.map(([event]) => event) };
  };
  const fine = { textures: 1, faults: 0, logged: [] };

  test('are shown with the mip levels that they come with', async () => {
    // From near by level 0, from afar the others.
    const texture = twoColours(64, RED, GREEN);
    expect(await shoot(texture, 1.6)).toEqual({ ...fine, colour: 'red' });
    expect(await shoot(texture, 8)).toEqual({ ...fine, colour: 'green' });
  });

  test.each(['file', 'pixels', 'uastc', 'etc1s'])('imported as %s are shown', async (storage) => {
    const texture = await imported(
      paint(16, () => GREEN),
      storage,
    );
    expect(await shoot(texture, 3)).toEqual({ ...fine, colour: 'green' });
  });

  test('in blocks are uploaded where the device reads them, and pink elsewhere', async () => {
    const device = await (gpu as NodeGpu).requestDevice();
    const isRead = device.features.has('texture-compression-bc');
    device.destroy();
    expect(await shoot(greenBlock(), 3)).toEqual(
      isRead
        ? { ...fine, colour: 'green' }
        : { textures: 0, faults: 0, logged: ['image_undecodable'], colour: 'pink' },
    );
  });

  test('that are no 2D texture are pink, and named', async () => {
    const texture = twoColours(4, GREEN, GREEN);
    const volume = { ...texture, texels: { ...texture.texels, shape: '3d' as const } };
    expect(await shoot(volume as TextureData, 3)).toEqual({
      textures: 0,
      faults: 0,
      logged: ['image_undecodable'],
      colour: 'pink',
    });
  });
});
