import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACTORS, RENDER_SYNC, SCENE } from '@ecliptic/engine/plugins';
import { frameStateFormat } from '@ecliptic/render-sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explain } from '../src/explain.js';
import { openTarget } from '../src/open-target.js';
import { report } from '../src/report/report.js';
import { runOrrery, type Run } from '../src/run-orrery.js';

const home = fileURLToPath(new URL('../project', import.meta.url));
let folder: string;
let project: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orrery-'));
  project = join(folder, 'project');
  await cp(home, project, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function runAt(path?: string, cache?: string): Promise<Run> {
  const target = await openTarget(path, project);
  const options = { target, seconds: 0.5, fps: 60, asteroids: 200 };
  return runOrrery(cache === undefined ? options : { ...options, cache });
}

/** What people are told when a run fails. */
async function failure(path: string): Promise<string> {
  try {
    const run = await runAt(path);
    await run.engine.shutdown();
  } catch (error) {
    return explain(error);
  }
  return 'no failure';
}

describe('the own project', () => {
  test('goes from glTF files to drawn frames', async () => {
    const { engine, imports, rendering } = await runAt();
    expect(imports.map(({ status }) => status)).toEqual(Array(8).fill('imported'));
    expect(engine.time.stepCount).toBe(30);
    expect(engine.get(ACTORS).size).toBe(2);
    expect(engine.get(SCENE).entityCount).toBe(241);
    const { published, taken, replaced } = engine.get(RENDER_SYNC).frameStats;
    expect(published).toBe(31);
    // The render thread takes the newest when it is ready, and has the last one in the end.
    expect(taken).toBeGreaterThan(0);
    expect(taken + replaced).toBe(31);
    expect(rendering.onThread).toBe(true);
    expect(rendering.loop).toMatchObject({ sequence: 31, instances: 216 });
    expect(rendering.checked).toMatchObject({ instances: 216, lights: 1, meshUploads: 13 });
    expect(engine.get(RENDER_SYNC).hierarchy.kernel.backend).toBe('wasm');
    await engine.shutdown();
  });

  test.each([0, 1])('shows everything where it is in a frame after %i steps', async (steps) => {
    const target = await openTarget(undefined, project);
    const options = { target, seconds: steps / 60, fps: 60, asteroids: 200 };
    const { engine } = await runOrrery(options);
    expect(engine.time.stepCount).toBe(steps);
    const { renderScene } = engine.get(RENDER_SYNC);
    const format = frameStateFormat(renderScene.budget);
    const state = format.view(new ArrayBuffer(format.byteLength), 0);
    state.reset();
    renderScene.writeTo(state);
    const distance = (rows: Float32Array, at: number): number =>
      Math.hypot(rows[at + 3] ?? 0, rows[at + 7] ?? 0, rows[at + 11] ?? 0);
    // At both ends of what is interpolated.
    expect(distance(state.cameraPrevious, 0)).toBeCloseTo(Math.hypot(35, 70), 3);
    expect(distance(state.cameraCurrent, 0)).toBeCloseTo(Math.hypot(35, 70), 3);
    let inBelt = 0;
    for (let at = 0; at < state.instanceCount * 12; at += 12) {
      for (const rows of [state.instancePrevious, state.instanceCurrent]) {
        const size = Math.hypot(rows[at] ?? 0, rows[at + 4] ?? 0, rows[at + 8] ?? 0);
        const from = distance(rows, at);
        if (from > 27 && from < 37 && size < 0.1) inBelt++;
      }
    }
    expect(inBelt).toBe(400);
    await engine.shutdown();
  });

  test('ends in the same state with and without workers', async () => {
    const hashes = [];
    for (const offload of ['never', 'always'] as const) {
      const target = await openTarget(undefined, project);
      const options = { target, seconds: 0.5, fps: 60, asteroids: 2_000, offload };
      const { engine } = await runOrrery(options);
      hashes.push(engine.get(SCENE).stateHash());
      await engine.shutdown();
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('imports nothing the second time, when artifacts are kept', async () => {
    const cache = join(folder, 'cache');
    const statuses = [];
    for (let i = 0; i < 2; i++) {
      const { engine, imports, rendering } = await runAt(undefined, cache);
      statuses.push(new Set(imports.map(({ status }) => status)));
      expect(rendering.checked.meshUploads).toBe(13);
      await engine.shutdown();
    }
    expect(statuses).toEqual([new Set(['imported']), new Set(['unchanged'])]);
  });

  test('is reported with its assets, entities, steps, systems and frames', async () => {
    const run = await runAt();
    const text = report(await openTarget(undefined, project), run);
    expect(text).toContain('Assets: 8 sources, 5,065 vertices, 5,552 triangles');
    expect(text).toMatch(/200 +Transform \+ Mesh \+ Spin \+ Orbit/);
    expect(text).toContain('Simulation: 30 steps of 1/60 s (0.50 s)');
    expect(text).toMatch(/orrery\.orbit +physics +30 +210/);
    expect(text).toMatch(/Frames: 31 published, \d+ taken, .* null renderer on its own thread/);
    expect(text).toMatch(/\d+ drawn, \d+ of them once more for want of a newer one/);
    expect(text).toMatch(/last frame: 216 instances, .* triangles, 1 light$/m);
    expect(text).toMatch(/^source +import +meshes/m);
    await run.engine.shutdown();
  });
});

describe('a path', () => {
  test('to a model shows that model, leaves nothing beside it, and imports it once', async () => {
    const models = join(folder, 'models');
    await mkdir(models);
    await cp(join(home, 'models', 'alien.glb'), join(models, 'my alien.glb'));
    const morph = join(home, 'models', 'morph-sphere');
    await cp(morph, models, { recursive: true, filter: (path) => !path.endsWith('.meta') });
    const before = await readdir(models);
    const cache = join(folder, 'cache');
    for (const path of [join(models, 'my alien.glb'), models]) {
      const statuses = [];
      for (let i = 0; i < 2; i++) {
        const { engine, imports } = await runAt(path, cache);
        const shown = imports.filter((report) => report.path.toString().startsWith('/input/'));
        statuses.push(shown.map(({ status }) => status));
        await engine.shutdown();
      }
      expect(new Set(statuses[1])).toEqual(new Set(['unchanged']));
      expect(statuses[1]).toHaveLength(path === models ? 2 : 1);
    }
    expect(await readdir(models)).toEqual(before);
  });

  test('to a folder shows every model in it', async () => {
    await rm(join(project, 'orrery.json.meta'), { force: true });
    const { engine, imports } = await runAt(join(project, 'models'));
    const shown = imports.filter(({ path }) => path.toString().startsWith('/input/'));
    expect(shown).toHaveLength(8);
    await engine.shutdown();
  });

  // Root may write anywhere.
  test.skipIf(process.getuid?.() === 0)(
    'into a folder that is read only shows what is there',
    async () => {
      const models = join(folder, 'models');
      await mkdir(models);
      await cp(join(home, 'models', 'alien.glb'), join(models, 'alien.glb'));
      await chmod(models, 0o555);
      for (const path of [models, join(models, 'alien.glb')]) {
        const { engine, imports } = await runAt(path);
        expect(imports.map((report) => report.path.toString())).toContain('/input/alien.glb');
        await engine.shutdown();
      }
      await chmod(models, 0o755);
    },
  );

  test('to a project folder runs that project', async () => {
    const mine = join(folder, 'mine');
    await cp(home, mine, { recursive: true });
    const json = JSON.parse(await readFile(join(mine, 'orrery.json'), 'utf8'));
    await writeFile(join(mine, 'orrery.json'), JSON.stringify({ ...json, bodies: [] }));
    const { engine } = await runAt(mine);
    expect(engine.get(SCENE).entityCount).toBe(204);
    await engine.shutdown();
  });
});

describe('a bad path or file is told with what is wrong and where', () => {
  test.each([
    ['nothing there', 'gone.glb', undefined, 'There is nothing at'],
    ['no model', 'notes.txt', 'hello', 'is no .gltf or .glb file'],
    ['an empty file', 'empty.glb', '', '/input/empty.glb'],
    ['no glTF', 'text.gltf', 'hello', '/input/text.gltf'],
    ['a missing buffer', 'lost.gltf', missingBuffer(), 'lost.bin'],
    ['a buffer outside of the folder', 'out.gltf', missingBuffer('../secret.bin'), 'secret.bin'],
  ])('%s', async (_, name, content, message) => {
    if (content !== undefined) await writeFile(join(folder, name), content);
    expect(await failure(join(folder, name))).toContain(message);
  });

  test('half a model', async () => {
    const whole = await readFile(join(home, 'models', 'sun.glb'));
    await writeFile(join(folder, 'half.glb'), whole.subarray(0, whole.length / 2));
    expect(await failure(join(folder, 'half.glb'))).toContain('/input/half.glb');
  });

  test('an empty folder', async () => {
    await mkdir(join(folder, 'empty'));
    expect(await failure(join(folder, 'empty'))).toContain('no .gltf or .glb file');
  });

  test.each([
    ['no JSON', '{', 'is no JSON'],
    ['a missing part', '{}', 'sun'],
    ['a body without its parent', orphan(), 'no body above it is called "Nobody"'],
  ])('a project file with %s', async (_, content, message) => {
    await writeFile(join(project, 'orrery.json'), content);
    expect(await failure(project)).toContain(message);
  });
});

function missingBuffer(uri = 'lost.bin'): string {
  return JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ byteLength: 36, uri }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: 3,
        type: 'VEC3',
        min: [0, 0, 0],
        max: [1, 1, 1],
      },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
  });
}

function orphan(): string {
  const model = '/models/moon.glb';
  const orbit = { distance: 1, period: 1 };
  return JSON.stringify({
    sun: { name: 'S', model, radius: 1, spinPeriod: 1 },
    bodies: [{ name: 'B', model, radius: 1, parent: 'Nobody', orbit, spinPeriod: 1 }],
    belt: { model, count: 0, inner: 1, outer: 2, thickness: 0, size: [1, 1], period: 1, seed: 1 },
    camera: { distance: 1, height: 1, period: 1, fovY: 50 },
  });
}
