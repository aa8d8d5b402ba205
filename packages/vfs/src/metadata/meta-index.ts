import type { VFSChange } from '../context/change-queue.js';
import type { VFSContext } from '../context/vfs-context.js';
import type { VFSOptions } from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath, type VFSPathLike } from '../paths/vfs-path.js';
import { MetaFile } from './meta-file.js';
import type { MetaParseOptions } from './parse-meta.js';

/** Assets that claim one uuid: copies made with their sidecars. */
export interface MetaDuplicate {
  readonly uuid: string;
  /** The one to keep first: that whose sidecar is oldest, then by path; the others need a new uuid. */
  readonly assets: readonly VFSPath[];
}

/** A sidecar that can't be read. */
export interface InvalidMeta {
  /** Of the sidecar. */
  readonly path: VFSPath;
  readonly error: VFSError;
}

/** What {@link MetaIndex.scan} found. All lists are in order of path. */
export interface MetaReport {
  /** Assets with a valid sidecar, duplicates included. */
  readonly found: number;
  /** Files without a sidecar. */
  readonly missing: readonly VFSPath[];
  /** Sidecars without their asset, and sidecars of sidecars. */
  readonly orphans: readonly VFSPath[];
  readonly invalid: readonly InvalidMeta[];
  readonly duplicates: readonly MetaDuplicate[];
}

/** Options of {@link MetaIndex.scan}. */
export interface MetaScanOptions extends VFSOptions, MetaParseOptions {
  /** Says which files and folders to pass over, with all that is in them. Default: none. */
  readonly ignore?: ((path: VFSPath) => boolean) | undefined;
}

interface Indexed {
  readonly asset: VFSPath;
  readonly meta: MetaFile;
  /** Of the sidecar, in milliseconds since 1970; what has no time counts as new. */
  readonly modified: number;
}

/**
 * Who is where: uuids of assets by path and paths by uuid, over one tree of a {@link VFSContext}.
 * Duplicates are all kept; the uuid leads to the first of them.
 *
 * @example
 * ```ts
 * const index = new MetaIndex();
 * const { missing, duplicates } = await index.scan(vfs, '/');
 * for (const asset of missing) {
 *   const meta = new MetaFile({ uuid: createUuid() });
 *   await meta.write(vfs, asset);
 *   index.set(asset, meta);
 * }
 * ```
 */
export class MetaIndex {
  readonly #byPath = new Map<string, Indexed>();
  readonly #byUuid = new Map<string, Indexed[]>();

  /** How many assets are known. */
  get size(): number {
    return this.#byPath.size;
  }

  /** The sidecar of `asset`, as last seen. */
  get(asset: VFSPathLike): MetaFile | undefined {
    return this.#byPath.get(VFSPath.from(asset).key)?.meta;
  }

  /** The asset with `uuid` (canonical); of several the one to keep. */
  find(uuid: string): VFSPath | undefined {
    return this.#byUuid.get(uuid)?.[0]?.asset;
  }

  /** Records `asset`, in place of what was known of it. @param modified - of the sidecar */
  set(asset: VFSPath, meta: MetaFile, modified: number = Number.MAX_VALUE): void {
    this.delete(asset);
    const indexed = { asset, meta, modified };
    this.#byPath.set(asset.key, indexed);
    const same = this.#byUuid.get(meta.uuid);
    if (same === undefined) this.#byUuid.set(meta.uuid, [indexed]);
    else {
      same.push(indexed);
      same.sort((a, b) => a.modified - b.modified || a.asset.compare(b.asset));
    }
  }

  /** Forgets `asset`. @returns whether it was known */
  delete(asset: VFSPathLike): boolean {
    const { key } = VFSPath.from(asset);
    const indexed = this.#byPath.get(key);
    if (indexed === undefined) return false;
    this.#byPath.delete(key);
    const left = this.#byUuid.get(indexed.meta.uuid)?.filter((other) => other !== indexed) ?? [];
    if (left.length > 0) this.#byUuid.set(indexed.meta.uuid, left);
    else this.#byUuid.delete(indexed.meta.uuid);
    return true;
  }

  /** uuids that more than one asset claims, in order of uuid. O(assets). */
  duplicates(): MetaDuplicate[] {
    const found: MetaDuplicate[] = [];
    for (const [uuid, same] of this.#byUuid) {
      if (same.length > 1) found.push({ uuid, assets: same.map(({ asset }) => asset) });
    }
    return found.sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  }

