import { EclipticError } from '@ecliptic/core';

/** What to do about assets that are not there. */
export interface AssetOptions {
  /**
   * Whether an asset is there. Absent: references are not checked.
   *
   * @param kind - what the field says it refers to, as `mesh`
   */
  readonly hasAsset?: (uuid: string, kind: string) => boolean;
  /** `warn` (default), for editing: the reference is kept. `error`, for checking before a release. */
  readonly missingAssets?: 'warn' | 'error';
  /** UUID of what stands in for a missing asset of a kind; saving writes the original again. `undefined` leaves the reference as it is. */
  readonly placeholder?: (kind: string) => string | undefined;
}

/** A text in a field for an asset that is no UUID: nearly always a path. */
export function assetPath(at: string, value: string, kind: string): EclipticError {
  return new EclipticError(
    'authoring/asset-path',
    `${at} refers to a ${kind} by ${JSON.stringify(value)}, which is no UUID`,
    {
      subjects: { at, value, kind },
      fix: 'Write the uuid that the .meta file beside the asset has: paths break when files are moved.',
    },
  );
}

/** An asset that is not there, where that is an error. */
export function missingAsset(at: string, uuid: string, kind: string): EclipticError {
  return new EclipticError('authoring/missing-asset', `${at}: there is no ${kind} ${uuid}`, {
    subjects: { at, uuid, kind },
    fix: 'Bring the asset and its .meta file back, or refer to another.',
  });
}
