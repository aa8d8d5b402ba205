import { describe, expect, test } from 'vitest';
import { findStream, gltfImporter, type MeshData } from '../src/index.js';
import { computeTangents } from '../src/geometry/tangents.js';
import { corpusEntries, corpusProject, hasCorpus } from './corpus.js';
import { dataOf, importFile } from './import-file.js';

/** Files whose tools made tangents by MikkTSpace; some split quads otherwise before they did. */
const FILES = [
  '02-shared-mesh-gltf',
  'anisotropybarnlamp-gltf',
  '24-animation-pointer-gltf',
  '25-anisotropy-gltf',
  '04-sphere-specular-glossiness-gltf',
];

describe.skipIf(!hasCorpus)('tangents that files of the corpus bring', () => {
  const entries = corpusEntries().filter(({ id }) => FILES.includes(id));

  test.each(entries.map((entry) => [entry.id, entry] as const))('%s', async (_, entry) => {
    const { vfs, path } = corpusProject(entry);
    const outcome = await importFile(gltfImporter(), vfs, path);
    await vfs.dispose();
    const meshes = outcome.kind === 'imported' ? dataOf(outcome.assets, 'mesh') : [];
    const agreeing = meshes
      .map(agreement)
      .reduce((a, b) => ({ same: a.same + b.same, all: a.all + b.all }));
    expect(agreeing.same / agreeing.all).toBeGreaterThan(0.85);
  });
});

function agreement(mesh: MeshData): { same: number; all: number } {
  const [positions, normals, tangents, uvs] = ['POSITION', 'NORMAL', 'TANGENT', 'TEXCOORD_0'].map(
    (semantic) => findStream(mesh, semantic)?.data,
  ) as Float32Array[];
  let same = 0;
  let all = 0;
  if (!positions || !normals || !tangents || !uvs) return { same, all };
  const indices = new Uint32Array(mesh.indices);
  const made = computeTangents({ positions, normals, uvs, indices });
  indices.forEach((vertex, corner) => {
    const ours = made.tangents.subarray((made.groupOf[corner] ?? 0) * 4);
    const theirs = tangents.subarray(vertex * 4);
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += (ours[k] ?? 0) * (theirs[k] ?? 0);
    all++;
    if (ours[3] === theirs[3] && cosine > 0.98) same++;
  });
  return { same, all };
}
