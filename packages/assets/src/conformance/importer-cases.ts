import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { decodeArtifact, encodeArtifact } from '../artifacts/artifact-codec.js';
import type { ImportedAsset } from '../data/imported-asset.js';
import { ImportError } from '../diagnostics/import-error.js';
import { canonicalJson } from '../hashing/content-hash.js';
import type { Importer } from '../importer/importer.js';
import { VfsImportContext } from '../importer/vfs-import-context.js';
import { checkOutput } from './check-output.js';
import {
  must,
  type ImporterCase,
  type ImporterSample,
  type ImporterSubject,
} from './conformance-case.js';

const UUID = '2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d';
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

/** Every case of the suite, for a runner that `describeImporter` doesn't fit. */
export function importerCases(): readonly ImporterCase[] {
  return [
    { name: 'says what it is', run: async ({ importer }) => checkDeclaration(importer) },
    { name: 'imports its samples', run: (subject) => eachSample(subject, checkImport) },
    {
      name: 'gives the same result each time',
      run: (subject) => eachSample(subject, checkRepeatable),
    },
    {
      name: 'gives data that can be cooked and cloned',
      run: (subject) => eachSample(subject, checkCookable),
    },
    { name: 'leaves the source as it is', run: (subject) => eachSample(subject, checkUntouched) },
    {
      name: 'refuses an empty file',
      run: (subject) =>
        eachSample(subject, (one, sample) => checkRefused(one, sample, new Uint8Array(0))),
    },
    {
      name: 'refuses a Git LFS pointer',
      run: (subject) =>
        eachSample(subject, (one, sample) =>
          checkRefused(one, sample, new TextEncoder().encode(LFS)),
        ),
    },
    {
      name: 'refuses or survives a file that is cut',
      run: (subject) => eachSample(subject, checkCut),
    },
    {
      name: 'refuses or survives a file with wrong bits',
      run: (subject) => eachSample(subject, checkFlipped),
    },
    {
      name: 'refuses or survives missing side files',
      run: (subject) => eachSample(subject, checkMissing),
    },
  ];
}

function checkDeclaration({ name, version, extensions, settings }: Importer): void {
  must(/^[a-z][a-z0-9-]*$/.test(name), `The name "${name}" is not lower-case words with hyphens`);
  must(Number.isSafeInteger(version) && version >= 1, `The version ${version} is not 1 or more`);
  must(extensions.length > 0, 'It takes no extension');
  for (const extension of extensions) {
    must(/^\.[^.A-Z]+$/.test(extension), `The extension "${extension}" can't match`);
  }
  const copy: unknown = JSON.parse(JSON.stringify(settings));
  must(canonicalJson(copy) === canonicalJson(settings), 'The settings are not plain JSON');
}

async function eachSample(
  subject: ImporterSubject,
  check: (subject: ImporterSubject, sample: ImporterSample) => Promise<void>,
): Promise<void> {
  must(subject.samples.length > 0, 'There are no samples');
  for (const sample of subject.samples) await check(subject, sample);
}

interface Run {
  readonly context: VfsImportContext;
  readonly assets: readonly ImportedAsset[];
}

/** Imports a sample, its source replaced by `source` and without the files `missing`. */
async function run(
  { importer }: ImporterSubject,
  sample: ImporterSample,
  change: { source?: Uint8Array; missing?: string } = {},
): Promise<Run> {
  const vfs = new VFSContext();
  try {
    vfs.mount('/', memoryBackend({ files: sample.files }));
    if (change.missing !== undefined) await vfs.remove(change.missing);
    const path = VFSPath.parse(sample.path);
    const context = new VfsImportContext({
      vfs,
      path,
      uuid: UUID,
      source: change.source ?? (await vfs.readFile(path)),
      settings: { ...importer.settings, ...sample.settings },
      signal: new AbortController().signal,
    });
    return { context, assets: await importer.import(context) };
  } finally {
    await vfs.dispose();
  }
}

