import { beforeAll, describe, expect, test } from 'vitest';
import { assimpImporter, subAssetUuid, triangleCount, type MeshData } from '../src/index.js';
import { checkOutput } from '../src/conformance/check-output.js';
import { corpusEntries, corpusProject, hasCorpus, type CorpusEntry } from './corpus.js';
import { dataOf, importFile, type ImportOutcome } from './import-file.js';

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

/** Counts that differ from native Assimp's, and why. */
const COUNTS: Readonly<
  Record<string, { readonly skip: readonly string[]; readonly reason: string }>
> = {
  'box-external-resources-obj': {
    skip: ['meshes'],
    reason: 'Assimp splits a mesh by material; glTF has it as two primitives of one',
  },
  'box-utf16be-obj': {
    skip: ['meshes', 'drawnTriangles', 'nodes', 'materials'],
    reason: 'neither native Assimp nor three.js reads UTF-16; here it is turned into UTF-8 first',
  },
  'blender-340-z-up-7400-binary-fbx': {
    skip: ['cameras', 'lights'],
    reason: 'Assimp leaves cameras and lights out of the glTF that it makes',
  },
  'blender-300-ngon-big-7400-binary-fbx': {
    skip: ['drawnTriangles'],
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
      const facts = outcome.kind === 'refused' ? {} : factsOf(entry);
      for (const name of COUNTS[id]?.skip ?? []) delete facts[name];
      const assets = outcome.kind === 'refused' ? [] : outcome.assets;
      const meshes = dataOf(assets, 'mesh');
      const byUuid = new Map(assets.map(({ uuid, data }) => [uuid, data as MeshData]));
      const drawn = dataOf(assets, 'prefab').flatMap(({ nodes }) => nodes);
      const counts: Record<string, number> = {
        meshes: meshes.length,
        drawnTriangles: drawn
          .map(({ mesh }) => byUuid.get(mesh ?? ''))
          .reduce((sum, mesh) => sum + (mesh ? triangleCount(mesh) : 0), 0),
        triangles: meshes.map(triangleCount).reduce((a, b) => a + b, 0),
        nodes: drawn.length,
        materials: dataOf(assets, 'material').length,
        animations: dataOf(assets, 'animation').length,
        cameras: drawn.filter(({ camera }) => camera !== undefined).length,
        lights: drawn.filter(({ light }) => light !== undefined).length,
      };
      for (const [name, fact] of Object.entries(facts)) expect.soft(counts[name], name).toBe(fact);
    });
  });
});

function kindOf(outcome: ImportOutcome): string {
  if (outcome.kind === 'refused') return 'refused';
  return outcome.diagnostics.some(({ severity }) => severity === 'warning') ? 'warned' : 'clean';
}

function factsOf(entry: CorpusEntry): Record<string, number> {
  const { assimp_native_5_2_5: native } = (entry.facts ?? {}) as {
    assimp_native_5_2_5?: Readonly<Record<string, number>>;
  };
  const counted = ['meshes', 'nodes', 'materials', 'animations', 'cameras', 'lights'];
  const { triangles } = (entry.expect ?? {}) as { triangles?: number };
  const drawnTriangles = entry.facts?.three?.drawnTriangles;
  return {
    ...Object.fromEntries(
      counted.flatMap((name) => {
        const count = native?.[name];
        return count === undefined ? [] : [[name, count]];
      }),
    ),
    ...(triangles === undefined ? {} : { triangles }),
    ...(drawnTriangles === undefined ? {} : { drawnTriangles }),
  };
}
