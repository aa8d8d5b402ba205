import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { codecKey, type CodecOptions } from '../importer/codec-key.js';
import type { Importer } from '../importer/importer.js';
import { DEFAULT_DECODERS, type GltfDecoders } from './decoders.js';
import { GLTF_SETTINGS } from './gltf-settings.js';
import { DEFAULT_GLTF_LIMITS, type GltfLimits } from './limits.js';
import { NamedFiles } from './named-files.js';
import { TextureCook } from '../textures/cook-texture.js';
import type { ImageDecoder } from '../textures/texture-platform.js';

/** Options of {@link gltfImporter}; for settings of single files see there. */
export interface GltfImporterOptions extends CodecOptions {
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
 * - `vertices`: `'weld'` makes one of vertices that are alike in everything, `'keep'` (default) takes them as they are;
 * - `textures`: how images inside it are stored, a {@link TextureStorage}: `'pixels'` (default) decodes them and makes mip levels;
 * - `lods`: how many simpler versions to make of each mesh, 0 (default) to 8, each with half the triangles;
 * - `requiredExtensions`: `'lenient'` (default) imports without an extension that is required but unknown,
 *   with a warning; `'strict'` refuses, as the specification asks of renderers.
 *
 * @example
 * ```ts
 * const coordinator = new ImportCoordinator({ …, importers: [gltfImporter(), imageImporter()] });
 * ```
 *
 * @throws EclipticError `assets/codec-unnamed` where codecs are passed without a `codecVersion`
 */
export function gltfImporter(options: GltfImporterOptions = {}): Importer {
  const limits = { ...DEFAULT_GLTF_LIMITS, ...options.limits };
  const decoders = { ...DEFAULT_DECODERS, ...options.decoders };
  const { decodeImage } = options;
  const codecs = codecKey('gltf', { ...options.decoders, decodeImage }, options);
  const cook = new TextureCook(decodeImage);
  const named = new NamedFiles(limits);
  return {
    name: 'gltf',
    version: 2,
    type: 'prefab',
    extensions: ['.gltf', '.glb'],
    settings: { ...GLTF_SETTINGS },
    limits: { ...limits, ...codecs },
    references: async (context) => named.paths(context, 'images'),
    reads: async (context) => named.paths(context, 'buffers'),
    async import(context) {
      const report: DiagnosticReport = new DiagnosticReport(context.path);
      // Loaded with the first file: who only loads cooked artifacts doesn't need it.
      const { importGltf } = await import('./import-gltf.js');
      const assets = await importGltf(context, limits, decoders, cook, report);
      report.throwIfFailed();
      context.reportAll(report.list());
      return assets;
    },
  };
}
