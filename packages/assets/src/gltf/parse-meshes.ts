import type { JsonView } from './json-view.js';
import type { GltfLimits } from './limits.js';
import type { DracoDef, MeshDef, PrimitiveDef } from './model.js';

/** How many of each list there are, for checking references. */
export interface MeshReferences {
  readonly accessors: number;
  readonly materials: number;
  readonly views: number;
  readonly variants: number;
}

/** Reads `meshes`. */
export function parseMeshes(root: JsonView, counts: MeshReferences, limits: GltfLimits): MeshDef[] {
  let primitives = 0;
  return root.objects('meshes').map((view) => {
    const definitions = view.objects('primitives');
    if (!view.has('primitives')) view.missing('primitives');
    primitives += definitions.length;
    if (primitives > limits.primitives) {
      view.report.fail(
        'assets/gltf-too-large',
        `There are more than ${limits.primitives} primitives`,
        { pointer: view.at('primitives') },
      );
    }
    const mesh: MeshDef = {
      name: view.string('name') ?? '',
      primitives: definitions.map((primitive) => parsePrimitive(primitive, counts)),
      weights: view.numbers('weights') ?? [],
      targetNames: targetNames(view),
      pointer: view.pointer,
    };
    const targets = new Set(mesh.primitives.map((primitive) => primitive.targets.length));
    if (targets.size > 1) {
      view.report.warn(
        'assets/gltf-morph-targets',
        `Primitives have different numbers of morph targets: ${[...targets].join(', ')}`,
        { pointer: view.at('primitives') },
      );
    }
    const first = Math.max(0, ...targets);
    if (mesh.weights.length > 0 && mesh.weights.length !== first) {
      view.report.warn(
        'assets/gltf-morph-targets',
        `${mesh.weights.length} weights for ${first} morph targets`,
        { pointer: view.at('weights') },
      );
    }
    return mesh;
  });
}

function targetNames(mesh: JsonView): string[] {
  const extras = mesh.raw('extras');
  if (typeof extras !== 'object' || extras === null || !Object.hasOwn(extras, 'targetNames')) {
    return [];
  }
  const names: unknown = (extras as { targetNames: unknown }).targetNames;
  return Array.isArray(names) ? names.map((name) => String(name)) : [];
}

function parsePrimitive(view: JsonView, counts: MeshReferences): PrimitiveDef {
  const attributes = view.object('attributes');
  if (!attributes) view.missing('attributes');
  const mode = view.integer('mode', { max: 6 }) ?? 4;
  const primitive: PrimitiveDef = {
    mode,
    attributes: accessorMap(attributes, counts.accessors),
    indices: view.index('indices', counts.accessors, 'accessor'),
    material: view.index('material', counts.materials, 'material'),
    targets: view.objects('targets').map((target) => accessorMap(target, counts.accessors)),
    draco: parseDraco(view, counts),
    variants: parseVariants(view, counts),
    pointer: view.pointer,
  };
  checkSets(primitive, view);
  return primitive;
}

function accessorMap(view: JsonView | undefined, accessors: number): Map<string, number> {
  const result = new Map<string, number>();
  for (const semantic of view?.keys() ?? []) {
    const index = view?.index(semantic, accessors, 'accessor');
    if (index !== undefined) result.set(semantic, index);
  }
  return result;
}

/** Sets must be numbered from 0 without gaps: `TEXCOORD_1` needs `TEXCOORD_0`. */
function checkSets(primitive: PrimitiveDef, view: JsonView): void {
  for (const semantic of primitive.attributes.keys()) {
    const set = /^(TEXCOORD|COLOR|JOINTS|WEIGHTS)_(\d+)$/.exec(semantic);
    if (!set || set[2] === '0') continue;
    const before = `${set[1]}_${Number(set[2]) - 1}`;
    if (!primitive.attributes.has(before)) {
      view.report.warn('assets/gltf-attribute-set', `${semantic} without ${before}`, {
        pointer: `${view.at('attributes')}/${semantic}`,
      });
    }
  }
}

function parseDraco(view: JsonView, counts: MeshReferences): DracoDef | undefined {
  const extension = view.extension('KHR_draco_mesh_compression');
  if (!extension) return undefined;
  const bufferView = extension.index('bufferView', counts.views, 'buffer view');
  if (bufferView === undefined) return extension.missing('bufferView');
  const attributes = new Map<string, number>();
  const ids = extension.object('attributes');
  for (const semantic of ids?.keys() ?? []) {
    const id = ids?.integer(semantic);
    if (id !== undefined) attributes.set(semantic, id);
  }
  return { view: bufferView, attributes };
}

function parseVariants(view: JsonView, counts: MeshReferences): Map<number, number> {
  const result = new Map<number, number>();
  for (const mapping of view.extension('KHR_materials_variants')?.objects('mappings') ?? []) {
    const material = mapping.index('material', counts.materials, 'material');
    if (material === undefined) continue;
    for (const variant of mapping.indices('variants', counts.variants, 'variant')) {
      result.set(variant, material);
    }
  }
  return result;
}
