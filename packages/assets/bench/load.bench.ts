// Loading cooked meshes next to importing the glTF that they were made of, and next to glTF-Transform, which only parses it.
// Both start with the bytes in memory, warm, and end with typed arrays of every attribute and index; whole files, all their
// meshes. `first` compares every byte with its checksum, as the first load of an artifact in a process does; `again` only
// the structure, as each later one.
//   node bench/load.bench.ts
import { setTimeout } from 'node:timers/promises';
import { Logger, NodeIO, type Document } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { decodeArtifact, encodeArtifact } from '../src/artifacts.js';
import { gltfImporter, VfsImportContext } from '../src/index.js';
import { corpusBytes, soundEntries, type BenchEntry } from './corpus-project.js';

const LEAST_BYTES = 90_000;
const importer = gltfImporter();
const rows: Record<string, unknown>[] = [];
for (const entry of soundEntries(/\.(gltf|glb)$/)) {
  if (entry.bytes >= LEAST_BYTES && entry.file.startsWith('gltf-valid/'))
    rows.push(await measure(entry));
}
rows.sort((a, b) => Number(a['parse ÷ again']) - Number(b['parse ÷ again']));
console.table(rows);

async function measure(entry: BenchEntry): Promise<Record<string, unknown>> {
  const files = Object.fromEntries(entry.files.map((file) => [`/${file}`, corpusBytes(file)]));
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files }));
  const path = VFSPath.parse(entry.file);
  const source = await vfs.readFile(path);
  const importFile = () =>
    importer.import(
      new VfsImportContext({
        vfs,
        path,
        uuid: '2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d',
        source,
        // Decoding images has nothing to do with meshes.
        settings: { ...importer.settings, textures: 'file' },
        signal: new AbortController().signal,
      }),
    );
  const meshes = (await importFile()).filter(({ type }) => type === 'mesh').map(encodeArtifact);
  const imported = await best(importFile, 12);
  const parsed = await best(() => parse(entry, files), 24);
  const first = await best(() => meshes.forEach((bytes) => decodeArtifact(bytes)), 60);
  const again = await best(
    () => meshes.forEach((bytes) => decodeArtifact(bytes, 'structure')),
    200,
  );
  await vfs.dispose();
  const cooked = meshes.reduce((sum, bytes) => sum + bytes.byteLength, 0);
  return {
    file: entry.id,
    meshes: meshes.length,
    'source KiB': Math.round(entry.bytes / 1024),
    'cooked KiB': Math.round(cooked / 1024),
    'import ms': round(imported),
    'parse ms': round(parsed),
    'first ms': round(first),
    'again ms': round(again),
    'again µs a mesh': round((again * 1000) / meshes.length),
    'import ÷ first': round(imported / first),
    'parse ÷ first': round(parsed / first),
    'parse ÷ again': round(parsed / again),
  };
}

/** @returns values in the arrays of all attributes and indices */
async function parse(entry: BenchEntry, files: Record<string, Uint8Array>): Promise<number> {
  const document = await parseDocument(entry, files);
  let values = 0;
  for (const mesh of document.getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      values += primitive.getIndices()?.getArray()?.length ?? 0;
      for (const owner of [primitive, ...primitive.listTargets()]) {
        for (const accessor of owner.listAttributes()) values += accessor.getArray()?.length ?? 0;
      }
    }
  }
  return values;
}

async function parseDocument(
  entry: BenchEntry,
  files: Record<string, Uint8Array>,
): Promise<Document> {
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .setLogger(new Logger(Logger.Verbosity.SILENT));
  const source = files[`/${entry.file}`] ?? new Uint8Array(0);
  if (entry.file.endsWith('.glb')) return io.readBinary(source as Uint8Array<ArrayBuffer>);
  const folder = entry.file.slice(0, entry.file.lastIndexOf('/') + 1);
  const resources = Object.fromEntries(
    entry.files.map((file) => [
      file.slice(folder.length),
      files[`/${file}`] as Uint8Array<ArrayBuffer>,
    ]),
  );
  return io.readJSON({ json: JSON.parse(new TextDecoder().decode(source)), resources });
}

/** The least of `times` runs, in milliseconds, after as many to warm up; what is compiled beside the thread is ready. */
async function best(work: () => unknown, times: number): Promise<number> {
  await setTimeout(10);
  let least = Infinity;
  for (let i = 0; i < 2 * times; i++) {
    const start = performance.now();
    await work();
    if (i >= times) least = Math.min(least, performance.now() - start);
  }
  return least;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
