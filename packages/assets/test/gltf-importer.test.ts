import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import { decodeArtifact, describeArtifact, encodeArtifact, loadMesh } from '../src/artifacts.js';
import {
  findStream,
  gltfImporter,
  triangleCount,
  type GltfImporterOptions,
  type MeshData,
  type PrefabData,
} from '../src/index.js';
import { everything, GltfBuilder } from './gltf-builder.js';
import { dataOf, importFile } from './import-file.js';
import { png } from './samples.js';

async function run(
  source: string | Uint8Array,
  options: {
    files?: Record<string, string | Uint8Array>;
    settings?: Record<string, unknown>;
    importer?: GltfImporterOptions;
  } = {},
) {
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { ...options.files, '/m/a.gltf': source } }));
  const outcome = await importFile(
    gltfImporter(options.importer),
    vfs,
    VFSPath.parse('/m/a.gltf'),
    options.settings,
  );
  const assets = outcome.kind === 'imported' ? outcome.assets : [];
  const diagnostics = outcome.kind === 'imported' ? outcome.diagnostics : outcome.error.diagnostics;
  return { outcome, assets, diagnostics, codes: diagnostics.map(({ code }) => code) };
}

const QUAD = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);

/** A file with one mesh of one primitive. */
function oneMesh(
  build: (gltf: GltfBuilder) => Record<string, unknown>,
  position = QUAD,
): GltfBuilder {
  const gltf = new GltfBuilder();
  const POSITION = gltf.accessor(position, 'VEC3');
  const { attributes, ...rest } = build(gltf);
  const mode = 'indices' in rest ? 4 : 5;
  const primitive = { attributes: { POSITION, ...(attributes as object) }, mode, ...rest };
  gltf.json['meshes'] = [{ name: 'm', primitives: [primitive] }];
  return gltf;
}

async function meshOf(gltf: GltfBuilder, settings?: Record<string, unknown>): Promise<MeshData> {
  const { assets } = await run(gltf.gltf(), settings ? { settings } : {});
  const [mesh] = dataOf(assets, 'mesh');
  if (!mesh) throw new Error('no mesh');
  return mesh;
}

describe('a file with a bit of everything', () => {
  test('becomes the same assets as .gltf and as .glb', async () => {
    const [text, binary] = [await run(everything().gltf()), await run(everything().glb())];
    expect(binary.assets).toEqual(text.assets);
    expect(text.assets.map(({ key }) => key)).toEqual([
      'texture/pixels',
      'material/coated',
      'mesh/quad',
      'skin/skin',
      'animation/rise',
      '',
    ]);
  });

  test('keeps its hierarchy, camera, light, skin, morph target and animation', async () => {
    const { assets, codes } = await run(everything().glb());
    expect(codes).toEqual([]);
    const [prefab] = dataOf(assets, 'prefab');
    const [mesh] = dataOf(assets, 'mesh');
    expect(prefab?.nodes.map(({ name, parent }) => [name, parent])).toEqual([
      ['root', -1],
      ['eye', -1],
      ['quad', 0],
    ]);
    expect(prefab?.scenes).toEqual([{ name: 'main', roots: [0, 1] }]);
    expect(prefab?.nodes[1]).toMatchObject({
      translation: [0, 0, 5],
      camera: { kind: 'perspective', fovY: 1, far: undefined },
    });
    expect(prefab?.nodes[0]?.light).toMatchObject({ kind: 'spot', outerAngle: 0.5 });
    expect(dataOf(assets, 'skin')[0]?.joints).toEqual([0]);
    expect(dataOf(assets, 'animation')[0]).toMatchObject({
      duration: 1,
      channels: [{ node: 2, path: 'translation', sampler: 0 }],
    });
    expect(mesh?.morphWeights).toEqual([0.25]);
    expect(mesh?.morphTargets[0]?.streams[0]?.data).toEqual(new Float32Array(18).fill(0.5));
    expect(findStream(mesh as MeshData, 'TEXCOORD_0')?.data).toEqual(
      new Float32Array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1]),
    );
    expect(findStream(mesh as MeshData, 'JOINTS_0')?.data).toBeInstanceOf(Uint16Array);
  });

  test('keeps material extensions as data, with textures by uuid', async () => {
    const { assets } = await run(everything().glb());
    const [material] = dataOf(assets, 'material');
    const texture = assets.find(({ type }) => type === 'texture')?.uuid;
    expect(material?.normalTexture).toMatchObject({ texture, colorSpace: 'linear' });
    expect(material?.extensions['KHR_materials_clearcoat']).toMatchObject({
      clearcoatFactor: 1,
      clearcoatTexture: { texture },
    });
    expect(assets.find(({ type }) => type === 'material')?.dependencies).toEqual([texture]);
  });
});

