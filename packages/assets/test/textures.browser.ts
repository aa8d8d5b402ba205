import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { expect, test } from 'vitest';
import { imageImporter } from '../src/index.js';
import { TextureUnpacker } from '../src/textures.js';
import { dataOf, importFile } from './import-file.js';
import { png } from './samples.js';

/** Colours beside every kind of opacity: none may lose theirs. */
const rgba = (x: number, y: number) => [x * 30, y * 30, 200, (x + y) % 4 === 0 ? 0 : 255] as const;
const image = png(8, 8, rgba);

async function importImage(settings: Readonly<Record<string, unknown>>) {
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { '/a.png': image } }));
  const outcome = await importFile(imageImporter(), vfs, VFSPath.parse('/a.png'), settings);
  if (outcome.kind === 'refused') throw outcome.error;
  const [texture] = dataOf(outcome.assets, 'texture');
  if (!texture) throw new Error('There is no texture');
  return texture;
}

test('a browser decodes to the very pixels', async () => {
  const { texels, bytes } = await importImage({ textures: 'pixels' });
  expect(texels).toEqual({ format: 'rgba8unorm', shape: '2d', layers: 1, levels: 4 });
  const pixels = Array.from({ length: 64 }, (_, i) => rgba(i % 8, i >> 3)).flat();
  expect([...bytes.subarray(0, 256)]).toEqual(pixels);
});

test('a browser compresses, and unpacks for its device', async () => {
  const texture = await importImage({ textures: 'uastc' });
  expect(texture).toMatchObject({ mime: 'image/ktx2', width: 8, height: 8 });
  const ready = await new TextureUnpacker().unpack(texture, new Set(['bc7-rgba-unorm']));
  expect(ready.texels).toEqual({ format: 'bc7-rgba-unorm', shape: '2d', layers: 1, levels: 4 });
  expect(ready.bytes.length).toBe((4 + 1 + 1 + 1) * 16);
});

test('a browser refuses an image that is cut', async () => {
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { '/a.png': image.slice(0, -30) } }));
  const outcome = await importFile(imageImporter(), vfs, VFSPath.parse('/a.png'));
  expect(outcome.kind === 'refused' && outcome.error.code).toMatch(/^assets\/image-/);
});
