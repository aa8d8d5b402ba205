import type { VFSBackendChange, VFSKind } from '../../backends/vfs-backend.js';
import { VFSPath } from '../../paths/vfs-path.js';
import { TreeUnpacker, type PackedTree } from '../scan/tree-unpacker.js';
import type { TreeChange } from './tree-events.js';

/**
 * What a watching worker has told of its tree, kept in case that it dies. Packed as it was sent, and
 * unpacked only then.
 */
export class TreeMemory {
  readonly #listed: PackedTree[] = [];
  /** What changed since: the kind of what is there by now, or `undefined` when nothing is. */
  readonly #changed = new Map<string, VFSKind | undefined>();

  /** Adds a part of the first listing. */
  add(part: PackedTree): void {
    this.#listed.push(part);
  }

  /** Adds what changed after it. */
  note(changes: readonly TreeChange[]): void {
    for (const { kind, path, from, folder } of changes) {
      if (from !== undefined) this.#changed.set(from, undefined);
      this.#changed.set(path, kind === 'removed' ? undefined : folder ? 'folder' : 'file');
    }
  }

  /**
   * How to get from `before` to this when nobody knows what happened in between: what is new is created,
   * what is gone removed, and every file that is still there may have been modified. O(entries).
   */
  since(before: TreeMemory): VFSBackendChange[] {
    const [old, now] = [before.#entries(), this.#entries()];
    const changes: VFSBackendChange[] = [];
    // Children before their folders, as the watcher reports removals.
    for (const { path, entry } of [...old.values()].reverse()) {
      if (now.get(path.text)?.entry !== entry) changes.push({ kind: 'removed', path, entry });
    }
    for (const { path, entry } of now.values()) {
      const known = old.get(path.text)?.entry === entry;
      if (!known) changes.push({ kind: 'created', path, entry });
      else if (entry === 'file') changes.push({ kind: 'modified', path, entry });
    }
    return changes;
  }

  #entries(): Map<string, { readonly path: VFSPath; readonly entry: VFSKind }> {
    const unpacker = new TreeUnpacker();
    const listed = this.#listed.flatMap((part) => unpacker.add(part));
    const entries = new Map(listed.map(({ path, kind }) => [path.text, { path, entry: kind }]));
    for (const [text, entry] of this.#changed) {
      const path = entry === undefined ? undefined : VFSPath.tryParse(text);
      if (entry !== undefined && path instanceof VFSPath) entries.set(text, { path, entry });
      else entries.delete(text);
    }
    return entries;
  }
}
