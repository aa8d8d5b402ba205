import { beforeAll, describe, expect, test } from 'vitest';
import {
  assimpImporter,
  subAssetUuid,
  triangleCount,
  type ImportedAsset,
  type MeshData,
} from '../src/index.js';
import { checkOutput } from '../src/conformance/check-output.js';
import { corpusEntries, corpusProject, hasCorpus, type CorpusEntry } from './corpus.js';
import { wrongCounts, wrongPlace, type Difference } from './corpus-facts.js';
import { dataOf, importFile, type ImportOutcome } from './import-file.js';
import { sceneBounds } from './scene-bounds.js';

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  valid: ['clean', 'warned'],
  'valid-or-warn': ['clean', 'warned'],
  'reject-or-warn': ['refused', 'warned'],
  reject: ['refused'],
  'no-crash': ['clean', 'warned', 'refused'],
};

/** Files for which another outcome than the manifest's is right, and why. */
const DEVIATIONS: Readonly<Record<string, { readonly outcome: string; readonly reason: string }>> =
  {
    'empty-obj': {
      outcome: 'refused',
      reason: 'a file of 0 bytes is an accident far more often than a model without geometry',
    },
  };

/** Counts that differ from those of native Assimp and three.js, and why. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'box-external-resources-obj': {
    ours: { meshes: 1 },
    reason: 'Assimp splits a mesh by material; glTF has it as two primitives of one',
  },
  'box-utf16be-obj': {
    ours: { meshes: 1, drawnTriangles: 12, corners: 36, nodes: 2, materials: 2 },
    reason: 'neither native Assimp nor three.js reads UTF-16; here it is turned into UTF-8 first',
  },
  'blender-340-z-up-7400-binary-fbx': {
    ours: { cameras: 0, lights: 0 },
    reason: 'Assimp leaves cameras and lights out of the glTF that it makes',
  },
  'blender-293-embedded-textures-7400-binary-fbx': {
    ours: { textures: 2 },
    reason: 'glTF has no place for three of its five, as those of bumps and reflection',
  },
  'box-orphant-embedded-texture-fbx': {
    ours: { textures: 0 },
    reason: 'its texture is a TGA, which no importer here takes; a warning says so',
  },
  'max-nurbs-curve-rational-7500-ascii-fbx': {
    ours: { corners: 0 },
    box: 'nothing',
    reason: 'Assimp knows no NURBS curves; three.js draws one as a line',
  },
  'blender-300-ngon-big-7400-binary-fbx': {
    ours: { drawnTriangles: 7_935, corners: 23_805 },
    reason: 'Assimp drops triangles without area when it splits a polygon of 8,030 corners',
  },
};

const importer = assimpImporter();
const entries = corpusEntries().filter((entry) => /\.(fbx|obj)$/.test(entry.file));

describe.skipIf(!hasCorpus)('FBX and OBJ files of the corpus', () => {
  describe.each(entries.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
    let outcome: ImportOutcome;
    beforeAll(async () => {
      const { vfs, path } = corpusProject(entry);
      outcome = await importFile(importer, vfs, path);
      await vfs.dispose();
    }, 30_000);

    test('has the outcome that the manifest expects', () => {
      const allowed = DEVIATIONS[id]?.outcome ?? ALLOWED[entry.expect?.verdict ?? ''];
      expect(allowed, `unknown verdict ${entry.expect?.verdict}`).toBeDefined();
      const kind = kindOf(outcome);
      expect(allowed).toContain(kind);
    });

    test('gives sound assets, or names the file', () => {
      const diagnostics =
        outcome.kind === 'refused' ? outcome.error.diagnostics : outcome.diagnostics;
      expect(diagnostics.every(({ file }) => file === `/${entry.file}`)).toBe(true);
      const assets = outcome.kind === 'refused' ? undefined : outcome.assets;
      const main = assets?.find(({ key }) => key === '');
      const uuidOf = (key: string): string => subAssetUuid(main?.uuid ?? '', key);
      const check = (): void => {
        if (assets) checkOutput(assets, { uuid: main?.uuid ?? '', type: 'prefab' }, uuidOf, id);
      };
      expect(check).not.toThrow();
    });

    test('has the counts that independent tools found', () => {
      if (outcome.kind === 'refused') return;
      const counts = countsOf(outcome.assets);
      expect(wrongCounts(counts, factsOf(entry), DIFFERENCES[id])).toEqual([]);
    });

    test('is where three.js puts it', () => {
      const expected = entry.facts?.three?.restWorldBbox;
      if (outcome.kind === 'refused' || !expected) return;
      expect(wrongPlace(sceneBounds(outcome.assets), expected, DIFFERENCES[id])).toEqual([]);
    });
  });

  test('corners of triangles that are alike share a vertex', async () => {
    const box = entries.find(({ id }) => id === 'box-obj');
    if (!box) throw new Error('The corpus has no box-obj');
    const { vfs, path } = corpusProject(box);
    const welded = await importFile(importer, vfs, path);
    const kept = await importFile(importer, vfs, path, { vertices: 'keep' });
    await vfs.dispose();
    const vertices = (outcome: ImportOutcome): (number | undefined)[] =>
      outcome.kind === 'refused'
        ? []
        : dataOf(outcome.assets, 'mesh').map(({ vertexCount }) => vertexCount);
    expect(vertices(welded)).toEqual([6 * 4]);
    expect(vertices(kept)).toEqual([6 * 2 * 3]);
  });
});

function countsOf(assets: readonly ImportedAsset[]): Record<string, number> {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const meshes = dataOf(assets, 'mesh');
  const byUuid = new Map(assets.map(({ uuid, data }) => [uuid, data as MeshData]));
  const nodes = dataOf(assets, 'prefab').flatMap((prefab) => prefab.nodes);
  const drawn = nodes.flatMap(({ mesh }) => byUuid.get(mesh ?? '') ?? []);
  return {
    meshes: meshes.length,
    corners: sum(drawn.map(({ indices }) => indices.length)),
    drawnTriangles: sum(drawn.map(triangleCount)),
    triangles: sum(meshes.map(triangleCount)),
    nodes: nodes.length,
    materials: dataOf(assets, 'material').length,
    textures: dataOf(assets, 'texture').length,
    animations: dataOf(assets, 'animation').length,
    cameras: nodes.filter(({ camera }) => camera !== undefined).length,
    lights: nodes.filter(({ light }) => light !== undefined).length,
    skinnedMeshes: nodes.filter(({ skin }) => skin !== undefined).length,
    bones: sum(dataOf(assets, 'skin').map(({ joints }) => joints.length)),
  };
}

function kindOf(outcome: ImportOutcome): string {
  if (outcome.kind === 'refused') return 'refused';
  return outcome.diagnostics.some(({ severity }) => severity === 'warning') ? 'warned' : 'clean';
}

function factsOf(entry: CorpusEntry): Record<string, number | undefined> {
  const { assimp_native_5_2_5: native, three } = (entry.facts ?? {}) as {
    readonly assimp_native_5_2_5?: Readonly<Record<string, number>>;
    readonly three?: Readonly<Record<string, number>>;
  };
  return {
    meshes: native?.['meshes'],
    nodes: native?.['nodes'],
    materials: native?.['materials'],
    animations: native?.['animations'],
    cameras: native?.['cameras'],
    lights: native?.['lights'],
    bones: native?.['bones'],
    // Native Assimp counts embedded ones only; images beside an OBJ came with it to be used.
    textures: entry.file.endsWith('.obj')
      ? entry.files.filter((file) => file.endsWith('.png')).length
      : native?.['embeddedTextures'],
    triangles: (entry.expect as { readonly triangles?: number } | undefined)?.triangles,
    // three.js draws each corner with a vertex of its own.
    corners: three?.['drawnVertices'],
    drawnTriangles: three?.['drawnTriangles'],
    skinnedMeshes: three?.['skinnedMeshes'],
  };
}
