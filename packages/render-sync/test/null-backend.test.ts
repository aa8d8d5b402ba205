import { describe, expect, test } from 'vitest';
import { checkMesh, NullBackend, type RenderView } from '../src/index.js';
import { skinnedTriangle } from './fixtures/rig.js';
import { environment, material, texture, triangle, uuid } from './fixtures/triangle.js';

function inFrame(): NullBackend {
  const backend = new NullBackend();
  backend.initialize();
  backend.resize({ width: 4, height: 4, pixelRatio: 1 });
  backend.acquire();
  backend.beginFrame(1);
  return backend;
}

/** A view without anything, but for what is given. */
function view(parts: object = {}): RenderView {
  const nothing = { frame: 1, alpha: 0, instanceCount: 0, deformCount: 0, camera: undefined };
  return {
    ...nothing,
    state: { lightCount: 0, debugLineCount: 0 },
    ...parts,
  } as unknown as RenderView;
}

describe('the null backend', () => {
  test('refuses calls out of order, each by name', () => {
    const order = expect.objectContaining({ code: 'render-sync/backend-order' }) as Error;
    const fresh = new NullBackend();
    expect(() => fresh.acquire()).toThrow(order);
    const idle = new NullBackend();
    idle.initialize();
    expect(() => idle.initialize()).toThrow(order);
    expect(() => idle.beginFrame(1)).toThrow(order);
    expect(() => idle.uploadMeshes([{ uuid: uuid(1), mesh: triangle }])).toThrow(order);
    const frame = inFrame();
    expect(() => frame.present()).toThrow(/present\(\)/);
    expect(() => frame.executeGraph(undefined)).toThrow(order);
    expect(() => frame.resize({ width: 1, height: 1, pixelRatio: 1 })).toThrow(order);
    frame.renderScene(view());
    expect(() => frame.uploadTexture({ uuid: uuid(1), texture })).toThrow(order);
    frame.executeGraph(undefined);
    frame.present();
    expect(() => frame.present()).toThrow(order);
    frame.endFrame(1);
    expect(() => frame.endFrame(1)).toThrow(order);
    frame.dispose();
    expect(() => frame.dispose()).toThrow(/twice/);
    expect(() => frame.acquire()).toThrow(order);
  });

  test('refuses values that no backend may get', () => {
    const invalid = expect.objectContaining({ code: 'render-sync/backend-invalid' }) as Error;
    const idle = new NullBackend();
    idle.initialize();
    expect(() => idle.acquire()).toThrow(/resize/);
    const sized = new NullBackend();
    sized.initialize();
    for (const width of [0, -1, 1.5, NaN]) {
      expect(() => sized.resize({ width, height: 1, pixelRatio: 1 })).toThrow(invalid);
    }
    const frame = inFrame();
    expect(() => frame.free('mesh', uuid(1))).toThrow(invalid);
    expect(() => frame.uploadMeshes([])).toThrow(invalid);
    expect(() =>
      frame.uploadMaterial({ uuid: uuid(1), material: { ...material, metallic: NaN } }),
    ).toThrow(invalid);
    expect(() =>
      frame.uploadTexture({ uuid: uuid(1), texture: { ...texture, bytes: new Uint8Array() } }),
    ).toThrow(invalid);
    const short = { ...environment, irradiance: new Float32Array(9) };
    expect(() => frame.uploadEnvironment({ uuid: uuid(1), environment: short })).toThrow(invalid);
    const one = { instanceCount: 1, records: [{ id: 3, meshUuid: uuid(1) }] };
    const stray = view({ ...one, transforms: new Float32Array(12) });
    expect(() => frame.renderScene(stray)).toThrow(/isn't resident/);
    const broken = inFrame();
    broken.uploadMeshes([{ uuid: uuid(1), mesh: triangle }]);
    const notFinite = view({ ...one, transforms: new Float32Array(12).fill(NaN) });
    expect(() => broken.renderScene(notFinite)).toThrow(/isn't finite/);
    expect(() => inFrame().renderScene(view({ alpha: 1.5 }))).toThrow(invalid);
  });

  test.each<[string, number[], object?]>([
    ['an instance beyond the view', [1, 0, 2, 0, 1]],
    ['joints beyond the state', [0, 1, 2, 0, 1]],
    ['fewer joints than the mesh refers to', [0, 0, 1, 0, 1]],
    ['weights beyond the state', [0, 0, 2, 1, 1]],
    ['a joint that is not finite', [0, 0, 2, 0, 1], { joints: new Float32Array(24).fill(NaN) }],
    ['a weight that is not finite', [0, 0, 2, 0, 1], { morphWeights: new Float32Array([NaN]) }],
  ])('refuses %s', (_, deforms, broken?: object) => {
    const bent = (parts: object): RenderView =>
      view({
        instanceCount: 1,
        records: [{ id: 3, meshUuid: uuid(1) }],
        transforms: new Float32Array(12),
        deformCount: 1,
        state: { lightCount: 0, debugLineCount: 0, jointCount: 2, weightCount: 1 },
        joints: new Float32Array(24),
        morphWeights: new Float32Array(1),
        ...parts,
      });
    const frame = inFrame();
    frame.uploadMeshes([{ uuid: uuid(1), mesh: skinnedTriangle }]);
    expect(() => frame.renderScene(bent({ deforms: new Uint32Array(deforms), ...broken }))).toThrow(
      expect.objectContaining({ code: 'render-sync/backend-invalid' }),
    );
    const fine = inFrame();
    fine.uploadMeshes([{ uuid: uuid(1), mesh: skinnedTriangle }]);
    fine.renderScene(bent({ deforms: new Uint32Array([0, 0, 2, 0, 1]) }));
    expect(fine.stats.deforms).toBe(1);
  });

  test('refuses debug lines that are not finite', () => {
    const lines = { debugLineCount: 1, debugLines: new Float32Array(6).fill(NaN), lightCount: 0 };
    expect(() => inFrame().renderScene(view({ state: lines }))).toThrow(/debug line/);
  });

  test('counts bytes and triangles of what is resident', () => {
    const backend = inFrame();
    backend.uploadMeshes([{ uuid: uuid(1), mesh: triangle }]);
    backend.uploadTexture({ uuid: uuid(2), texture });
    expect(backend.stats.residentBytes).toBe(3 * 3 * 4 + 3 * 2 + 64);
    backend.free('mesh', uuid(1));
    expect(backend.stats).toMatchObject({ residentBytes: 64, residentMeshes: 0, frees: 1 });
  });
});

const LOD = {
  error: 0,
  indices: new Uint16Array([0, 1, 2]),
  ranges: [{ firstIndex: 0, indexCount: 3 }],
};

test.each([
  ['a stream of another length', { vertexCount: 4 }],
  ['an index beyond the vertices', { indices: new Uint16Array([0, 1, 3]) }],
  ['no positions', { streams: [] }],
  [
    'a stream that is not finite',
    { streams: [{ semantic: 'POSITION', components: 3, data: new Float32Array(9).fill(NaN) }] },
  ],
  [
    'a submesh beyond the indices',
    { submeshes: triangle.submeshes.map((submesh) => ({ ...submesh, firstIndex: 1 })) },
  ],
  [
    'a submesh without whole triangles',
    { submeshes: triangle.submeshes.map((submesh) => ({ ...submesh, indexCount: 2 })) },
  ],
  [
    'an index of a LOD beyond the vertices',
    { lods: [{ ...LOD, indices: new Uint16Array([0, 1, 3]) }] },
  ],
  ['a LOD beyond its indices', { lods: [{ ...LOD, ranges: [{ firstIndex: 1, indexCount: 3 }] }] }],
  ['a LOD without a range for each submesh', { lods: [{ ...LOD, ranges: [] }] }],
  [
    'a LOD of part of a triangle',
    { lods: [{ ...LOD, ranges: [{ firstIndex: 0, indexCount: 2 }] }] },
  ],
  ['a LOD that is off by no number', { lods: [{ ...LOD, error: Number.NaN }] }],
  ['a LOD that is off by less than nothing', { lods: [{ ...LOD, error: -1 }] }],
  ['bounds that are not finite', { bounds: { min: [0, 0, 0], max: [0, Infinity, 0] } as const }],
])('a mesh with %s is refused by name', (_, fault) => {
  expect(() => checkMesh('crate', { ...triangle, ...fault })).toThrow(
    expect.objectContaining({ code: 'render-sync/mesh-invalid', subjects: { mesh: 'crate' } }),
  );
});
