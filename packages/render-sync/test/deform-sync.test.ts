import { read } from '@ecliptic/ecs';
import { MorphWeights, PrefabNode, Skeleton, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import { rig, skinnedTriangle } from './fixtures/rig.js';
import { rowsOf, turn } from './fixtures/transforms.js';
import { triangle, uuid } from './fixtures/triangle.js';

const HALF = Math.SQRT1_2;

/** Column-major matrix that moves along x. */
function along(x: number): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
}

function expectRows(actual: readonly number[] | undefined, expected: ArrayLike<number>): void {
  expect(actual?.length).toBe(12);
  actual?.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? NaN, 5));
}

describe('skeletons', () => {
  test('joints are the world matrices of their entities times the inverse bind matrices', async () => {
    const { scene, body, setSkin, step, frame, backend } = await rig();
    setSkin([...along(-1), ...along(-3)]);
    const { hip, knee } = body(10);
    const hipTrs = { position: [1, 0, 0], rotation: turn([0, 0, 1], 1), scale: [1, 2, 1] } as const;
    const kneeTrs = {
      position: [2, 0, 0],
      rotation: [HALF, 0, 0, HALF],
      scale: [1, 1, 1],
    } as const;
    step(() => {
      for (const [joint, { position, rotation, scale }] of [
        [hip, hipTrs],
        [knee, kneeTrs],
      ] as const) {
        scene.setComponent(joint, Transform, { position, rotation, scale });
      }
    });
    frame(1);
    const identity = { rotation: [0, 0, 0, 1], scale: [1, 1, 1] } as const;
    const root = { ...identity, position: [10, 0, 0] } as const;
    const bind = (x: number) => ({ ...identity, position: [x, 0, 0] }) as const;
    const [seen] = backend.seen;
    expect(backend.seen.length).toBe(1);
    expectRows(seen?.joints[0], rowsOf(bind(-1), root, hipTrs));
    expectRows(seen?.joints[1], rowsOf(bind(-3), root, hipTrs, kneeTrs));
  });

  test('a joint moves evenly between two steps', async () => {
    const { scene, body, step, frame, backend } = await rig();
    const { hip } = body();
    step();
    step(() => scene.getComponent(hip, Transform)?.position.set(4, 0, 0));
    const xs = [0, 0.25, 0.5, 1].map((alpha) => {
      frame(alpha);
      return backend.seen[0]?.joints.map((rows) => rows[3]);
    });
    expect(xs).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [4, 4],
    ]);
  });

  test('destroying the mesh, its skeleton, or all of it takes the joints out of the next frame', async () => {
    const { scene, body, step, frame, backend, reports } = await rig();
    const [a, b, c] = [body(1), body(2), body(3)];
    step();
    frame();
    expect(backend.seen.length).toBe(3);
    scene.destroyEntity(a.mesh);
    scene.removeComponent(b.mesh, Skeleton);
    for (const entity of [c.mesh, c.root]) scene.destroyEntity(entity);
    frame();
    expect(backend.seen).toEqual([]);
    expect(backend.stats.instances).toBe(1);
    expect(reports()).toEqual(['no_main_camera']);
  });

  test('a joint that is destroyed goes with the mesh, and is reported once', async () => {
    const { scene, body, step, frame, backend, reports } = await rig();
    const { knee, mesh } = body(5);
    scene.getComponent(mesh, Transform)?.position.set(7, 0, 0);
    step();
    frame(1);
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([5, 5]);
    scene.destroyEntity(knee);
    step();
    frame(1);
    frame(1);
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([5, 7]);
    expect(reports().filter((event) => event === 'joint_missing')).toEqual(['joint_missing']);
  });

  test('without a resident skin, and with too few joints for the mesh, it is drawn rigid', async () => {
    const { scene, assets, body, step, frame, backend, reports } = await rig();
    const { mesh } = body();
    scene.setComponent(mesh, Skeleton, { skinUuid: uuid(9) });
    step();
    frame();
    expect([backend.seen.length, backend.stats.instances]).toEqual([0, 1]);
    const identity = along(0);
    assets.ingest(uuid(9), {
      type: 'skin',
      data: {
        name: '',
        joints: [5],
        inverseBindMatrices: Float32Array.from(identity),
        skeleton: undefined,
      },
    });
    frame();
    frame();
    expect([backend.seen.length, backend.stats.instances]).toEqual([0, 1]);
    expect(reports().filter((event) => event === 'skeleton_too_small').length).toBe(1);
    // A mesh that needs no more is bent from the next frame on, and one without joints isn't.
    const bones = { semantic: 'JOINTS_0', components: 4, data: new Uint16Array(12) };
    const streams = [...triangle.streams, bones, ...skinnedTriangle.streams.slice(-1)];
    assets.ingestMesh(uuid(1), { ...triangle, streams });
    frame();
    expect(backend.seen[0]?.joints.length).toBe(1);
    assets.ingestMesh(uuid(1), triangle);
    frame();
    expect(backend.seen).toEqual([]);
  });

  test('a skin that is imported again is used from the next frame on', async () => {
    const { body, setSkin, step, frame, backend } = await rig();
    body();
    step();
    frame();
    setSkin([...along(1), ...along(2)]);
    frame();
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([1, 2]);
  });

  test('what does not fit into the budget is drawn rigid, whole skeletons only, and reported once', async () => {
    const { body, step, frame, backend, reports } = await rig({ joints: 5 });
    for (let i = 0; i < 4; i++) body(i);
    step();
    frame();
    frame();
    expect(backend.seen.map(({ joints }) => joints.length)).toEqual([2, 2]);
    expect(backend.stats.instances).toBe(4);
    expect(reports().filter((event) => event === 'deforms_over_budget').length).toBe(1);
  });

  test('a replaced scene is bound anew: nodes with other numbers, the same skins', async () => {
    const { scene, sync, body, step, frame, backend } = await rig();
    const { hip, knee } = body();
    scene.getComponent(hip, Transform)?.position.set(1, 0, 0);
    scene.getComponent(knee, Transform)?.position.set(1, 0, 0);
    step();
    frame(1);
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([1, 2]);
    scene.setComponent(hip, PrefabNode, { index: 6 });
    scene.setComponent(knee, PrefabNode, { index: 5 });
    sync.replaceScene();
    frame(1);
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([2, 1]);
  });

  test('a matrix that overflows never reaches the backend', async () => {
    const { body, setSkin, scene, step, frame, backend, reports } = await rig();
    const { hip } = body(3);
    scene.getComponent(hip, Transform)?.scale.set(1e30, 1, 1);
    setSkin([...along(1e30), ...along(0)]);
    step();
    frame(1);
    expect(backend.seen[0]?.joints[0]?.every(Number.isFinite)).toBe(true);
    expect(reports()).toContain('joint_not_finite');
  });

  test('the version tells when who is bent by how much changes, and not when joints move', async () => {
    const { scene, body, step, frame, backend } = await rig();
    const { hip, mesh } = body();
    step();
    frame();
    const first = backend.version;
    step(() => scene.getComponent(hip, Transform)?.position.set(4, 0, 0));
    frame();
    expect(backend.version).toBe(first);
    scene.addComponent(mesh, MorphWeights, { count: 2 });
    frame();
    expect(backend.version).toBeGreaterThan(first);
  });
});

