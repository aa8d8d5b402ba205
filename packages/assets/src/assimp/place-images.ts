import { VFSError } from '@ecliptic/vfs';
import type { ImportContext } from '../importer/importer.js';
import { uriOfPath } from './source-text.js';

/**
 * Makes URIs of the images' paths that Assimp copied from the source: paths of whatever machine and syntax. An image is where
 * its path says, seen from a material library or from the model; else beside the model.
 *
 * @param json - of the glTF that Assimp made, changed in place
 * @param libraries - URIs of material libraries, from the model: Assimp forgets which one an image is of
 */
export async function placeImages(
  json: Record<string, unknown>,
  libraries: readonly string[],
  context: ImportContext,
): Promise<void> {
  const folders = new Set(libraries.map((uri) => uri.slice(0, uri.lastIndexOf('/') + 1)));
  folders.add('');
  const { images } = json as { images?: { uri?: string; name?: string; mimeType?: string }[] };
  for (const image of images ?? []) {
    // Assimp goes by the extension; the bytes decide.
    delete image.mimeType;
    if (image.uri === undefined || image.uri.startsWith('data:')) continue;
    const uri = uriOfPath(image.uri);
    const name = uri.slice(uri.lastIndexOf('/') + 1);
    image.name ??= decodeURIComponent(name).replace(/\.\w+$/, '');
    const inside = [...folders]
      .map((folder) => folder + uri)
      .filter((candidate) => isInside(candidate, context));
    image.uri = (await firstThere(inside, context)) ?? (isInside(uri, context) ? uri : name);
  }
}

/** The first of some URIs that there is a file for; the only one without looking. */
async function firstThere(
  uris: readonly string[],
  context: ImportContext,
): Promise<string | undefined> {
  if (uris.length < 2) return uris[0];
  for (const uri of uris) if (await isThere(context.resolve(uri), context)) return uri;
  return undefined;
}

async function isThere(path: string, context: ImportContext): Promise<boolean> {
  if ((await context.reference(path)) !== undefined) return true;
  try {
    await context.read(path);
    return true;
  } catch (error) {
    if (error instanceof VFSError) return false;
    throw error;
  }
}

function isInside(uri: string, context: ImportContext): boolean {
  try {
    context.resolve(uri);
    return true;
  } catch (error) {
    if (error instanceof VFSError) return false;
    throw error;
  }
}
