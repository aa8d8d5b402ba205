import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';

/** Where the shared corpus is, beside the repository. */
const root = new URL('../../../../shared/corpus/', import.meta.url);

export const hasCorpus: boolean = existsSync(fileURLToPath(new URL('manifest.json', root)));

export interface CorpusEntry {
  readonly id: string;
  readonly group: string;
  readonly file: string;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly facts?: {
    readonly validator?: {
      readonly errors?: number;
      readonly codes?: Readonly<Record<string, number>>;
      readonly info?: Readonly<Record<string, unknown>>;
    };
    readonly json?: Readonly<Record<string, number>>;
    readonly three?: {
      readonly threw?: string;
      readonly drawnVertices?: number;
      readonly drawnTriangles?: number;
      readonly restWorldBbox?: { readonly min: number[]; readonly max: number[] };
    };
  };
  readonly expect?: {
    readonly verdict: string;
    readonly width?: number;
    readonly height?: number;
  };
}

/** Entries of the manifest; none where the corpus is absent. */
export function corpusEntries(): CorpusEntry[] {
  if (!hasCorpus) return [];
  const text = readFileSync(new URL('manifest.json', root), 'utf8');
  return (JSON.parse(text) as { entries: CorpusEntry[] }).entries;
}

/** A file of the corpus. */
export function corpusFile(path: string): Uint8Array {
  return new Uint8Array(
    readFileSync(new URL(path.split('/').map(encodeURIComponent).join('/'), root)),
  );
}

/** A project that holds the files of one entry, and the path of its main file. */
export function corpusProject(entry: CorpusEntry): { vfs: VFSContext; path: VFSPath } {
  const vfs = new VFSContext();
  const files = Object.fromEntries(
    entry.files.map((file) => [VFSPath.parse(file).toString(), corpusFile(file)]),
  );
  vfs.mount('/', memoryBackend({ files }));
  return { vfs, path: VFSPath.parse(entry.file) };
}
