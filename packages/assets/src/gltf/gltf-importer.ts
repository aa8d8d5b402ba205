import type { ImportedAsset } from '../data/imported-asset.js';
import type { TextureData } from '../data/texture-data.js';
import { ImportError } from '../diagnostics/import-error.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ImportContext, Importer } from '../importer/importer.js';
import { loadSimplifier, simplifyMesh } from '../geometry/simplify.js';
import { convertGltf } from './convert-gltf.js';
import { openContainer } from './container.js';
import { accessorProblem, decodeAccessors } from './decode-accessors.js';
import { DEFAULT_DECODERS, type GltfDecoders } from './decoders.js';
import { AccessorSource, checkValues } from './accessor-values.js';
import { GLTF_SETTINGS, readGltfSettings } from './gltf-settings.js';
import { DEFAULT_GLTF_LIMITS, type GltfLimits } from './limits.js';
import { loadImages } from './load-images.js';
import { ResourceLoader, type LoadedBuffer } from './load-resources.js';
import type { GltfRoot } from './model.js';
import { TextureCook } from '../textures/cook-texture.js';
import type { ImageDecoder } from '../textures/texture-platform.js';
import { parseRoot } from './parse-root.js';

/** Options of {@link gltfImporter}; for settings of single files see there. */
export interface GltfImporterOptions {
  /** What an import may cost. */
  readonly limits?: Partial<GltfLimits>;
  /** Where decoders of compressed geometry come from. */
  readonly decoders?: Partial<GltfDecoders>;
  /** Decodes image files. Default: `sharp` in Node, the browser's own decoder elsewhere. */
  readonly decodeImage?: ImageDecoder;
}

/**
 * Imports glTF 2.0, as `.gltf` and `.glb`: meshes with all attribute and index types, sparse, quantised,
 * meshopt- and Draco-compressed; materials with every `KHR_materials_*` extension as data; textures;
 * the node hierarchy with cameras, lights, instances and variants as a prefab; skins, morph targets and animations.
 *
 * A file is checked before it is read. What breaks it (indices out of range, data that isn't there,
 * cycles, URIs that leave the project, sizes beyond the limits) refuses it with an `ImportError`; what
 * can be repaired (values that are not finite, normals that are not unit, a missing image) is a warning.
 *
 * Settings of a file's `.meta`:
 * - `normals`: what triangles without them get: `'flat'` (default) as the specification asks, `'smooth'`, or none with `'keep'`;
 * - `tangents`: `'generate'` (default) makes them by the rules of MikkTSpace where a material has a normal map, `'keep'` doesn't;
 * - `textures`: how images inside it are stored, a {@link TextureStorage}: `'pixels'` (default) decodes them and makes mip levels;
 * - `lods`: how many simpler versions to make of each mesh, 0 (default) to 8, each with half the triangles;
 * - `requiredExtensions`: `'lenient'` (default) imports without an extension that is required but unknown,
 *   with a warning; `'strict'` refuses, as the specification asks of renderers.
 *
 * @example
 * ```ts
 * const coordinator = new ImportCoordinator({ …, importers: [gltfImporter(), imageImporter()] });
 * ```
 */
export function gltfImporter(options: GltfImporterOptions = {}): Importer {
  const limits = { ...DEFAULT_GLTF_LIMITS, ...options.limits };
  const decoders = { ...DEFAULT_DECODERS, ...options.decoders };
  const cook = new TextureCook(options.decodeImage);
  return {
    name: 'gltf',
    version: 2,
    type: 'prefab',
    extensions: ['.gltf', '.glb'],
    settings: { ...GLTF_SETTINGS },
    references: (context) => namedFiles(context, limits, 'images'),
    reads: (context) => namedFiles(context, limits, 'buffers'),
    async import(context) {
      const report: DiagnosticReport = new DiagnosticReport(context.path);
      const assets = await importGltf(context, limits, decoders, cook, report);
      report.throwIfFailed();
      context.reportAll(report.list());
      return assets;
    },
  };
}

