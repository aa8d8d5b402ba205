import { VFSPath } from '@ecliptic/vfs';
import type { TextureData } from '../data/texture-data.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { ImportError } from '../diagnostics/import-error.js';
import { readImageHeader } from '../images/image-header.js';
import type { ImportContext } from '../importer/importer.js';
import type { LoadedBuffer, ResourceLoader } from './load-resources.js';
import type { GltfRoot, ImageDef } from './model.js';
import { findImageUses, type ImageUses } from './parse-materials.js';

/** An image that became part of this import, or is an asset of its own, or could not be had. */
export type LoadedImage =
  | { readonly kind: 'own'; readonly texture: TextureData; readonly file: Uint8Array }
  | { readonly kind: 'reference'; readonly uuid: string }
  | { readonly kind: 'missing' };

/** Makes a texture of an image file; throws ImportError. */
export type CookImage = (file: TextureData, findings: DiagnosticReport) => Promise<TextureData>;

/** An image file as it is, before its use is known. */
interface LoadedFile {
  readonly kind: 'own';
  readonly texture: Omit<TextureData, 'colorSpace'>;
}

/**
 * Gets the images of a file. One that is missing or broken is a warning (`assets/gltf-missing-file`,
 * `assets/gltf-image` …): its materials do without, the geometry is imported all the same. Only a URI
 * that leaves the project is an error.
 */
export async function loadImages(
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
  loader: ResourceLoader,
  context: ImportContext,
  cook: CookImage,
  report: DiagnosticReport,
): Promise<LoadedImage[]> {
  const uses = findImageUses(root);
  const result: LoadedImage[] = [];
  // One after the other: the limit on loaded bytes holds at every moment.
  for (const [index, image] of root.images.entries()) {
    const loaded = await loadImage(image, root, buffers, loader, context, report);
    const isFile = loaded.kind === 'own';
    result.push(isFile ? await cookImage(loaded, index, uses, cook, context, report) : loaded);
  }
  return result;
}

/** Makes a texture of an image file. */
async function cookImage(
  image: LoadedFile,
  index: number,
  uses: ImageUses,
  cook: CookImage,
  context: ImportContext,
  report: DiagnosticReport,
): Promise<LoadedImage> {
  const isLinear = uses.linear.has(index) && !uses.srgb.has(index);
  const file: TextureData = {
    ...image.texture,
    colorSpace: isLinear ? 'linear' : 'srgb',
    ...(isLinear && uses.normal.has(index) ? { normalMap: true } : {}),
  };
  const findings = new DiagnosticReport(context.path);
  try {
    return { kind: 'own', texture: await cook(file, findings), file: file.bytes };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    for (const { code, message } of error.diagnostics) {
      report.warn(code, message, { pointer: `/images/${index}` });
    }
    return { kind: 'missing' };
  }
}

async function loadImage(
  image: ImageDef,
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
  loader: ResourceLoader,
  context: ImportContext,
  report: DiagnosticReport,
): Promise<LoadedFile | Exclude<LoadedImage, { kind: 'own' }>> {
  const { uri, view, pointer } = image;
  const isFile = uri !== undefined && view === undefined && !/^data:/i.test(uri);
  if (isFile) {
    const uuid = await referenceOf(uri, context);
    if (uuid !== undefined) return { kind: 'reference', uuid };
  }
  const loaded =
    view === undefined
      ? uri === undefined
        ? undefined
        : await loader.uri(uri, pointer, false)
      : bytesOfView(view, root, buffers);
  if (!loaded) return { kind: 'missing' };
  if ('problem' in loaded) {
    const severity = loaded.code === 'assets/gltf-uri-escape' ? 'error' : 'warn';
    report[severity](loaded.code, loaded.problem, { pointer });
    return { kind: 'missing' };
  }
  const header = readImageHeader(loaded.bytes);
  if (!header) {
    const what = loaded.bytes.byteLength === 0 ? 'empty' : 'in no known format, or has no size';
    report.warn('assets/gltf-image', `The image is ${what}`, { pointer });
    return { kind: 'missing' };
  }
  if (header.problem !== undefined) {
    report.warn('assets/gltf-image', `The image is damaged: ${header.problem}`, { pointer });
  }
  if (image.declaredMime !== undefined && image.declaredMime !== header.mime) {
    report.warn(
      'assets/gltf-image-type',
      `The image is declared ${image.declaredMime}, but is ${header.mime}`,
      { pointer: `${pointer}/mimeType` },
    );
  }
  const { mime, width, height } = header;
  // A copy: a view would keep the whole file in memory.
  const bytes = loaded.bytes.slice();
  return { kind: 'own', texture: { name: nameOf(image), mime, width, height, bytes } };
}

async function referenceOf(uri: string, context: ImportContext): Promise<string | undefined> {
  let path: string;
  try {
    path = context.resolve(uri);
  } catch {
    // The loader resolves it again and reports why it can't.
    return undefined;
  }
  return context.reference(path);
}

function bytesOfView(
  index: number,
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
): LoadedBuffer {
  const view = root.views[index];
  const buffer = buffers[view?.buffer ?? -1];
  if (!view || !buffer) {
    return { code: 'assets/gltf-reference', problem: `There is no buffer view ${index}` };
  }
  if ('problem' in buffer) return buffer;
  if (view.problem !== undefined) {
    return { code: 'assets/gltf-out-of-bounds', problem: view.problem };
  }
  return { bytes: buffer.bytes.subarray(view.byteOffset, view.byteOffset + view.byteLength) };
}

function nameOf({ name, uri }: ImageDef): string {
  if (name !== '') return name;
  if (uri === undefined || /^data:/i.test(uri)) return '';
  const path = VFSPath.tryParse(uri);
  return path instanceof VFSPath ? path.stem : '';
}
