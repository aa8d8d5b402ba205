import type { EventLog } from '@ecliptic/core';
import { VFSError } from '@ecliptic/vfs';
import { canonicalJson } from '../hashing/content-hash.js';
import type { AssetIdentity } from '../identity/asset-identity.js';
import type { MetaArtifact } from '../identity/asset-meta.js';
import type { PreparedImport } from './prepare-import.js';

/** Notes in the sidecar of a source what was made of it, unless it says so already. */
export async function noteImport(
  { path, meta, importer, sourceHash }: PreparedImport,
  artifacts: readonly MetaArtifact[],
  { identity, log }: { readonly identity: AssetIdentity; readonly log: EventLog },
): Promise<void> {
  const notes = {
    importer: importer.name,
    importerVersion: importer.version,
    sourceHash,
    artifacts,
  };
  if (canonicalJson({ ...meta, ...notes }) === canonicalJson(meta)) return;
  try {
    await identity.update(path, (current) => ({ ...current, ...notes }));
  } catch (error) {
    // The sidecars of a mount that can't be written to came with it; nothing depends on the notes.
    if (!VFSError.is(error, 'vfs/read-only')) throw error;
    log.warnOnce('sidecar_read_only', path.parent.text, { path: path.text });
  }
}
