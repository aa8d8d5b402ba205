import { beforeAll, describe, expect, test } from 'vitest';
import {
  gltfImporter,
  subAssetUuid,
  triangleCount,
  type ImportedAsset,
  type MeshData,
  type NodeData,
  type PrefabData,
} from '../src/index.js';
import { checkOutput } from '../src/conformance/check-output.js';
import { corpusEntries, corpusProject, hasCorpus, type CorpusEntry } from './corpus.js';
import { dataOf, importFile, type ImportOutcome } from './import-file.js';

/** Which outcomes a verdict of the manifest allows. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  valid: ['clean', 'warned'],
  warn: ['warned'],
  'valid-or-warn': ['clean', 'warned'],
  'reject-or-warn': ['refused', 'warned'],
  reject: ['refused'],
  'no-crash': ['clean', 'warned', 'refused'],
};

/** Files for which another outcome than the manifest's is right, and why. */
const DEVIATIONS: Readonly<Record<string, { readonly outcome: string; readonly reason: string }>> =
  {
    'meshopt-fallback-gltf': {
      outcome: 'clean',
      reason:
        'the faults are in the fallback for readers without meshopt; the compressed data that is read instead is sound',
    },
  };

/** Counts that differ from the facts, and why. */
const COUNTS: Readonly<
  Record<string, { readonly skip: readonly string[]; readonly reason: string }>
> = {
  'issue-416-gltf': { skip: ['textures'], reason: 'the URI of its only image is malformed' },
  'v-image-invalid-image-data-gltf': { skip: ['textures'], reason: 'its image is no image' },
  'v-image-png-eos-gltf': { skip: ['textures'], reason: 'its image ends before its size' },
  'mesh-no-indices-no-vertices-no-buffer-uri-glb': {
    skip: ['meshes', 'primitives'],
    reason: 'its meshes have no vertices',
  },
};

const importer = gltfImporter();
const entries = corpusEntries().filter((entry) => /\.(gltf|glb)$/.test(entry.file));

describe.skipIf(!hasCorpus)('glTF files of the corpus', () => {
  describe.each(entries.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
    let outcome: ImportOutcome;
    beforeAll(async () => {
      outcome = await importEntry(entry);
    });

    test('has the outcome that the manifest expects', () => {
      const allowed = DEVIATIONS[id]?.outcome ?? ALLOWED[entry.expect?.verdict ?? ''];
      expect(allowed, `unknown verdict ${entry.expect?.verdict}`).toBeDefined();
      expect(allowed).toContain(kindOf(outcome));
    });

    test('names file, code and place of what is wrong', () => {
      const diagnostics =
        outcome.kind === 'refused' ? outcome.error.diagnostics : outcome.diagnostics;
      for (const { file, code, message } of diagnostics) {
        expect(file).toBe(`/${entry.file}`);
        expect(code).toMatch(/^assets\/[a-z0-9-]+$/);
        expect(message.length).toBeGreaterThan(10);
      }
      if (outcome.kind !== 'refused') return;
      expect(outcome.error.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
      expect(outcome.error.message).toContain(entry.file);
    });

    test('gives finite numbers and indices within their vertices only', () => {
      if (outcome.kind === 'refused') return;
      const { assets } = outcome;
      const main = assets.find(({ key }) => key === '');
      const uuidOf = (key: string): string => subAssetUuid(main?.uuid ?? '', key);
      expect(() =>
        checkOutput(assets, { uuid: main?.uuid ?? '', type: 'prefab' }, uuidOf, id),
      ).not.toThrow();
    });

    test('is where three.js puts it', () => {
      const expected = entry.facts?.three?.restWorldBbox;
      if (outcome.kind === 'refused' || entry.expect?.verdict !== 'valid' || !expected) return;
      const actual = sceneBounds(outcome.assets);
      const size = Math.max(
        1e-6,
        ...expected.max.map((value, i) => value - (expected.min[i] ?? 0)),
      );
      for (const axis of [0, 1, 2]) {
        expect
          .soft(Math.abs((actual.min[axis] ?? 0) - (expected.min[axis] ?? 0)) / size)
          .toBeLessThan(1e-3);
        expect
          .soft(Math.abs((actual.max[axis] ?? 0) - (expected.max[axis] ?? 0)) / size)
          .toBeLessThan(1e-3);
      }
    });

    test('has the counts that independent tools found', async () => {
      if (
        outcome.kind === 'refused' ||
        !/^(valid|warn|valid-or-warn)$/.test(entry.expect?.verdict ?? '')
      )
        return;
      const { skip = [] } = COUNTS[id] ?? {};
      const facts = factsOf(entry);
      // What is made beside it (flat normals, tangents) needs more vertices than the file has.
      const asItIs = await importEntry(entry, { normals: 'keep', tangents: 'keep' });
      const counts = countsOf(asItIs.kind === 'refused' ? [] : asItIs.assets);
      for (const name of skip) {
        delete facts[name];
      }
      expect(Object.keys(facts).length).toBeGreaterThan(5);
      for (const [name, fact] of Object.entries(facts)) {
        expect.soft(counts[name], name).toBe(fact);
      }
    });
  });
});

