import { beforeAll, describe, expect, test } from 'vitest';
import {
  gltfImporter,
  subAssetUuid,
  triangleCount,
  type ImportedAsset,
  type PrefabData,
} from '../src/index.js';
import { checkOutput } from '../src/conformance/check-output.js';
import { corpusEntries, corpusProject, hasCorpus, type CorpusEntry } from './corpus.js';
import { wrongCounts, wrongPlace, type Difference } from './corpus-facts.js';
import { dataOf, importFile, type ImportOutcome } from './import-file.js';
import { sceneBounds } from './scene-bounds.js';

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
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'issue-416-gltf': { ours: { textures: 0 }, reason: 'the URI of its only image is malformed' },
  'v-image-invalid-image-data-gltf': { ours: { textures: 0 }, reason: 'its image is no image' },
  'v-image-png-eos-gltf': { ours: { textures: 0 }, reason: 'its image ends before its size' },
  'mesh-no-indices-no-vertices-no-buffer-uri-glb': {
    ours: { meshes: 0, primitives: 0 },
    reason: 'its meshes have no vertices',
  },
  'v-image-not-found-gltf': { ours: { textures: 0 }, reason: 'its image is not there' },
  'syn-img-missing': { ours: { textures: 0 }, reason: 'its image is not there' },
  'syn-img-zero-length': { ours: { textures: 0 }, reason: 'its image is empty' },
  'invalid-uri-gltf': { ours: { textures: 0 }, reason: 'its images have URIs that are none' },
  'encoded-uris-gltf': {
    ours: { vertices: 0, meshes: 0, primitives: 0, textures: 0 },
    reason: 'its buffers and images are not among its files: without their bytes nothing is drawn',
  },
  'non-sparse-accessor-without-buffer-view-gltf': {
    box: { min: [0, 0, 0], max: [0, 0, 0] },
    reason: 'its positions are zeros; three.js believes the bounds that it declares',
  },
  'syn-node-shear': {
    box: { min: [0, 0, 0], max: [1, Math.SQRT2, 0] },
    reason:
      'its matrix shears, which no turning and scaling does: each tool keeps another part of it',
  },
};

/** Imported files of which independent tools know little, and why. */
const FEW_FACTS: Readonly<Record<string, string>> = {
  'v-glb-bom-glb': 'the validator takes its byte order mark for broken JSON',
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
      if (outcome.kind === 'refused' || !expected) return;
      expect(wrongPlace(sceneBounds(outcome.assets), expected, DIFFERENCES[id])).toEqual([]);
    });

    test('has the counts that independent tools found', async () => {
      if (outcome.kind === 'refused') return;
      const facts = factsOf(entry);
      // What is made beside it (flat normals, tangents) needs more vertices than the file has.
      const asItIs = await importEntry(entry, { normals: 'keep', tangents: 'keep' });
      const counts = countsOf(asItIs.kind === 'refused' ? [] : asItIs.assets);
      const known = Object.values(facts).filter((fact) => fact !== undefined).length;
      expect(known).toBeGreaterThan(FEW_FACTS[id] === undefined ? 5 : 1);
      expect(wrongCounts(counts, facts, DIFFERENCES[id])).toEqual([]);
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

function factsOf({ facts }: CorpusEntry): Record<string, number | undefined> {
  const info = facts?.validator?.info as Readonly<Record<string, number>> | undefined;
  const json = facts?.json;
  return {
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
