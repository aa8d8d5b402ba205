import { EclipticError } from '@ecliptic/core';
import type { VFSPath } from '@ecliptic/vfs';
import type { AssetMeta } from '../identity/asset-meta.js';
import type { ImportPipelineParts } from './import-pipeline.js';

type ClaimParts = Pick<
  ImportPipelineParts,
  'vfs' | 'registry' | 'identity' | 'importers' | 'manager' | 'log'
>;

/**
 * Makes sure that the main asset of `path` is registered under the uuid of its sidecar: minted, known,
 * moved here with its sidecar, or copied (then it gets a new uuid, and the clash is logged).
 *
 * @param known - its sidecar, where that was read already
 * @throws EclipticError `assets/meta-…`, `assets/no-importer`
 */
export async function claimPath(
  path: VFSPath,
  parts: ClaimParts,
  known?: AssetMeta,
): Promise<AssetMeta> {
  const { vfs, registry, identity, importers, log } = parts;
  if (!importers.takes(path)) {
    throw new EclipticError('assets/no-importer', `No importer takes ${path.text}`, {
      subjects: { path: path.text },
      fix: 'Add an importer for its extension to the coordinator.',
    });
  }
  const before = registry.atPath(path).find((asset) => asset.key === '');
  // What isn't there, as where a name was mistyped, gets no sidecar.
  if (!known && !before) await vfs.stat(path);
  let meta = known ?? (await identity.ensure(path, before?.uuid));
  const owner = registry.get(meta.uuid);
  if (owner?.path && owner.state !== 'removed' && !owner.path.equals(path)) {
    if (await vfs.exists(owner.path)) {
      const { uuid } = meta;
      meta = await identity.replace(path);
      log.warn('uuid_clash', {
        uuid,
        kept: owner.path.text,
        changed: path.text,
        newUuid: meta.uuid,
      });
    } else moveAssets(owner.path, path, parts);
  }
  // A sidecar that was replaced by another one: what was here under the old uuid is gone.
  const main = registry.atPath(path).find((asset) => asset.key === '');
  if (main && main.uuid !== meta.uuid) removeAssets(path, parts);
  const { type } = importers.choose(path, meta.importer);
  registry.register({ uuid: meta.uuid, type, path });
  return meta;
}

function moveAssets(from: VFSPath, to: VFSPath, { registry }: ClaimParts): void {
  for (const { uuid } of registry.atPath(from)) registry.move(uuid, to);
}

/** Marks everything of a source as removed. */
export function removeAssets(
  path: VFSPath,
  { registry, manager }: Pick<ClaimParts, 'registry' | 'manager'>,
): void {
  for (const { uuid } of registry.atPath(path)) {
    registry.setState(uuid, 'removed');
    manager?.drop(uuid);
  }
}