describe('geometry', () => {
  /** Two triangles at a right angle that share an edge. */
  const folded = (): GltfBuilder =>
    oneMesh(
      (g) => ({ indices: g.accessor(new Uint8Array([0, 1, 2, 0, 2, 3]), 'SCALAR') }),
      new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
    );

  test('without normals gets flat ones, as the specification asks', async () => {
    const mesh = await meshOf(folded());
    expect(mesh.vertexCount).toBe(6);
    expect([...(findStream(mesh, 'NORMAL')?.data ?? [])]).toEqual([
      0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0,
    ]);
    expect([...(findStream(mesh, 'POSITION')?.data ?? [])].slice(9)).toEqual([
      0, 0, 0, 0, 1, 0, 0, 0, 1,
    ]);
    expect([...mesh.indices]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('gets smooth normals, or none, where the settings say so', async () => {
    const smooth = await meshOf(folded(), { normals: 'smooth' });
    const half = Math.fround(Math.SQRT1_2);
    expect([...(findStream(smooth, 'NORMAL')?.data ?? [])].map(Math.fround)).toEqual([
      half,
      0,
      half,
      0,
      0,
      1,
      half,
      0,
      half,
      1,
      0,
      0,
    ]);
    const kept = await meshOf(folded(), { normals: 'keep' });
    expect(findStream(kept, 'NORMAL')).toBeUndefined();
    expect([smooth.vertexCount, kept.vertexCount]).toEqual([4, 4]);
  });

  test('takes no memory for flat normals beyond the limits', async () => {
    const { diagnostics } = await run(folded().gltf(), {
      importer: { limits: { decodedBytes: 120 } },
    });
    expect(diagnostics).toMatchObject([
      { code: 'assets/gltf-too-large', pointer: '/meshes/0/primitives/0' },
    ]);
  });

  test.each([
    [{ normals: 'smoth' }, 'normals'],
    [{ tangents: true }, 'tangents'],
    [{ lods: 1.5 }, 'lods'],
    [{ lods: 9 }, 'lods'],
    [{ requiredExtensions: 'no' }, 'requiredExtensions'],
  ])('with the wrong setting %j has a warning', async (settings, name) => {
    const { diagnostics } = await run(folded().gltf(), { settings });
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'assets/gltf-setting' }]);
    expect(diagnostics[0]?.message).toContain(`"${name}"`);
  });

  test('gets tangents where the material has a normal map', async () => {
    const { assets } = await run(everything().glb());
    const [mesh] = dataOf(assets, 'mesh');
    const tangents = findStream(mesh as MeshData, 'TANGENT')?.data ?? [];
    // Its texture coordinates run upwards, and glTF's downwards.
    expect(Array.from(tangents).slice(0, 4)).toEqual([1, 0, 0, -1]);
    const kept = await run(everything().glb(), { settings: { tangents: 'keep' } });
    expect(findStream(dataOf(kept.assets, 'mesh')[0] as MeshData, 'TANGENT')).toBeUndefined();
  });

  test('gets tangents along the texture coordinates of the normal map', async () => {
    const gltf = oneMesh((g) => ({
      indices: g.accessor(new Uint8Array([0, 1, 2, 0, 2, 3]), 'SCALAR'),
      material: 0,
      attributes: {
        TEXCOORD_0: g.accessor(new Float32Array(8), 'VEC2'),
        // U runs along +Y, V along +X.
        TEXCOORD_1: g.accessor(new Float32Array([0, 0, 0, 1, 1, 1, 1, 0]), 'VEC2'),
      },
    }));
    gltf.json['images'] = [{ uri: 'n.png' }];
    gltf.json['textures'] = [{ source: 0 }];
    gltf.json['materials'] = [{ normalTexture: { index: 0, texCoord: 1 } }];
    const { assets } = await run(gltf.gltf(), { files: { '/m/n.png': png(2, 2) } });
    const [mesh] = dataOf(assets, 'mesh');
    const tangents = findStream(mesh as MeshData, 'TANGENT')?.data ?? [];
    expect(Array.from(tangents).slice(0, 4)).toEqual([0, 1, 0, 1]);
  });

  test.each([
    [0, 'points', [0, 1, 2, 3]],
    [1, 'lines', [0, 1, 2, 3]],
    [2, 'lines', [0, 1, 1, 2, 2, 3, 3, 0]],
    [3, 'lines', [0, 1, 1, 2, 2, 3]],
    [4, 'triangles', [0, 1, 2]],
    [5, 'triangles', [0, 1, 2, 1, 3, 2]],
    [6, 'triangles', [1, 2, 0, 2, 3, 0]],
  ])('of mode %i becomes a list of %s', async (mode, topology, indices) => {
    const mesh = await meshOf(
      oneMesh(() => ({ mode })),
      { normals: 'keep' },
    );
    expect(mesh.submeshes[0]?.topology).toBe(topology);
    expect([...mesh.indices]).toEqual(indices);
  });

  test('of primitives that share accessors shares its vertices, others are joined', async () => {
    const gltf = oneMesh((g) => ({
      indices: g.accessor(new Uint8Array([0, 1, 2]), 'SCALAR'),
    }));
    const [mesh] = gltf.json['meshes'] as [{ primitives: { attributes: object }[] }];
    const [first] = mesh.primitives;
    const POSITION = gltf.accessor(QUAD, 'VEC3');
    const COLOR_0 = gltf.accessor(new Uint8Array(12).fill(255), 'VEC3', { normalized: true });
    mesh.primitives.push(
      { ...first, indices: gltf.accessor(new Uint8Array([0, 2, 3]), 'SCALAR') } as never,
      { attributes: { POSITION, COLOR_0 } },
    );
    const built = await meshOf(gltf, { normals: 'smooth' });
    expect(built.vertexCount).toBe(8);
    expect(
      built.submeshes.map(({ firstVertex, vertexCount }) => [firstVertex, vertexCount]),
    ).toEqual([
      [0, 4],
      [0, 4],
      [4, 4],
    ]);
    expect([...built.indices]).toEqual([0, 1, 2, 0, 2, 3, 4, 5, 6]);
    expect(findStream(built, 'COLOR_0')?.data).toEqual(new Float32Array(32).fill(1));
    expect(triangleCount(built)).toBe(3);
  });

  test('with more than 65,535 vertices has 32-bit indices', async () => {
    const big = new Float32Array(65_538 * 3);
    const mesh = await meshOf(
      oneMesh((g) => ({ indices: g.accessor(new Uint32Array([0, 1, 65_537]), 'SCALAR') }), big),
      { normals: 'keep' },
    );
    expect(mesh.indices).toBeInstanceOf(Uint32Array);
    expect(mesh.indices[2]).toBe(65_537);
  });

  test('with sparse values has them in place', async () => {
    const gltf = oneMesh((g) => {
      const indices = g.view(new Uint8Array(new Uint16Array([1]).buffer));
      const values = g.view(new Uint8Array(new Float32Array([9, 8, 7]).buffer));
      const sparse = {
        count: 1,
        indices: { bufferView: indices, componentType: 5123 },
        values: { bufferView: values },
      };
      Object.assign(g.json.accessors[0] ?? {}, { sparse });
      return {};
    });
    const mesh = await meshOf(gltf);
    expect([...(mesh.streams[0]?.data ?? [])].slice(3, 6)).toEqual([9, 8, 7]);
    expect(mesh.bounds.max).toEqual([9, 8, 7]);
  });

  test('is repaired where it is not finite, with a warning that says where', async () => {
    const broken = QUAD.slice();
    broken[4] = Number.NaN;
    broken[11] = Infinity;
    const { assets, diagnostics } = await run(oneMesh(() => ({}), broken).gltf());
    expect(dataOf(assets, 'mesh')[0]?.bounds).toEqual({ min: [0, 0, 0], max: [1, 1, 0] });
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'assets/gltf-not-finite', pointer: '/accessors/0' },
    ]);
  });
});

