import { describe, expect, test } from 'vitest';
import { NullBackend, type RenderView } from '../src/index.js';
import { renderPair } from './fixtures/render-pair.js';
import { IDENTITY, rowsOf } from './fixtures/transforms.js';
import { material, texture, triangle, uuid } from './fixtures/triangle.js';

const MESH = uuid(1);

describe('the render loop', () => {
  test('draws nothing before the first state, and must be initialized first', async () => {
    const { loop } = renderPair();
    expect(() => loop.runOnce()).toThrow(
      expect.objectContaining({ code: 'render-sync/loop-not-ready' }),
    );
    await loop.initialize();
    expect(loop.runOnce()).toBe('no-state');
    await loop.dispose();
    await loop.dispose();
    expect(() => loop.runOnce()).toThrow(/disposed/);
  });

  test('uploads, draws an instance, and draws the retained state again when there is no newer one', async () => {
    const { loop, scene, sender, backend, publish } = renderPair();
    await loop.initialize();
    sender.post({ kind: 'mesh', uuid: MESH, mesh: triangle });
    scene.createInstance({ meshUuid: MESH, name: 'rock' });
    publish();
    expect([loop.runOnce(), loop.runOnce()]).toEqual(['drawn', 'drawn']);
    expect(backend.stats).toMatchObject({
      frames: 2,
      instances: 1,
      triangles: 1,
      meshSubmissions: 1,
      totalInstances: 2,
    });
    expect(loop.stats).toMatchObject({ frames: 2, repeated: 1, sequence: 1 });
    expect(sender.pending).toBe(0);
  });

  test('skips an instance whose mesh is not resident yet, and one whose creation has not arrived', async () => {
    const { loop, scene, sender, backend, publish, writer } = renderPair();
    await loop.initialize();
    scene.createInstance({ meshUuid: MESH });
    publish();
    loop.runOnce();
    expect(backend.stats.instances).toBe(0);
    sender.post({ kind: 'mesh', uuid: MESH, mesh: triangle });
    loop.runOnce();
    expect(backend.stats.instances).toBe(1);

    scene.createInstance({ meshUuid: MESH });
    const state = writer.begin(); // published without sending the changes
    state.reset();
    scene.writeTo(state);
    state.width = state.height = 100;
    writer.publish();
    loop.runOnce();
    expect(backend.stats.instances).toBe(1);
    scene.sendChanges(sender);
    loop.runOnce();
    expect(backend.stats.instances).toBe(2);
  });

  test('a batch of meshes is one submission; textures and materials go one by one', async () => {
    const { loop, sender, backend, publish } = renderPair();
    await loop.initialize();
    for (let n = 1; n <= 5; n++) {
      sender.post({ kind: 'mesh', uuid: uuid(n), mesh: triangle });
      sender.post({ kind: 'texture', uuid: uuid(10 + n), texture });
      sender.post({ kind: 'material', uuid: uuid(20 + n), material });
    }
    publish();
    loop.runOnce();
    expect(backend.stats).toMatchObject({
      meshSubmissions: 1,
      meshUploads: 5,
      textureUploads: 5,
      materialUploads: 5,
      residentMeshes: 5,
    });
  });

  test('one bad mesh of a batch fails alone', async () => {
    const { loop, sender, backend, publish } = renderPair();
    await loop.initialize();
    sender.post({ kind: 'mesh', uuid: uuid(1), mesh: triangle });
    sender.post({
      kind: 'mesh',
      uuid: uuid(2),
      mesh: { ...triangle, indices: new Uint16Array([0, 1, 3]) },
    });
    sender.post({ kind: 'mesh', uuid: uuid(3), mesh: triangle });
    publish();
    loop.runOnce();
    expect(backend.stats.residentMeshes).toBe(2);
    expect(loop.resources.stats).toMatchObject({ failed: 1, meshes: 2 });
    expect(loop.resources.isResident('mesh', uuid(2))).toBe(false);
  });

  test('a freed mesh is drawn no more at once, and released when no frame in flight uses it', async () => {
    const { loop, scene, sender, backend, publish } = renderPair(
      new NullBackend({ framesInFlight: 2 }),
    );
    await loop.initialize();
    sender.post({ kind: 'mesh', uuid: MESH, mesh: triangle });
    scene.createInstance({ meshUuid: MESH });
    publish();
    loop.runOnce(); // frame 1 uses it
    sender.post({ kind: 'free', resource: 'mesh', uuid: MESH });
    loop.runOnce(); // frame 2 doesn't, frame 1 may be in flight
    expect(backend.stats).toMatchObject({ instances: 0, frees: 0, residentMeshes: 1 });
    expect(loop.resources.stats.deferredFrees).toBe(1);
    loop.runOnce(); // frame 3 begins when frame 1 is through
    expect(backend.stats).toMatchObject({ frees: 1, residentMeshes: 0 });
  });

  test('a mesh that is uploaded again before its release stays', async () => {
    const { loop, sender, backend, publish } = renderPair();
    await loop.initialize();
    sender.post({ kind: 'mesh', uuid: MESH, mesh: triangle });
    publish();
    loop.runOnce();
    sender.post({ kind: 'free', resource: 'mesh', uuid: MESH });
    sender.post({ kind: 'mesh', uuid: MESH, mesh: triangle });
    for (let frame = 0; frame < 5; frame++) loop.runOnce();
    expect(backend.stats).toMatchObject({ frees: 0, residentMeshes: 1 });
    expect(loop.resources.isResident('mesh', MESH)).toBe(true);
  });

  test('resetting geometry forgets what was uploaded and what waited before it, not what comes after', async () => {
    const { loop, sender, backend, publish } = renderPair();
    await loop.initialize();
    sender.post({ kind: 'mesh', uuid: uuid(1), mesh: triangle });
    publish();
    loop.runOnce();
    sender.post({ kind: 'free', resource: 'mesh', uuid: uuid(1) });
    sender.post({ kind: 'mesh', uuid: uuid(2), mesh: triangle });
    sender.post({ kind: 'reset-geometry' });
    sender.post({ kind: 'mesh', uuid: uuid(3), mesh: triangle });
    for (let frame = 0; frame < 4; frame++) loop.runOnce();
    expect(backend.stats).toMatchObject({ geometryResets: 1, residentMeshes: 1, frees: 0 });
    expect(loop.resources.isResident('mesh', uuid(3))).toBe(true);
  });

  test('tells the backend a new size once, and draws nothing at size 0', async () => {
    const { loop, backend, publish } = renderPair();
    await loop.initialize();
    publish({ width: 0 });
    expect(loop.runOnce()).toBe('no-image');
    for (const width of [320, 320, 640]) {
      publish({ width });
      loop.runOnce();
    }
    expect(backend.size).toEqual({ width: 640, height: 200, pixelRatio: 1 });
    expect(backend.stats.resizes).toBe(2);
  });

  test('refuses a state that was never written', async () => {
    const { loop, writer } = renderPair();
    await loop.initialize();
    writer.begin();
    writer.publish();
    expect(() => loop.runOnce()).toThrow(
      expect.objectContaining({ code: 'render-sync/frame-layout' }),
    );
  });

  test('uniform motion at 60 Hz, drawn at 144 Hz, is strictly increasing and even (46)', async () => {
    const seen: number[] = [];
    class Recorder extends NullBackend {
      override renderScene(view: RenderView): void {
        super.renderScene(view);
        seen.push(view.transforms[3] as number);
      }
    }
    const { loop, scene, sender, publish, clock } = renderPair(new Recorder());
    await loop.initialize();
    sender.post({ kind: 'mesh', uuid: MESH, mesh: triangle });
    const id = scene.createInstance({ meshUuid: MESH });
    const step = 16_666_667;
    const frame = 6_944_444;
    let steps = 0;
    for (let time = 0; time < 2_000_000_000; time += frame) {
      clock.jump(time);
      const due = Math.floor(time / step);
      if (due > steps) {
        // A metre a step; the state is published only when a step ran, the renderer carries on alone.
        steps = due;
        const at = (x: number): Float32Array => rowsOf({ ...IDENTITY, position: [x, 0, 0] });
        scene.setTransform(id, at(steps - 1), 0, at(steps), 0);
        publish({ stepDuration: step, alpha: (time - steps * step) / step });
      }
      if (steps > 0) loop.runOnce();
    }
    const moves = seen.slice(1).map((x, i) => x - (seen[i] as number));
    expect(seen.length).toBeGreaterThan(280);
    for (const move of moves) expect(move).toBeCloseTo(frame / step, 3);
  });

  test('alpha stays in [0, 1]: a late state is held, a paused one does not move (47)', async () => {
    const alphas: number[] = [];
    class Recorder extends NullBackend {
      override renderScene(view: RenderView): void {
        super.renderScene(view);
        alphas.push(view.alpha);
      }
    }
    const { loop, clock, publish, writer } = renderPair(new Recorder());
    await loop.initialize();
    publish({ stepDuration: 1_000, alpha: 0.5 });
    loop.runOnce();
    clock.advance(250);
    loop.runOnce();
    clock.advance(10_000);
    loop.runOnce();
    clock.jump(0);
    loop.runOnce();
    const paused = writer.begin();
    paused.reset();
    Object.assign(paused, {
      width: 10,
      height: 10,
      stepDuration: 1_000,
      alpha: 0.25,
      timeScale: 0,
    });
    writer.publish();
    clock.jump(500);
    loop.runOnce();
    expect(alphas).toEqual([0.5, 0.75, 1, 0.5, 0.25]);
  });
});
