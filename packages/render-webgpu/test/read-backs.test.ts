import { EventLog } from '@ecliptic/core';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { OffscreenBackend } from '../src/node.js';
import { comparePicture } from './fixtures/golden.js';
import { tryGpu } from './fixtures/gpu.js';
import { material } from './fixtures/images.js';
import { sphere, uuid } from './fixtures/meshes.js';
import { DOWNWARDS } from './fixtures/shadow-scene.js';
import { stage, type Stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());
const SIZE = { width: 96, height: 64 };

/** A red ball left of the middle, and a blue one to the right that lets light through. */
async function open() {
  if (!gpu) throw new Error(why);
  const backend = new OffscreenBackend({
    gpu,
    log: new EventLog('test'),
    settings: { shadowMapSize: 0, bloom: 0 },
  });
  const set = await stage(backend, SIZE);
  const unlit = { KHR_materials_unlit: {} };
  set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere() });
  const red = material({ baseColor: [1, 0, 0, 1], extensions: unlit });
  const glass = material({ baseColor: [0, 0, 1, 0.5], alphaMode: 'blend', extensions: unlit });
  set.upload({ kind: 'material', uuid: uuid(20), material: red });
  set.upload({ kind: 'material', uuid: uuid(21), material: glass });
  set.light('directional', { intensity: 1 }, DOWNWARDS);
  return { ...set, backend, balls: balls(set) };
}

function balls(set: Stage) {
  set.camera([0, 0, 6]);
  return {
    solid: set.mesh(uuid(1), [-1.5, 0, 0], [1, 1, 1], uuid(20)),
    behind: set.mesh(uuid(1), [1.5, 0, -3], [0.4, 0.4, 0.4], uuid(20)),
    glass: set.mesh(uuid(1), [1.5, 0, 0], [1, 1, 1], uuid(21)),
  };
}

/** Draws until there is an answer: the device answers when it has drawn. */
async function answered<T>(set: Awaited<ReturnType<typeof open>>, asked: Promise<T>): Promise<T> {
  let isOver = false;
  const over = asked.finally(() => (isOver = true));
  over.catch(() => {});
  while (!isOver) {
    set.frame();
    await set.backend.settled();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return over;
}

describe.skipIf(gpu === undefined)(`answers${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  test('which entity is seen at a pixel: the foremost one, also when light comes through; none in the sky', async () => {
    const s = await open();
    const { solid, glass } = s.balls;
    expect(await answered(s, s.sync.pick(29, 32))).toBe(solid);
    expect(await answered(s, s.sync.pick(61, 32))).toBe(glass);
    expect(await answered(s, s.sync.pick(48, 2))).toBe(undefined);
    s.scene.destroyEntity(glass);
    expect(await answered(s, s.sync.pick(61, 32))).toBe(s.balls.behind);
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('the colour of a pixel, and the whole picture', async () => {
    const s = await open();
    const shot = await answered(s, s.sync.readBacks.screenshot());
    const pixels = await s.backend.readPixels();
    expect({ width: shot.width, height: shot.height }).toEqual(SIZE);
    expect(shot.pixels).toEqual(pixels.data);
    const [x, y] = [29, 32];
    const color = await answered(s, s.sync.readBacks.pixel(x, y));
    const at = (y * SIZE.width + x) * 4;
    expect(Uint8Array.from(color)).toEqual(shot.pixels.slice(at, at + 4));
    expect(color[0]).toBeGreaterThan(color[1] * 2);
    await s.close();
  });

  test('without a camera nothing is picked; a pixel outside is refused', async () => {
    const s = await open();
    s.scene.clear();
    expect(await answered(s, s.sync.pick(1, 1))).toBe(undefined);
    await expect(answered(s, s.sync.readBacks.pixel(96, 1))).rejects.toThrow('96, 1 is not in');
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('a device that is lost before it answers refuses, and the next one answers', async () => {
    const s = await open();
    const asked = s.sync.readBacks.screenshot();
    const refused = asked.catch((error: unknown) => error);
    s.frame();
    s.backend.device?.destroy();
    expect(await refused).toMatchObject({ code: 'render-sync/read-back-failed' });
    expect((await answered(s, s.sync.readBacks.screenshot())).width).toBe(SIZE.width);
    await s.close();
  });
});

describe.skipIf(gpu === undefined)('debug drawing', () => {
  test('is at full strength in front of what is drawn, and faint behind it', async () => {
    const s = await open();
    const { frameDebug } = s.sync;
    frameDebug.box([-2.5, -1, -1], [-0.5, 1, 1], [0, 1, 0]);
    frameDebug.line([-3, 0, -3], [3, 0, -3], [1, 1, 1]);
    frameDebug.line([-3, 0.4, 2], [3, 0.4, 2], [1, 1, 0, 0.5]);
    frameDebug.sphere([0, -0.9, 0], 0.3);
    s.frame();
    const pixels = await s.backend.readPixels();
    const { errors } = s.backend.stats;
    const picture = comparePicture('debug-lines', pixels, gpu?.architecture === 'swiftshader');
    expect({ errors, picture }).toEqual({ errors: 0, picture: 'as approved' });
    // They were for one frame.
    s.frame();
    const without = await s.backend.readPixels();
    expect(without.data).not.toEqual(pixels.data);
    await s.close();
  });
});
