// Imports damaged files and looks for anything but a refusal or sound assets: crashes, hangs, unsound output, errors that name nothing.
// Those of Assimp are imported on a worker, as they should be: what is only ended there, by a time-out or by its death, is counted apart.
//   node bench/fuzz.ts [seconds] [seed] [a part of the names of files]
import { EclipticError, NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import {
  assimpImporter,
  environmentImporter,
  gltfImporter,
  imageImporter,
  ImportError,
  subAssetUuid,
  VfsImportContext,
  type ImportedAsset,
  type Importer,
} from '../src/index.js';
import { checkOutput } from '../src/conformance/check-output.js';
import { createImportPool } from '../src/pool.js';
import { importInPool } from '../src/pool/import-in-pool.js';
import { corpusBytes, soundEntries, type BenchEntry } from './corpus-project.js';
import { mutateFbx } from './mutate-fbx.js';
import { mutateFile, type Random } from './mutate-file.js';

const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? 1);
const UUID = '2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d';
const SLOW_MS = 5_000;
const MOST_BYTES = 120_000;
const named = process.argv[4] ?? '';
const importers = [gltfImporter(), imageImporter(), assimpImporter(), environmentImporter()];

let state = seed >>> 0;
const random: Random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const entries = soundEntries(/\.(gltf|glb|fbx|obj|stl|hdr|exr|png|jpg|webp|ktx2)$/).filter(
  ({ bytes, file }) => bytes < MOST_BYTES && file.includes(named),
);
const pool = createImportPool({ size: 1 });
const outcomes: Record<string, number> = {};
const codes = new Map<string, number>();
const end = performance.now() + seconds * 1_000;
let faults = 0;
for (let run = 0; performance.now() < end; run++) {
  const before = state;
  const entry = entries[random(entries.length)];
  if (!entry) break;
  const start = performance.now();
  const fault = await tryOne(entry);
  const ms = performance.now() - start;
  if (fault === undefined && ms < SLOW_MS) continue;
  faults++;
  console.log(`run ${run}, state ${before}, ${entry.id}, ${Math.round(ms)} ms: ${fault ?? 'slow'}`);
}
await pool.close();
const residentMiB = Math.round(process.resourceUsage().maxRSS / 1_024);
console.log(JSON.stringify({ seed, outcomes, codes: codes.size, faults, residentMiB }));
console.log([...codes].map(([code, count]) => `${code} ${count}`).join(', '));
process.exitCode = faults === 0 ? 0 : 1;

async function tryOne(entry: BenchEntry): Promise<string | undefined> {
  const files = Object.fromEntries(
    entry.files.map((file) => [VFSPath.parse(file).text, corpusBytes(file)]),
  );
  const path = VFSPath.parse(entry.file);
  const sound = files[path.text] ?? new Uint8Array(0);
  const source = (random(4) > 0 && mutateFbx(sound, random)) || mutateFile(sound, random);
  const importer = importers.find(({ extensions }) => extensions.includes(path.extension));
  if (!importer) return `nothing imports ${path.extension}`;
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { ...files, [path.text]: source } }));
  try {
    return await importOne(importer, vfs, path, source);
  } finally {
    await vfs.dispose();
  }
}

async function importOne(
  importer: Importer,
  vfs: VFSContext,
  path: VFSPath,
  source: Uint8Array,
): Promise<string | undefined> {
  const context = new VfsImportContext({
    vfs,
    path,
    uuid: UUID,
    source,
    settings: { ...importer.settings, lods: random(2) },
    signal: new AbortController().signal,
  });
  try {
    const assets = await runImporter(importer, context);
    checkOutput(
      assets,
      { uuid: UUID, type: importer.type },
      (key) => subAssetUuid(UUID, key),
      path.text,
    );
    outcomes['imported'] = (outcomes['imported'] ?? 0) + 1;
    return undefined;
  } catch (error) {
    if (error instanceof EclipticError && /import-timeout|pool-/.test(error.code)) {
      outcomes[error.code] = (outcomes[error.code] ?? 0) + 1;
      return error.message;
    }
    if (!(error instanceof ImportError)) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    outcomes['refused'] = (outcomes['refused'] ?? 0) + 1;
    for (const { code, file, severity, pointer, byteOffset } of error.diagnostics) {
      if (file !== path.text) return `${code} names ${file}`;
      if (severity !== 'error') continue;
      const place = pointer !== undefined ? ' pointer' : byteOffset !== undefined ? ' offset' : '';
      codes.set(`${code}${place}`, (codes.get(`${code}${place}`) ?? 0) + 1);
    }
    return undefined;
  }
}

async function runImporter(
  importer: Importer,
  context: VfsImportContext,
): Promise<readonly ImportedAsset[]> {
  if (importer.name !== 'assimp') return importer.import(context);
  const limit = SLOW_MS * 2 * NANOSECONDS_PER_MILLISECOND;
  const output = await importInPool(pool, importer, context, [], limit, false);
  return output?.kind === 'data' ? output.assets : [];
}
