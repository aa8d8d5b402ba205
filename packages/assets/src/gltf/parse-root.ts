import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { JsonView } from './json-view.js';
import type { GltfLimits } from './limits.js';
import type { GltfRoot, ImageDef } from './model.js';
import { parseAccessors, parseBuffers, parseViews } from './parse-buffers.js';
import { parseTextures } from './parse-materials.js';
import { parseMeshes } from './parse-meshes.js';

/** Extensions that this importer understands, or that change nothing that it reads. */
const SUPPORTED: ReadonlySet<string> = new Set([
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_animation_pointer',
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_variants',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_basisu',
  'KHR_texture_transform',
  'KHR_xmp_json_ld',
]);
/** Material extensions are kept as data, so every one is supported as far as an importer goes. */
const KEPT_AS_DATA = /^(KHR|EXT)_materials_/;

const LISTS = [
  'accessors',
  'animations',
  'bufferViews',
  'buffers',
  'cameras',
  'images',
  'materials',
  'meshes',
  'nodes',
  'samplers',
  'scenes',
  'skins',
  'textures',
] as const;

/**
 * Reads and checks everything that geometry depends on, before any buffer is loaded.
 *
 * @param strict - whether a required extension that is not supported refuses the file
 * @throws ImportError when the structure has errors
 */
export function parseRoot(
  json: object,
  limits: GltfLimits,
  strict: boolean,
  report: DiagnosticReport,
): GltfRoot {
  const view = new JsonView(json, '', report);
  checkVersion(view);
  checkSizes(view, limits);
  const extensionsUsed = checkExtensions(view, strict);
  report.throwIfFailed();

  const buffers = parseBuffers(view);
  const views = parseViews(view, buffers, limits);
  const accessors = parseAccessors(view, views, limits);
  const images = parseImages(view, views.length);
  const materialCount = view.objects('materials').length;
  const variants = (view.extension('KHR_materials_variants')?.objects('variants') ?? []).map(
    (variant, index) => variant.string('name') ?? String(index),
  );
  const meshes = parseMeshes(
    view,
    {
      accessors: accessors.length,
      materials: materialCount,
      views: views.length,
      variants: variants.length,
    },
    limits,
  );
  report.throwIfFailed();
  return {
    view,
    extensionsUsed,
    buffers,
    views,
    accessors,
    images,
    textures: parseTextures(view, images.length),
    meshes,
    materialCount,
    nodeCount: view.objects('nodes').length,
    variants,
  };
}

function checkVersion(root: JsonView): void {
  const { report } = root;
  const asset = root.object('asset');
  if (!asset) {
    if (root.has('asset')) return;
    report.error('assets/gltf-not-gltf', 'There is no "asset": this JSON is not glTF 2.0', {
      pointer: '',
    });
    return;
  }
  const version = asset.string('version');
  const match = /^(\d+)\.(\d+)$/.exec(version ?? '');
  if (!match) {
    report.warn('assets/gltf-version', `Version "${version ?? ''}" is taken for 2.0`, {
      pointer: '/asset/version',
    });
  } else if (match[1] !== '2') {
    report.error('assets/gltf-version', `glTF ${version} is not supported, only 2.x`, {
      pointer: '/asset/version',
    });
  }
  const least = asset.string('minVersion');
  if (least !== undefined && least !== '2.0') {
    report.error('assets/gltf-version', `The file needs a reader of glTF ${least}`, {
      pointer: '/asset/minVersion',
    });
  }
}

function checkSizes(root: JsonView, limits: GltfLimits): void {
  for (const list of LISTS) {
    const value = root.raw(list);
    if (!Array.isArray(value) || value.length <= limits.items) continue;
    root.report.error(
      'assets/gltf-too-large',
      `There are ${value.length} ${list}, more than ${limits.items}`,
      { pointer: `/${list}` },
    );
  }
}

function checkExtensions(root: JsonView, strict: boolean): Set<string> {
  const used = new Set(root.strings('extensionsUsed'));
  root.strings('extensionsRequired').forEach((name, i) => {
    const pointer = `/extensionsRequired/${i}`;
    if (!used.has(name)) {
      root.report.warn('assets/gltf-extension', `${name} is required but not listed as used`, {
        pointer,
      });
      used.add(name);
    }
    if (SUPPORTED.has(name) || KEPT_AS_DATA.test(name)) return;
    const severity = strict ? 'error' : 'warn';
    root.report[severity](
      'assets/gltf-required-extension',
      `The file requires ${name}, which is not supported; what depends on it is missing`,
      { pointer },
    );
  });
  return used;
}

function parseImages(root: JsonView, views: number): ImageDef[] {
  return root.objects('images').map((view) => {
    const image = {
      name: view.string('name') ?? '',
      uri: view.string('uri'),
      view: view.index('bufferView', views, 'buffer view'),
      declaredMime: view.string('mimeType'),
      pointer: view.pointer,
    };
    if (image.uri === undefined && image.view === undefined) {
      view.report.warn('assets/gltf-image', 'The image has neither URI nor buffer view', {
        pointer: view.pointer,
      });
    }
    return image;
  });
}
