import { expect, test } from 'vitest';
import { createMailbox, loadPoseKernel, overlayStateFormat } from '../src/index.js';
import { createOverlay, fontAtlas } from '../src/overlay.js';

test('the overlay lays text out in a browser', async () => {
  const overlay = await createOverlay();
  overlay.resize({ width: 200, height: 100, pixelRatio: 2 });
  const label = overlay.createBox({ text: 'Hello', fontSize: 20, alignSelf: 'start' });
  overlay.root.add(label);
  const { writer } = createMailbox(overlayStateFormat(16));
  expect(overlay.publish(writer)).toBe(true);
  expect(label.rectangle.width).toBeGreaterThan(30);
  overlay.dispose();
});

test('the atlas of the font is an image that the browser decodes, of distances on both sides of the outline', async () => {
  const { texture } = fontAtlas();
  const bytes = Uint8Array.from(texture.bytes);
  const image = await createImageBitmap(new Blob([bytes], { type: texture.mime }));
  expect([image.width, image.height]).toEqual([texture.width, texture.height]);
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context?.drawImage(image, 0, 0);
  const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [0] };
  const reds = data.filter((_, i) => i % 4 === 0);
  expect(Math.max(...reds.slice(0, 10_000))).toBeGreaterThan(150);
  expect(Math.min(...reds.slice(0, 10_000))).toBe(0);
});

test('the hierarchy kernel loads in a browser', async () => {
  expect((await loadPoseKernel()).backend).toBe('wasm');
});