async function checkImport(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  const { context, assets } = await run(subject, sample);
  const main = { uuid: UUID, type: subject.importer.type };
  checkOutput(assets, main, (key) => context.subAsset(key), sample.path);
}

async function checkRepeatable(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  const cook = async (): Promise<readonly string[]> =>
    (await run(subject, sample)).assets.map(
      (asset) => `${asset.key} ${asset.uuid} ${encodeArtifact(asset).join()}`,
    );
  const [first, second] = [await cook(), await cook()];
  must(
    first.length === second.length && first.every((asset, i) => asset === second[i]),
    `${sample.path}: two imports give different assets`,
  );
}

async function checkCookable(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  for (const asset of (await run(subject, sample)).assets) {
    const cooked = encodeArtifact(structuredClone(asset));
    const again = encodeArtifact(decodeArtifact(cooked));
    must(cooked.join() === again.join(), `${sample.path}#${asset.key}: cooking loses something`);
  }
}

async function checkUntouched(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  const source = sourceOf(sample);
  const before = source.slice();
  await run(subject, sample, { source });
  must(before.join() === source.join(), `${sample.path}: the source was written to`);
}

async function checkRefused(
  subject: ImporterSubject,
  sample: ImporterSample,
  source: Uint8Array,
): Promise<void> {
  const outcome = await outcomeOf(subject, sample, { source }, sample.path);
  must(outcome === 'refused', `${sample.path}: it was imported`);
}

async function checkCut(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  const source = sourceOf(sample);
  const steps = Math.min(subject.mutations ?? 200, source.length);
  for (let step = 0; step < steps; step++) {
    const length = Math.floor((step * source.length) / steps);
    const where = `${sample.path} cut to ${length} bytes`;
    await outcomeOf(subject, sample, { source: source.slice(0, length) }, where);
  }
}

async function checkFlipped(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  const source = sourceOf(sample);
  // A linear congruential generator: the same bits in every run.
  let state = 12_345;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let step = 0; step < (subject.mutations ?? 200); step++) {
    const broken = source.slice();
    const at = next(broken.length);
    const bit = next(8);
    broken[at] = (broken[at] ?? 0) ^ (1 << bit);
    await outcomeOf(
      subject,
      sample,
      { source: broken },
      `${sample.path} with bit ${bit} of byte ${at} flipped`,
    );
  }
}

async function checkMissing(subject: ImporterSubject, sample: ImporterSample): Promise<void> {
  for (const missing of Object.keys(sample.files)) {
    if (VFSPath.parse(missing).equals(VFSPath.parse(sample.path))) continue;
    await outcomeOf(subject, sample, { missing }, `${sample.path} without ${missing}`);
  }
}

/** Whether a damaged source was refused, as it may be, or imported, soundly; fails for anything else. */
async function outcomeOf(
  subject: ImporterSubject,
  sample: ImporterSample,
  change: Parameters<typeof run>[2],
  where: string,
): Promise<'imported' | 'refused'> {
  let result: Run;
  try {
    result = await run(subject, sample, change);
  } catch (error) {
    must(error instanceof ImportError, `${where}: threw ${String(error)}, not an ImportError`);
    const errors = error.diagnostics.filter(({ severity }) => severity === 'error');
    must(errors.length > 0, `${where}: was refused without a diagnostic of severity error`);
    const path = VFSPath.parse(sample.path).text;
    must(
      errors.every(({ file }) => file === path),
      `${where}: a diagnostic doesn't name the file`,
    );
    return 'refused';
  }
  const main = { uuid: UUID, type: subject.importer.type };
  checkOutput(result.assets, main, (key) => result.context.subAsset(key), where);
  return 'imported';
}

function sourceOf(sample: ImporterSample): Uint8Array {
  const path = VFSPath.parse(sample.path);
  for (const [name, content] of Object.entries(sample.files)) {
    if (!VFSPath.parse(name).equals(path)) continue;
    return typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
  }
  throw new TypeError(`There is no file ${sample.path} in the sample`);
}