describe('morph weights', () => {
  const weights = (...values: number[]): number[] =>
    Array.from({ length: 60 }, (_, i) => values[i] ?? 0);

  test('are interpolated between two steps; new ones and those set outside a step are there at once', async () => {
    const { scene, step, frame, backend, body } = await rig();
    const { mesh } = body();
    scene.removeComponent(mesh, Skeleton);
    scene.addComponent(mesh, MorphWeights, { weights: weights(0.5, 1), count: 2 });
    step();
    frame();
    expect(backend.seen).toEqual([{ name: uuid(1), joints: [], weights: [0.5, 1] }]);
    step(() => scene.getComponent(mesh, MorphWeights)?.weights.set(0, weights(1, 0)));
    const seen = [0, 0.5, 1].map((alpha) => {
      frame(alpha);
      return backend.seen[0]?.weights;
    });
    expect(seen).toEqual([
      [0.5, 1],
      [0.75, 0.5],
      [1, 0],
    ]);
    scene.getComponent(mesh, MorphWeights)?.weights.set(0, weights(0, 0));
    frame(0);
    expect(backend.seen[0]?.weights).toEqual([0, 0]);
    scene.removeComponent(mesh, MorphWeights);
    frame(0);
    expect(backend.seen).toEqual([]);
  });

  test('go with a skeleton, count as 0 where they are not finite, and never beyond what there is', async () => {
    const { scene, step, frame, backend, reports, body } = await rig();
    const { mesh } = body();
    scene.addComponent(mesh, MorphWeights, { weights: weights(0.5, 1), count: 2 });
    step();
    frame();
    expect(backend.seen[0]).toMatchObject({ weights: [0.5, 1], joints: [{}, {}] });
    // As a system writes them: columns take anything.
    scene.query(read(MorphWeights)).each((row, columns) => {
      (columns.weights as Float32Array)[row * 60] = NaN;
      (columns.count as Uint16Array)[row] = 60_000;
    });
    step();
    frame();
    expect(backend.seen[0]?.weights).toEqual(weights(0, 1));
    expect(reports()).toContain('morph_weight_not_finite');
  });
});
