import type { VFSPath } from '@ecliptic/vfs';
import type { ArtifactStore, StoredImport } from '../artifacts/artifact-store.js';
import { ImportError } from '../diagnostics/import-error.js';
import type { ImportMemory } from './import-memory.js';

/** What came of an import before, in this run or an earlier one; neither where it has to be done. */
export interface EarlierImport {
  readonly stored?: StoredImport;
  /** Why it failed. */
  readonly failure?: ImportError;
}

/**
 * The import of `path` with the same key, if the files that it read are unchanged. What failed counts: it isn't tried
 * again until something of it changes.
 *
 * @param checksArtifacts - whether artifacts that are missing are not found later anyway, as they are loaded
 */
export async function findEarlierImport(
  path: VFSPath,
  key: string,
  memory: ImportMemory,
  store: ArtifactStore | undefined,
  checksArtifacts: boolean,
): Promise<EarlierImport> {
  const failed = memory.failure(path);
  if (failed?.key === key && (await memory.isSame(failed.files))) return { failure: failed.error };
  const last = memory.last(path);
  if (last?.key === key) {
    return (await memory.isSame(last.record.files)) ? { stored: last.record } : {};
  }
  const record = await store?.find(key);
  if (!record || !(await memory.isSame(record.files))) return {};
  if (record.refused) {
    const failure = new ImportError(record.diagnostics);
    memory.failed(path, { key, files: record.files, error: failure });
    return { failure };
  }
  const isUsable = !checksArtifacts || (await store?.isComplete(record)) === true;
  return isUsable ? { stored: record } : {};
}