  /**
   * Reads every sidecar in the folder `root` and below it, and replaces what was known there. A sidecar that fails is
   * reported, not thrown.
   *
   * @throws VFSError when a folder can't be listed
   */
  async scan(
    vfs: VFSContext,
    root: VFSPathLike,
    options: MetaScanOptions = {},
  ): Promise<MetaReport> {
    const at = VFSPath.from(root);
    const missing: VFSPath[] = [];
    const orphans: VFSPath[] = [];
    const invalid: InvalidMeta[] = [];
    for (const { asset } of this.#byPath.values()) {
      // The sidecar of `root` itself is outside of it.
      if (asset.isWithin(at) && !asset.equals(at)) this.delete(asset);
    }
    const before = this.size;
    const folders = [at];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      options.signal?.throwIfAborted();
      const entries = (await vfs.list(folder, options)).filter(
        ({ path }) => options.ignore?.(path) !== true,
      );
      const here = new Map(entries.map(({ path, kind }) => [path.key, kind]));
      for (const { path, kind } of entries) {
        const asset = kind === 'file' ? MetaFile.assetOf(path) : undefined;
        if (kind === 'folder') folders.push(path);
        if (asset === undefined) {
          if (kind === 'file' && here.get(metaKey(path)) !== 'file') missing.push(path);
        } else if (!here.has(asset.key) || MetaFile.assetOf(asset) !== undefined) {
          orphans.push(path);
        } else {
          await this.#read(vfs, asset, path, options, invalid);
        }
      }
    }
    const byPath = (a: VFSPath, b: VFSPath): number => a.compare(b);
    return {
      found: this.size - before,
      missing: missing.sort(byPath),
      orphans: orphans.sort(byPath),
      invalid: invalid.sort((a, b) => byPath(a.path, b.path)),
      duplicates: this.duplicates(),
    };
  }

  /**
   * Keeps up with one change that `VFSContext.watch` delivered. When an asset was renamed and its
   * sidecar was left behind, the sidecar is moved after it, so it stays who it is.
   *
   * @returns the asset whose identity is to be looked at again, or `undefined` when the change says
   * nothing about identities
   * @throws VFSError `vfs/meta-invalid`, what the storage reports
   */
  async apply(
    vfs: VFSContext,
    change: VFSChange,
    options: MetaParseOptions & VFSOptions = {},
  ): Promise<VFSPath | undefined> {
    const { kind, path, from } = change;
    const asset = MetaFile.assetOf(path) ?? path;
    if (kind === 'renamed' && from !== undefined) {
      this.delete(MetaFile.assetOf(from) ?? from);
      if (asset === path) await followMove(vfs, from, path, options);
    }
    if (asset === path && kind === 'modified') return undefined;
    this.delete(asset);
    if (asset === path && kind === 'removed') return asset;
    const meta = await MetaFile.read(vfs, asset, options);
    if (meta !== undefined && (await vfs.exists(asset, options))) {
      this.set(asset, meta, (await vfs.stat(MetaFile.pathOf(asset), options)).modified);
    }
    return asset;
  }

  async #read(
    vfs: VFSContext,
    asset: VFSPath,
    path: VFSPath,
    options: MetaScanOptions,
    invalid: InvalidMeta[],
  ): Promise<void> {
    try {
      const { modified } = await vfs.stat(path, options);
      const meta = MetaFile.parse(await vfs.readFile(path, options), { ...options, path });
      this.set(asset, meta, modified);
    } catch (error) {
      // Gone since it was listed: as if it had never been there.
      if (VFSError.is(error, 'vfs/not-found')) return;
      if (!VFSError.is(error)) throw error;
      invalid.push({ path, error });
    }
  }
}

/**
 * Moves the sidecar after an asset that was renamed from `from` to `to`, unless one is there, none was
 * left behind, or something is at `from` again (then it was a copy, or a new asset took the place).
 *
 * @returns whether it was moved
 */
export async function followMove(
  vfs: VFSContext,
  from: VFSPath,
  to: VFSPath,
  options?: VFSOptions,
): Promise<boolean> {
  const [left, wanted] = [MetaFile.pathOf(from), MetaFile.pathOf(to)];
  if (await vfs.exists(wanted, options)) return false;
  if (!(await vfs.exists(left, options)) || (await vfs.exists(from, options))) return false;
  await vfs.rename(left, wanted, options);
  return true;
}

/** Key of the sidecar's path, `''` when there can be none. */
function metaKey(asset: VFSPath): string {
  try {
    return MetaFile.pathOf(asset).key;
  } catch (error) {
    if (VFSError.is(error)) return '';
    throw error;
  }
}
