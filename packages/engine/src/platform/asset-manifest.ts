import { EclipticError } from '@ecliptic/core';
import * as v from 'valibot';

/** Name of the file that says what a folder of engine assets holds. */
export const MANIFEST_NAME = 'manifest.json';
/** Where the engine's own assets are mounted. */
export const ENGINE_ASSETS_MOUNT = '/Ecliptic';
/** Below the project's own mounts. */
export const ENGINE_ASSETS_PRIORITY: number = -1;

const schema = v.object({
  package: v.literal('@ecliptic/engine'),
  format: v.literal(1),
  files: v.record(v.string(), v.object({ bytes: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
});

/** What a folder of engine assets holds: files by their relative path. */
export interface AssetManifest {
  readonly files: Readonly<Record<string, { readonly bytes: number }>>;
}

/**
 * Reads a manifest.
 *
 * @param root - where it was found, for the error
 * @throws EclipticError `engine/asset-root`
 */
export function parseAssetManifest(text: string, root: string): AssetManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw badAssetRoot(root, `its ${MANIFEST_NAME} is not JSON`, cause);
  }
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  throw badAssetRoot(
    root,
    `its ${MANIFEST_NAME} is not one of this engine (${problems.join('; ')})`,
  );
}

/** The error for a root that isn't what it should be. */
export function badAssetRoot(root: string, problem: string, cause?: unknown): EclipticError {
  return new EclipticError(
    'engine/asset-root',
    `${root} doesn't hold the engine's assets: ${problem}`,
    {
      subjects: { root, problem },
      fix: 'Install @ecliptic/engine again, or correct ECLIPTIC_ASSET_ROOT (or the assetRoot option).',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
