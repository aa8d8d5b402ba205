import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { badAssetRoot, MANIFEST_NAME, parseAssetManifest } from '../platform/asset-manifest.js';
import type { PackagedAssets } from '../platform/engine-platform.js';

/** Beside the module, wherever the process was started from: this file is in `src/node` or `dist/node`. */
const BESIDE_THE_MODULE = new URL('../../assets/', import.meta.url);

/**
 * Finds the engine's own assets on disk and checks that they are complete: each file of the manifest is
 * there, in its size.
 *
 * @param override - absolute folder to use instead of the package's own
 * @throws EclipticError `engine/asset-root`
 */
export async function findPackagedAssets(override?: string): Promise<PackagedAssets> {
  const root = override ?? fileURLToPath(BESIDE_THE_MODULE);
  if (!isAbsolute(root)) throw badAssetRoot(root, 'the path is not absolute');
  const manifest = parseAssetManifest(await readManifest(root), root);
  for (const [path, { bytes }] of Object.entries(manifest.files)) {
    const size = await sizeOf(join(root, path));
    if (size === undefined) throw badAssetRoot(root, `${path} is missing`);
    if (size !== bytes) throw badAssetRoot(root, `${path} has ${size} bytes, not ${bytes}`);
  }
  return {
    root,
    open: async () => {
      const { diskBackend } = await import('@ecliptic/vfs/node');
      return diskBackend(root);
    },
  };
}

async function readManifest(root: string): Promise<string> {
  try {
    return await readFile(join(root, MANIFEST_NAME), 'utf8');
  } catch (cause) {
    throw badAssetRoot(root, `${MANIFEST_NAME} can't be read`, cause);
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
