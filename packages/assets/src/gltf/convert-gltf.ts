import type { ImportedAsset } from '../data/imported-asset.js';
import {
  isTextureRef,
  texturesOf,
  type MaterialData,
  type MaterialValue,
  type TextureRef,
} from '../data/material-data.js';
import type { MeshData } from '../data/mesh-data.js';
import type { InstanceData } from '../data/prefab-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ImportContext } from '../importer/importer.js';
import { nameSubAssets } from '../importer/sub-asset-names.js';
import { toFloats, type AccessorSource } from './accessor-values.js';
import { buildMesh } from './build-mesh.js';
import type { JsonView } from './json-view.js';
import type { GltfSettings } from './gltf-settings.js';
import type { GltfLimits } from './limits.js';
import type { LoadedImage } from './load-images.js';
import type { GltfRoot } from './model.js';
import { parseAnimations, parseSkins } from './parse-animations.js';
import { parseMaterials } from './parse-materials.js';
import { parseCameras, parseLights, parseNodes } from './parse-nodes.js';

/**
 * Makes assets of a checked and decoded file: textures first, then what uses them, the prefab last.
 * Every sub-asset's uuid comes from its name (see `nameSubAssets`), so it survives re-import.
 */
export function convertGltf(
  root: GltfRoot,
  accessors: AccessorSource,
  images: readonly LoadedImage[],
  context: ImportContext,
  settings: GltfSettings,
  limits: GltfLimits,
  report: DiagnosticReport,
): ImportedAsset[] {
  const assets: ImportedAsset[] = [];
  const add = <Item extends { readonly name: string }>(
    kind: string,
    items: readonly (Item | undefined)[],
    content: (item: Item) => Uint8Array | string,
    make: (key: string, uuid: string, item: Item) => ImportedAsset,
  ): (string | undefined)[] => {
    const present = items.filter((item) => item !== undefined);
    const keys = nameSubAssets(
      kind,
      present.map((item) => ({ name: item.name, content: () => content(item) })),
    );
    let next = 0;
    return items.map((item) => {
      if (item === undefined) return undefined;
      const key = keys[next++] ?? kind;
      const uuid = context.subAsset(key);
      assets.push(make(key, uuid, item));
      return uuid;
    });
  };

  report.throwIfFailed();
  const textureUuids = add(
    'texture',
    images.map((image) =>
      image.kind === 'own' ? { ...image, name: image.texture.name } : undefined,
    ),
    (image) => image.file,
    (key, uuid, image) => ({ key, uuid, type: 'texture', data: image.texture, dependencies: [] }),
  );
  const imageUuid = (index: number): string | undefined => {
    const image = images[index];
    return image?.kind === 'reference' ? image.uuid : textureUuids[index];
  };
  const materials = parseMaterials(root.view, root.textures, imageUuid);
  const materialUuids = add(
    'material',
    materials,
    (material) => JSON.stringify(material),
    (key, uuid, data) => ({
      key,
      uuid,
      type: 'material',
      data,
      dependencies: texturesOf(data),
    }),
  );

  const cameras = parseCameras(root.view);
  const lights = parseLights(root.view);
  let order: readonly number[] = [];
  const skins = parseSkins(root.view, accessors, root.nodeCount, () => order);
  const nodeNames = namesByMesh(root.view);
  const meshes = root.meshes.map((definition, index) => {
    const mesh = buildMesh(definition, {
      accessors,
      limits,
      report,
      material: (material) => materialUuids[material],
      normalMapTexCoord: (material) => normalMapTexCoord(materials[material ?? -1]),
      variants: root.variants,
      settings,
    });
    if (mesh === undefined && !report.failed) {
      report.warn('assets/gltf-empty', 'The mesh has nothing to draw and is left out', {
        pointer: definition.pointer,
      });
    }
    return mesh && { ...mesh, name: mesh.name || (nodeNames.get(index) ?? '') };
  });
  report.throwIfFailed();
  const meshUuids = add('mesh', meshes, meshContent, (key, uuid, data) => ({
    key,
    uuid,
    type: 'mesh',
    data,
    dependencies: materialsOf(data),
  }));

  // Skins refer to nodes and nodes to skins: names first, joints once the order is known.
  const skinNames = skins.map((skin) => skin());
  const skinKeys = nameSubAssets(
    'skin',
    skinNames.map(({ name, inverseBindMatrices }) => ({
      name,
      content: () => bytesOf(inverseBindMatrices),
    })),
  );
  const skinUuids = skinKeys.map((key) => context.subAsset(key));
  const tree = parseNodes(root.view, {
    meshes: meshUuids,
    skins: skinUuids,
    cameras,
    lights,
    instances: (view) => readInstances(view, accessors, report),
  });
  order = tree.order;
  skins.forEach((skin, i) => {
    const uuid = skinUuids[i] ?? '';
    assets.push({ key: skinKeys[i] ?? '', uuid, type: 'skin', data: skin(), dependencies: [] });
  });
  const animations = add(
    'animation',
    parseAnimations(root.view, accessors, tree.order),
    (animation) => JSON.stringify([animation.duration, animation.channels]),
    (key, uuid, data) => ({ key, uuid, type: 'animation', data, dependencies: [] }),
  );
  report.throwIfFailed();
  // A file of materials or animations alone is a library of them.
  if (tree.nodes.length === 0 && (root.meshes.length > 0 || assets.length === 0)) {
    report.warn('assets/gltf-empty', 'The file has no nodes, so its prefab shows nothing');
  }
  assets.push({
    key: '',
    uuid: context.uuid,
    type: 'prefab',
    data: {
      name: root.view.object('asset')?.string('title') ?? '',
      nodes: tree.nodes,
      scenes: tree.scenes,
      defaultScene: tree.defaultScene,
      animations: animations.filter((uuid) => uuid !== undefined),
      variants: root.variants,
    },
    dependencies: assets
      .filter(({ type }) => type === 'mesh' || type === 'skin' || type === 'animation')
      .map(({ uuid }) => uuid),
  });
  return assets;
}

