import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import type { Mount, ResolvedPath } from './mount.js';

/**
 * Mounts by place. A path's mounts come longest prefix first, then highest priority; finding the first
 * is one map look-up for each depth at which something is mounted, whatever the number of mounts.
 */
export class MountTable {
  /** By key of the place; each list sorted by priority, highest first, and never empty. */
  readonly #byKey = new Map<string, Mount[]>();
  /** How many places there are at each depth. */
  readonly #places: number[] = [];
  #deepest = 0;

  /** @throws VFSError `vfs/mounted-twice` */
  add(mount: Mount): void {
    const { key, depth } = mount.at;
    const list = this.#byKey.get(key);
    if (list === undefined) {
      this.#byKey.set(key, [mount]);
      this.#places[depth] = (this.#places[depth] ?? 0) + 1;
      this.#deepest = Math.max(this.#deepest, depth);
      return;
    }
    const other = list.find(({ priority }) => priority === mount.priority);
    if (other !== undefined) {
      throw new VFSError(
        'vfs/mounted-twice',
        `Can't mount ${mount.label}: ${other.label} is there`,
        {
          subjects: { at: mount.at.text, priority: mount.priority },
          fix: 'Pick another priority, or unmount the other one first.',
        },
      );
    }
    list.push(mount);
    list.sort((a, b) => b.priority - a.priority);
  }

  /** @returns whether it was there */
  remove(mount: Mount): boolean {
    const { key, depth } = mount.at;
    const list = this.#byKey.get(key);
    const index = list?.indexOf(mount) ?? -1;
    if (list === undefined || index < 0) return false;
    list.splice(index, 1);
    if (list.length === 0) {
      this.#byKey.delete(key);
      this.#places[depth] = (this.#places[depth] ?? 1) - 1;
    }
    return true;
  }

  /** Mounts at exactly `at`, highest priority first. */
  at(at: VFSPath): readonly Mount[] {
    return this.#byKey.get(at.key) ?? [];
  }

  /** All mounts, in order of place, then highest priority first. Allocates. */
  all(): Mount[] {
    const lists = [...this.#byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return lists.flatMap(([, mounts]) => mounts);
  }

  /** The first mount of `path`, or `undefined` where nothing is mounted. */
  resolve(path: VFSPath): ResolvedPath | undefined {
    let { key } = path;
    for (let { depth } = path; depth >= 0; depth--) {
      if (depth <= this.#deepest && (this.#places[depth] ?? 0) > 0) {
        const mount = this.#byKey.get(depth === 0 ? '/' : key)?.[0];
        if (mount !== undefined) return { mount, path: path.tail(depth) };
      }
      key = key.slice(0, key.lastIndexOf('/'));
    }
    return undefined;
  }

  /** Every mount of `path`, in the order in which they are asked. */
  resolveAll(path: VFSPath): ResolvedPath[] {
    const found: ResolvedPath[] = [];
    let { key } = path;
    for (let { depth } = path; depth >= 0; depth--) {
      for (const mount of this.#byKey.get(depth === 0 ? '/' : key) ?? []) {
        found.push({ mount, path: path.tail(depth) });
      }
      key = key.slice(0, key.lastIndexOf('/'));
    }
    return found;
  }

  /** Names of the folders directly in `path` that exist because something is mounted in or below them. */
  namesBelow(path: VFSPath): Set<string> {
    const names = new Set<string>();
    for (const [first] of this.#byKey.values()) {
      if (first === undefined || first.at.depth <= path.depth || !first.at.isWithin(path)) continue;
      const name = first.at.components[path.depth];
      if (name !== undefined) names.add(name);
    }
    return names;
  }
}