describe('levels of detail', () => {
  /** A bumpy square of n × n quads. */
  function grid(n: number): GltfBuilder {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let y = 0; y <= n; y++) {
      for (let x = 0; x <= n; x++) {
        positions.push(x / n, y / n, Math.sin(x * 0.3) * 0.01);
        if (x === n || y === n) continue;
        const i = y * (n + 1) + x;
        indices.push(i, i + 1, i + n + 2, i, i + n + 2, i + n + 1);
      }
    }
    return oneMesh(
      (g) => ({ indices: g.accessor(new Uint16Array(indices), 'SCALAR') }),
      new Float32Array(positions),
    );
  }

  test.each([
    ['smooth', 'smooth'],
    ['flat', 'flat'],
  ])(
    'are made of %s meshes where the settings ask for them, each with about half the triangles',
    async (_, normals) => {
      const gltf = grid(32);
      expect((await meshOf(gltf)).lods).toBeUndefined();
      const mesh = await meshOf(gltf, { lods: 3, normals });
      const counts = [mesh.indices, ...(mesh.lods ?? []).map(({ indices }) => indices)].map(
        ({ length }) => length,
      );
      expect(counts).toHaveLength(4);
      for (let i = 1; i < counts.length; i++) {
        expect((counts[i] ?? 0) / (counts[i - 1] ?? 1)).toBeLessThan(0.7);
      }
      const errors = (mesh.lods ?? []).map(({ error }) => error);
      expect(errors.every((error) => error >= 0 && error < 0.2)).toBe(true);
      for (const { indices, ranges } of mesh.lods ?? []) {
        expect(indices.every((index) => index < mesh.vertexCount)).toBe(true);
        expect(ranges).toEqual([{ firstIndex: 0, indexCount: indices.length }]);
      }
    },
  );

  test('are cooked with the mesh, and dumped', async () => {
    const mesh = await meshOf(grid(16), { lods: 2 });
    const bytes = encodeArtifact({ type: 'mesh', data: mesh });
    expect(loadMesh(bytes).lods).toEqual(mesh.lods);
    expect(describeArtifact(bytes).tree).toMatchObject({
      lods: [
        { indices: { $u16: expect.any(Number) }, ranges: [{ firstIndex: 0 }] },
        { indices: { $u16: expect.any(Number) }, ranges: [{ firstIndex: 0 }] },
      ],
    });
  });

  test('keep seams of texture coordinates', async () => {
    const gltf = grid(16);
    const [mesh] = gltf.json['meshes'] as [
      { primitives: { attributes: Record<string, number> }[] },
    ];
    const attributes = mesh.primitives[0]?.attributes ?? {};
    const indices = findStream(await meshOf(gltf), 'POSITION')?.data ?? [];
    // Each triangle has coordinates of its own: nothing can be joined.
    const apart = new GltfBuilder();
    apart.json['meshes'] = gltf.json['meshes'];
    attributes['POSITION'] = apart.accessor(new Float32Array(indices), 'VEC3');
    attributes['TEXCOORD_0'] = apart.accessor(
      Float32Array.from({ length: (indices.length / 3) * 2 }, (__, i) => i),
      'VEC2',
    );
    delete (mesh.primitives[0] as { indices?: number }).indices;
    expect((await meshOf(apart, { lods: 2 })).lods).toBeUndefined();
  });

  test('are left out where nothing can be saved', async () => {
    const gltf = oneMesh((g) => ({
      indices: g.accessor(new Uint8Array([0, 1, 2, 0, 2, 3]), 'SCALAR'),
    }));
    expect((await meshOf(gltf, { lods: 3 })).lods).toBeUndefined();
    expect(
      (
        await meshOf(
          oneMesh(() => ({ mode: 0 })),
          { lods: 3 },
        )
      ).lods,
    ).toBeUndefined();
  });
});

