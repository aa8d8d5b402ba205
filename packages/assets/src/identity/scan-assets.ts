import { EclipticError } from '@ecliptic/core';
import { VFSPath, type VFSPathLike } from '@ecliptic/vfs';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { META_SUFFIX, type AssetMeta } from './asset-meta.js';
import {
  isMetaPath,
  metaPathOf,
  type AssetIdentity,
  type IdentityFiles,
} from './asset-identity.js';

/** A file with an identity. */
export interface IdentifiedAsset {
  readonly path: VFSPath;
  readonly meta: AssetMeta;
}

/** Two files with one uuid, and who kept it. */
export interface IdentityClash {
  readonly uuid: string;
  /** The older one. */
  readonly kept: VFSPath;
  /** Has a new uuid now. */
  readonly changed: VFSPath;
  readonly newUuid: string;
}

/** What a scan found. */
export interface ScanReport {
  readonly assets: readonly IdentifiedAsset[];
  readonly clashes: readonly IdentityClash[];
  /** Sidecars without their file. */
  readonly orphans: readonly VFSPath[];
  /** Everything that a person should look at: unreadable sidecars, clashes, orphans. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How to scan. */
export interface ScanOptions {
  readonly vfs: IdentityFiles;
  readonly identity: AssetIdentity;
  /** Which files are assets; others get no sidecar. */
  isAsset(path: VFSPath): boolean;
  /** Where to start. Default `/`. */
  readonly root?: VFSPathLike;
  /** Folders and files to leave out. Default: those whose name starts with a dot, and `node_modules`. */
  readonly ignore?: (path: VFSPath) => boolean;
  /** The path that is known to own a uuid already; it keeps it in a clash. */
  readonly ownerOf?: (uuid: string) => VFSPath | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Walks the project and gives every asset its identity: mints what is missing, tells copies apart, lists
 * what is wrong. In a clash the one that is known already keeps the uuid, else the older sidecar, else the first by path.
 *
 * Reads every sidecar, folder by folder; for starting up and for `check`, not for a frame.
 */
export async function scanAssets(options: ScanOptions): Promise<ScanReport> {
  const { vfs, identity } = options;
  const ignore = options.ignore ?? isHidden;
  const found: IdentifiedAsset[] = [];
  const orphans: VFSPath[] = [];
  const diagnostics: Diagnostic[] = [];
  const identify = async (path: VFSPath): Promise<void> => {
    try {
      found.push({ path, meta: await identity.ensure(path) });
    } catch (error) {
      if (!(error instanceof EclipticError)) throw error;
      const { code, message } = error;
      diagnostics.push({ severity: 'error', code, message, file: path.text });
    }
  };
  const pending = [VFSPath.from(options.root ?? '/')];
  for (let folder = pending.pop(); folder; folder = pending.pop()) {
    options.signal?.throwIfAborted();
    const entries = await vfs.list(folder);
    const names = new Set(entries.map((entry) => folder.join(entry.name).key));
    const ensuring: Promise<void>[] = [];
    for (const entry of entries) {
      const path = folder.join(entry.name);
      if (ignore(path)) continue;
      if (entry.kind === 'folder') pending.push(path);
      else if (isMetaPath(path)) {
        const owner = path.parent.join(path.name.slice(0, -META_SUFFIX.length));
        if (names.has(owner.key) && !isMetaPath(owner)) continue;
        orphans.push(path);
        diagnostics.push(orphan(path, owner));
      } else if (options.isAsset(path)) ensuring.push(identify(path));
    }
    await Promise.all(ensuring);
  }
  found.sort((a, b) => a.path.compare(b.path));
  const { assets, clashes } = await resolveClashes(found, options);
  for (const { kept, changed, uuid, newUuid } of clashes) {
    diagnostics.push({
      severity: 'warning',
      code: 'assets/uuid-clash',
      message: `${changed.text} had the uuid ${uuid} of ${kept.text}, as a copy has; it is ${newUuid} now`,
      file: changed.text,
    });
  }
  diagnostics.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return { assets, clashes, orphans, diagnostics };
}

function isHidden(path: VFSPath): boolean {
  return path.name.startsWith('.') || path.name === 'node_modules';
}

function orphan(path: VFSPath, owner: VFSPath): Diagnostic {
  return {
    severity: 'warning',
    code: isMetaPath(owner) ? 'assets/meta-of-meta' : 'assets/meta-orphan',
    message: isMetaPath(owner)
      ? `${path.text} describes a sidecar; remove it`
      : `${path.text} describes ${owner.text}, which is not there; move it along with its file, or remove it`,
    file: path.text,
  };
}

async function resolveClashes(
  found: readonly IdentifiedAsset[],
  { vfs, identity, ownerOf }: ScanOptions,
): Promise<{ assets: IdentifiedAsset[]; clashes: IdentityClash[] }> {
  const byUuid = new Map<string, IdentifiedAsset[]>();
  for (const asset of found) {
    const group = byUuid.get(asset.meta.uuid);
    if (group) group.push(asset);
    else byUuid.set(asset.meta.uuid, [asset]);
  }
  const clashes: IdentityClash[] = [];
  const replaced = new Map<string, AssetMeta>();
  for (const [uuid, group] of byUuid) {
    if (group.length < 2) continue;
    const owner = ownerOf?.(uuid);
    const ages = await Promise.all(
      group.map(async (asset) => ({
        asset,
        isOwner: owner?.equals(asset.path) ?? false,
        modified: (await vfs.stat(metaPathOf(asset.path))).modified ?? 0,
      })),
    );
    ages.sort(
      (a, b) =>
        Number(b.isOwner) - Number(a.isOwner) ||
        a.modified - b.modified ||
        a.asset.path.compare(b.asset.path),
    );
    const [first, ...others] = ages;
    if (!first) continue;
    for (const { asset } of others) {
      const meta = await identity.replace(asset.path);
      replaced.set(asset.path.key, meta);
      clashes.push({ uuid, kept: first.asset.path, changed: asset.path, newUuid: meta.uuid });
    }
  }
  const assets = found.map(({ path, meta }) => ({ path, meta: replaced.get(path.key) ?? meta }));
  return { assets, clashes };
}