async function importEntry(entry: CorpusEntry, settings = {}): Promise<ImportOutcome> {
  const { vfs, path } = corpusProject(entry);
  try {
    return await importFile(importer, vfs, path, settings);
  } finally {
    await vfs.dispose();
  }
}

function kindOf(outcome: ImportOutcome): string {
  if (outcome.kind === 'refused') return 'refused';
  return outcome.diagnostics.some(({ severity }) => severity === 'warning') ? 'warned' : 'clean';
}

function factsOf({ facts }: CorpusEntry): Record<string, unknown> {
  const info = facts?.validator?.info;
  const json = facts?.json;
  const result: Record<string, unknown> = {
    vertices: info?.['totalVertexCount'],
    triangles: info?.['totalTriangleCount'],
    meshes: json?.['meshes'],
    primitives: json?.['primitives'],
    materials: json?.['materials'],
    textures: json?.['images'],
    nodes: json?.['nodes'],
    skins: json?.['skins'],
    animations: json?.['animations'],
    scenes: json?.['scenes'],
  };
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined));
}

function countsOf(assets: readonly ImportedAsset[]): Record<string, number> {
  const meshes = dataOf(assets, 'mesh');
  const [prefab] = dataOf(assets, 'prefab') as [PrefabData];
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  return {
    vertices: sum(meshes.flatMap((mesh) => mesh.submeshes.map(({ vertexCount }) => vertexCount))),
    triangles: sum(meshes.map(triangleCount)),
    meshes: meshes.length,
    primitives: sum(meshes.map((mesh) => mesh.submeshes.length)),
    materials: dataOf(assets, 'material').length,
    textures: dataOf(assets, 'texture').length,
    nodes: prefab.nodes.length,
    skins: dataOf(assets, 'skin').length,
    animations: dataOf(assets, 'animation').length,
    scenes: prefab.scenes.length,
  };
}

/** World-space box of the default scene at rest, without skinning and morphing. */
function sceneBounds(assets: readonly ImportedAsset[]): { min: number[]; max: number[] } {
  const [prefab] = dataOf(assets, 'prefab') as [PrefabData];
  const meshes = new Map(assets.map((asset) => [asset.uuid, asset.data]));
  const box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const shown = new Set(prefab.scenes[prefab.defaultScene]?.roots);
  const world: ((point: readonly number[]) => readonly number[])[] = [];
  prefab.nodes.forEach((node, i) => {
    if (shown.has(node.parent)) shown.add(i);
    const parent = world[node.parent];
    world[i] = (point) => {
      const own = transform(node, point);
      return parent ? parent(own) : own;
    };
    const mesh = meshes.get(node.mesh ?? '') as MeshData | undefined;
    if (!mesh || !shown.has(i)) return;
    const positions = mesh.streams[0]?.data ?? [];
    for (let v = 0; v < positions.length; v += 3) {
      const point = world[i]?.([positions[v] ?? 0, positions[v + 1] ?? 0, positions[v + 2] ?? 0]);
      for (const axis of [0, 1, 2]) {
        box.min[axis] = Math.min(box.min[axis] ?? 0, point?.[axis] ?? 0);
        box.max[axis] = Math.max(box.max[axis] ?? 0, point?.[axis] ?? 0);
      }
    }
  });
  return box;
}

function transform(node: NodeData, [x = 0, y = 0, z = 0]: readonly number[]): readonly number[] {
  const [sx, sy, sz] = node.scale;
  const [qx, qy, qz, qw] = node.rotation;
  const [px, py, pz] = [x * sx, y * sy, z * sz];
  const tx = 2 * (qy * pz - qz * py);
  const ty = 2 * (qz * px - qx * pz);
  const tz = 2 * (qx * py - qy * px);
  return [
    px + qw * tx + (qy * tz - qz * ty) + node.translation[0],
    py + qw * ty + (qz * tx - qx * tz) + node.translation[1],
    pz + qw * tz + (qx * ty - qy * tx) + node.translation[2],
  ];
}