describe('names of sub-assets', () => {
  const named = (names: readonly string[]): string => {
    const gltf = new GltfBuilder();
    gltf.json['meshes'] = names.map((name, i) => ({
      name,
      primitives: [
        {
          attributes: {
            POSITION: gltf.accessor(
              QUAD.map((x) => x + i),
              'VEC3',
            ),
          },
        },
      ],
    }));
    return gltf.gltf();
  };
  const keysOf = async (source: string): Promise<string[]> =>
    (await run(source)).assets.filter(({ type }) => type === 'mesh').map(({ key }) => key);

  test('are safe and unique without regard to case', async () => {
    const keys = await keysOf(named(['../../etc/passwd', 'CON', 'a\0b', 'Wheel', 'wheel', '']));
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(6);
    for (const key of keys) expect(key).toMatch(/^mesh\/[^./\\\0][^/\\\0]*$/);
    expect(keys[1]).toBe('mesh/_CON');
  });

  test('and with them uuids do not depend on order', async () => {
    const a = named(['x', 'x', 'y']);
    const gltf = JSON.parse(a) as { meshes: unknown[] };
    gltf.meshes.reverse();
    const before = (await run(a)).assets.filter(({ type }) => type === 'mesh');
    const after = (await run(JSON.stringify(gltf))).assets.filter(({ type }) => type === 'mesh');
    const contents = (assets: typeof before): Map<string, string> =>
      new Map(assets.map(({ uuid, data }) => [uuid, String((data as MeshData).streams[0]?.data)]));
    expect(contents(after)).toEqual(contents(before));
  });
});

