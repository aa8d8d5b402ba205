import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import {
  createWebGpuBackend,
  readPixels,
  requestDevice,
  textureTarget,
  type TextureTarget,
} from '../src/index.js';
import { shadowScene } from './fixtures/shadow-scene.js';
import { stage } from './fixtures/stage.js';
import approved from './goldens/shadow.png?url';

const adapter = await navigator.gpu?.requestAdapter();
const where = adapter?.info.architecture ?? 'no WebGPU here';

test.skipIf(!adapter)(`draws in Chromium what it draws in Node (${where})`, async () => {
  let target: TextureTarget | undefined;
  const backend = createWebGpuBackend({
    device: () => requestDevice(navigator.gpu),
    target: (device) => (target = textureTarget(device)),
    settings: { shadowMapSize: 512 },
  });
  const set = await stage(backend);
  shadowScene(set);
  expect(set.frame()).toBe('drawn');
  await backend.settled();
  expect(backend.stats.errors).toBe(0);
  const { device } = backend;
  if (!device || !target?.texture) throw new Error('nothing was drawn');
  const { data } = await readPixels(device, target.texture);
  const golden = decode(await (await fetch(approved)).arrayBuffer());
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += Math.abs((data[i] ?? 0) - (golden.data[i] ?? 0));
  // Exactly the same from the device that made the approved picture.
  expect(sum / data.length).toBeLessThanOrEqual(where === 'swiftshader' ? 0 : 2);
  await set.close();
});
