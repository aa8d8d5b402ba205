import type { ImportedAsset } from '../data/imported-asset.js';
import type { TextureData } from '../data/texture-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ImportContext } from '../importer/importer.js';
import { loadSimplifier, simplifyMesh } from '../geometry/simplify.js';
import { weldMesh } from '../geometry/weld-mesh.js';
import { convertGltf } from './convert-gltf.js';
import { openContainer } from './container.js';
import { accessorProblem, decodeAccessors } from './decode-accessors.js';
import type { GltfDecoders } from './decoders.js';
import { AccessorSource, checkValues } from './accessor-values.js';
import { readGltfSettings } from './gltf-settings.js';
import type { GltfLimits } from './limits.js';
import { loadImages } from './load-images.js';
import { ResourceLoader, type LoadedBuffer } from './load-resources.js';
import type { GltfRoot } from './model.js';
import type { TextureCook } from '../textures/cook-texture.js';
import { parseRoot } from './parse-root.js';

/** The assets in a glTF. @throws ImportError where the file is refused */
export async function importGltf(
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
  let assets = convertGltf(root, accessors, images, context, settings, limits, report);
  if (settings.vertices === 'weld') assets = assets.map(welded);
  return settings.lods > 0 ? withLods(assets, settings.lods) : assets;
}

function welded(asset: ImportedAsset): ImportedAsset {
  return asset.type === 'mesh' ? { ...asset, data: weldMesh(asset.data) } : asset;
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