async function importGltf(
  context: ImportContext,
  limits: GltfLimits,
  decoders: GltfDecoders,
  cook: TextureCook,
  report: DiagnosticReport,
): Promise<ImportedAsset[]> {
  const container = openContainer(context.source, limits, report);
  const settings = readGltfSettings(context.settings, report);
  const strict = settings.requiredExtensions === 'strict';
  const root = parseRoot(container.json, limits, strict, report);
  const loader = new ResourceLoader(context, limits, report);
  const buffers: LoadedBuffer[] = [];
  for (const [index, buffer] of root.buffers.entries()) {
    buffers.push(await loader.buffer(buffer, index, container.binary));
  }
  context.signal.throwIfAborted();
  reportUnusable(root, buffers, report);
  const cookImage = (file: TextureData, findings: DiagnosticReport): Promise<TextureData> =>
    cook.cook(file, settings.textures, findings);
  const images = await loadImages(root, buffers, loader, context, cookImage, report);
  const decoded = await decodeAccessors(root, buffers, decoders, report);
  context.signal.throwIfAborted();
  root.accessors.forEach((accessor, index) => {
    const values = decoded[index];
    if (values) checkValues(accessor, values, report);
  });
  const accessors = new AccessorSource(
    root.accessors,
    decoded,
    (accessor) => accessorProblem(accessor, root, buffers),
    report,
  );
  const assets = convertGltf(root, accessors, images, context, settings, limits, report);
  return settings.lods > 0 ? withLods(assets, settings.lods) : assets;
}

async function withLods(assets: readonly ImportedAsset[], count: number): Promise<ImportedAsset[]> {
  const simplifier = await loadSimplifier();
  return assets.map((asset) => {
    if (asset.type !== 'mesh') return asset;
    const lods = simplifyMesh(asset.data, count, simplifier);
    return lods.length === 0 ? asset : { ...asset, data: { ...asset.data, lods } };
  });
}

/** Warns of what is broken, used or not; where it is used, the user reports an error. */
function reportUnusable(
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
  report: DiagnosticReport,
): void {
  const plain = new Set(root.views.filter((view) => !view.meshopt).map((view) => view.buffer));
  const compressed = new Set(root.views.filter((view) => view.meshopt).map((view) => view.buffer));
  buffers.forEach((buffer, index) => {
    // The fallback beside compressed data needs no bytes.
    const isFallback = compressed.has(index) && !plain.has(index);
    if ('problem' in buffer && !(isFallback && buffer.code === 'assets/gltf-no-bytes')) {
      const severity = buffer.code === 'assets/gltf-uri-escape' ? 'error' : 'warn';
      report[severity](buffer.code, buffer.problem, { pointer: `/buffers/${index}` });
    }
  });
  for (const { problem, pointer } of [...root.views, ...root.accessors]) {
    if (problem !== undefined) report.warn('assets/gltf-out-of-bounds', problem, { pointer });
  }
}

/** The files that a glTF names in one of its lists. A file that can't be read has none: its import says why. */
async function namedFiles(
  context: ImportContext,
  limits: GltfLimits,
  list: 'images' | 'buffers',
): Promise<readonly string[]> {
  const report = new DiagnosticReport(context.path);
  let json: object;
  try {
    json = openContainer(context.source, limits, report).json;
  } catch (error) {
    if (error instanceof ImportError) return [];
    throw error;
  }
  const items: unknown = (json as Partial<Record<string, unknown>>)[list];
  if (!Array.isArray(items)) return [];
  const paths = new Set<string>();
  for (const item of items.slice(0, limits.items) as unknown[]) {
    const uri: unknown =
      typeof item === 'object' && item !== null ? (item as { uri?: unknown }).uri : undefined;
    if (typeof uri !== 'string' || /^data:/i.test(uri)) continue;
    try {
      paths.add(context.resolve(uri));
    } catch {
      // The import itself reports a URI that names nothing.
    }
  }
  return [...paths];
}
