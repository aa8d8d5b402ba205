import type { PackedFile } from '../project-pack.js';
import type { ListedFile, SentChange } from '../project-protocol.js';

/** What a page knows of a file: only its path once it has changed. */
export interface KnownFile extends Partial<PackedFile> {
  readonly path: string;
}

/** What has to have happened to what is `known` for a server to list `files`. */
export function changesSince(
  known: Iterable<KnownFile>,
  files: readonly ListedFile[],
): readonly SentChange[] {
  const now = new Map(files.map((file) => [file.path, file]));
  const changes: SentChange[] = [];
  for (const { path, listed } of known) {
    const file = now.get(path);
    now.delete(path);
    if (file === undefined) changes.push({ kind: 'removed', path, entry: 'file' });
    else if (file.size !== listed?.size || file.modified !== listed.modified) {
      changes.push({ kind: 'modified', path, entry: 'file' });
    }
  }
  for (const path of now.keys()) changes.push({ kind: 'created', path, entry: 'file' });
  return changes;
}