describe('limits and safety', () => {
  test.each([
    ['fileBytes', 100],
    ['resourceBytes', 40],
    ['decodedBytes', 40],
    ['items', 0],
    ['primitives', 0],
  ] as const)('a file beyond the limit of %s is refused', async (limit, value) => {
    const { outcome, codes } = await run(oneMesh(() => ({})).gltf(), {
      importer: { limits: { [limit]: value } },
    });
    expect(outcome.kind).toBe('refused');
    expect(codes).toContain('assets/gltf-too-large');
  });

  test.each(['../../../secret.png', 'http://x/y.png', 'file:///etc/passwd', '//host/x.png'])(
    'an image at %s refuses the file and is not read',
    async (uri) => {
      const gltf = oneMesh(() => ({}));
      gltf.json['images'] = [{ uri }];
      const { outcome, diagnostics } = await run(gltf.gltf());
      expect(outcome.kind).toBe('refused');
      expect(diagnostics).toContainEqual(
        expect.objectContaining({
          severity: 'error',
          code: 'assets/gltf-uri-escape',
          pointer: '/images/0',
        }),
      );
    },
  );

  test('nodes below one another 100,000 deep are imported, cooked and loaded', async () => {
    const gltf = oneMesh(() => ({}));
    const depth = 100_000;
    gltf.json['nodes'] = Array.from({ length: depth }, (_, i) =>
      i + 1 < depth ? { children: [i + 1] } : { mesh: 0 },
    );
    gltf.json['scenes'] = [{ nodes: [0] }];
    const { outcome } = await run(gltf.gltf());
    if (outcome.kind === 'refused') throw outcome.error;
    const prefab = outcome.assets.find(({ type }) => type === 'prefab');
    if (prefab?.type !== 'prefab') throw new Error('There is no prefab');
    const { data } = decodeArtifact(encodeArtifact(prefab));
    expect((data as PrefabData).nodes).toHaveLength(depth);
  });

  test('values nested 100,000 deep are left out or refused, in whatever part they are', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const parts = [
      ...['extras', 'extensions', 'nodes', 'materials'].map((name) => `"${name}":${deep}`),
      `"materials":[{"extensions":{"KHR_materials_x":{"a":${deep}}}}]`,
    ];
    const kinds: string[] = [];
    for (const part of parts) {
      const { outcome, diagnostics } = await run(`{"asset":{"version":"2.0"},${part}}`);
      kinds.push(outcome.kind);
      expect(diagnostics.map(({ code }) => code)).not.toContain('assets/importer-threw');
      if (outcome.kind !== 'refused') outcome.assets.forEach(encodeArtifact);
    }
    expect(kinds).toEqual(['imported', 'refused', 'refused', 'refused', 'imported']);
  });

  test('an image that is missing is a warning, and the geometry is imported', async () => {
    const gltf = oneMesh(() => ({ material: 0 }));
    gltf.json['images'] = [{ uri: 'none.png' }];
    gltf.json['textures'] = [{ source: 0 }];
    gltf.json['materials'] = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    const { assets, codes } = await run(gltf.gltf());
    expect(codes).toEqual(['assets/gltf-missing-file']);
    expect(dataOf(assets, 'mesh')).toHaveLength(1);
    expect(dataOf(assets, 'material')[0]?.baseColorTexture).toBeUndefined();
  });

  test('an image is decoded as its materials use it', async () => {
    const { assets } = await run(everything().glb());
    expect(dataOf(assets, 'texture')).toMatchObject([
      { colorSpace: 'linear', normalMap: true, texels: { format: 'rgba8unorm', levels: 2 } },
    ]);
    const kept = await run(everything().glb(), { settings: { textures: 'file' } });
    expect(dataOf(kept.assets, 'texture')[0]).not.toHaveProperty('texels');
  });

  test('an image that cannot be decoded is a warning, and the geometry is imported', async () => {
    const gltf = everything();
    gltf.json['images'] = [{ uri: 'a.png' }];
    const cut = png(16, 16).slice();
    cut.fill(0, 45, 55);
    const { assets, codes } = await run(gltf.gltf(), { files: { '/m/a.png': cut } });
    expect(codes).toEqual(['assets/image-undecodable']);
    expect(dataOf(assets, 'texture')).toEqual([]);
    expect(dataOf(assets, 'mesh')).toHaveLength(1);
  });

  test('an image is what its bytes say, not what its file says', async () => {
    const gltf = oneMesh(() => ({}));
    gltf.json['images'] = [{ uri: 'a.jpg', mimeType: 'image/jpeg' }];
    const { assets, codes } = await run(gltf.gltf(), { files: { '/m/a.jpg': png(7, 5) } });
    expect(dataOf(assets, 'texture')[0]).toMatchObject({ mime: 'image/png', width: 7, height: 5 });
    expect(codes).toEqual(['assets/gltf-image-type']);
  });

  test('a required extension that is unknown is a warning, or an error where settings are strict', async () => {
    const gltf = oneMesh(() => ({}));
    gltf.json['extensionsUsed'] = gltf.json['extensionsRequired'] = ['X_unknown'];
    expect((await run(gltf.gltf())).diagnostics).toMatchObject([
      { severity: 'warning', code: 'assets/gltf-required-extension' },
    ]);
    const strict = await run(gltf.gltf(), { settings: { requiredExtensions: 'strict' } });
    expect(strict.outcome.kind).toBe('refused');
  });

  test('diagnostics of one kind are counted, not collected without end', async () => {
    const gltf = new GltfBuilder();
    gltf.json['nodes'] = Array.from({ length: 1_000 }, () => ({ rotation: [0, 0, 0, 0] }));
    const { diagnostics } = await run(gltf.gltf());
    expect(diagnostics.length).toBeLessThan(40);
    expect(diagnostics.at(-1)?.message).toMatch(/968 more of assets\/gltf-node-transform/);
  });
});