/** Name of the first node that shows each mesh. */
function namesByMesh(root: JsonView): Map<number, string> {
  const result = new Map<number, string>();
  for (const node of root.objects('nodes')) {
    const mesh = node.raw('mesh');
    const name = node.raw('name');
    if (typeof mesh === 'number' && typeof name === 'string' && !result.has(mesh)) {
      result.set(mesh, name);
    }
  }
  return result;
}

function meshContent(mesh: MeshData): Uint8Array {
  const position = mesh.streams.find((stream) => stream.semantic === 'POSITION');
  return position ? bytesOf(position.data) : new Uint8Array(0);
}

function bytesOf(array: Float32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function materialsOf(mesh: MeshData): string[] {
  const found = new Set<string>();
  for (const submesh of mesh.submeshes) {
    if (submesh.material !== undefined) found.add(submesh.material);
    for (const variant of Object.values(submesh.variants ?? {})) found.add(variant);
  }
  return [...found];
}

function normalMapTexCoord(material: MaterialData | undefined): number | undefined {
  if (!material) return undefined;
  const clearcoat = material.extensions['KHR_materials_clearcoat']?.['clearcoatNormalTexture'];
  const anisotropy = material.extensions['KHR_materials_anisotropy'];
  const texture =
    material.normalTexture ?? asTexture(clearcoat) ?? asTexture(anisotropy?.['anisotropyTexture']);
  // An anisotropic surface needs tangents without a texture, too.
  return texture?.texCoord ?? (anisotropy ? 0 : undefined);
}

function asTexture(value: MaterialValue | undefined): TextureRef | undefined {
  return typeof value === 'object' && isTextureRef(value) ? value : undefined;
}

function readInstances(
  view: JsonView,
  accessors: AccessorSource,
  report: DiagnosticReport,
): InstanceData | undefined {
  const attributes = view.object('attributes');
  const read = (semantic: string, type: string): Float32Array | undefined => {
    const index = attributes?.integer(semantic);
    const pointer = attributes?.at(semantic) ?? view.pointer;
    const accessor = accessors.typed(index, pointer, [type]);
    return accessor && toFloats(accessor);
  };
  const translations = read('TRANSLATION', 'VEC3');
  const rotations = read('ROTATION', 'VEC4');
  const scales = read('SCALE', 'VEC3');
  const counts = new Set(
    [
      translations && translations.length / 3,
      rotations && rotations.length / 4,
      scales && scales.length / 3,
    ].filter((count) => count !== undefined),
  );
  const [count] = counts;
  if (count === undefined) return undefined;
  if (counts.size > 1) {
    report.error('assets/gltf-attribute-count', 'Instance attributes have different counts', {
      pointer: view.pointer,
    });
    return undefined;
  }
  return {
    count,
    ...(translations ? { translations } : {}),
    ...(rotations ? { rotations } : {}),
    ...(scales ? { scales } : {}),
  };
}
