import type { MeshData, MorphTarget, Submesh, VertexStream } from '../data/mesh-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { computeBounds } from '../geometry/bounds.js';
import { computeNormals } from '../geometry/normals.js';
import { computeTangents } from '../geometry/tangents.js';
import { toIndexList, type IndexList } from '../geometry/triangulate.js';
import type { AccessorSource } from './accessor-values.js';
import type { GltfLimits } from './limits.js';
import type { MeshDef, PrimitiveDef } from './model.js';
import { normalizeWeights, readAttributes, type Attribute } from './read-attributes.js';
import { readIndices } from './read-indices.js';

/** What building a mesh needs to know. */
export interface MeshBuilding {
  readonly accessors: AccessorSource;
  readonly limits: GltfLimits;
  readonly report: DiagnosticReport;
  /** Uuid of a material by its index. */
  material(index: number): string | undefined;
  /** Whether a material reads tangents, as normal maps do. */
  needsTangents(material: number | undefined): boolean;
  readonly variants: readonly string[];
  readonly generateNormals: boolean;
  readonly generateTangents: boolean;
}

/** Vertices that one or more primitives draw from. */
interface VertexBlock {
  readonly first: number;
  readonly count: number;
  readonly attributes: Map<string, Attribute>;
  readonly targets: readonly Map<string, Attribute>[];
}

interface Draw {
  readonly block: VertexBlock;
  readonly list: IndexList;
  readonly primitive: PrimitiveDef;
}

/**
 * Joins the primitives of a mesh into one set of streams. Primitives that use the same accessors share
 * their vertices; a stream that some primitives lack is filled with a neutral value there.
 *
 * @returns `undefined` where nothing of the mesh can be drawn
 */
export function buildMesh(mesh: MeshDef, building: MeshBuilding): MeshData | undefined {
  const draws = readDraws(mesh, building);
  const blocks = [...new Set(draws.map((draw) => draw.block))];
  const vertexCount = blocks.reduce((sum, block) => sum + block.count, 0);
  if (vertexCount === 0 || building.report.failed) return undefined;
  for (const block of blocks) completeBlock(block, draws, building);

  const streams = joinStreams(blocks, vertexCount, (block) => block.attributes, mesh, building);
  const positions = streams.find((stream) => stream.semantic === 'POSITION')?.data;
  if (!(positions instanceof Float32Array)) return undefined;
  const indexCount = draws.reduce((sum, draw) => sum + draw.list.indices.length, 0);
  const indices = vertexCount > 0xffff ? new Uint32Array(indexCount) : new Uint16Array(indexCount);
  let firstIndex = 0;
  const submeshes = draws.map(({ block, list, primitive }): Submesh => {
    for (let i = 0; i < list.indices.length; i++) {
      indices[firstIndex + i] = (list.indices[i] ?? 0) + block.first;
    }
    const submesh = {
      topology: list.topology,
      firstIndex,
      indexCount: list.indices.length,
      firstVertex: block.first,
      vertexCount: block.count,
      material:
        primitive.material === undefined ? undefined : building.material(primitive.material),
      bounds: computeBounds(positions, block.first, block.count),
      ...variantsOf(primitive, building),
    };
    firstIndex += list.indices.length;
    return submesh;
  });
  return {
    name: mesh.name,
    vertexCount,
    streams,
    indices,
    submeshes,
    bounds: computeBounds(positions, 0, vertexCount),
    morphTargets: joinTargets(blocks, vertexCount, mesh, building),
    morphWeights: morphWeights(blocks, mesh),
  };
}

function readDraws(mesh: MeshDef, building: MeshBuilding): Draw[] {
  const { accessors, report } = building;
  const blocks = new Map<string, VertexBlock>();
  let first = 0;
  return mesh.primitives.flatMap((primitive): Draw[] => {
    const { pointer } = primitive;
    if (!primitive.attributes.has('POSITION')) {
      report.warn('assets/gltf-no-position', 'A primitive without POSITION is left out', {
        pointer: `${pointer}/attributes`,
      });
      return [];
    }
    const key = JSON.stringify([
      [...primitive.attributes],
      primitive.targets.map((target) => [...target]),
      // Draco data of equal accessors would have been decoded into them once.
      primitive.draco?.view,
    ]);
    let block = blocks.get(key);
    if (!block) {
      const place = `${pointer}/attributes`;
      const position = accessors.typed(primitive.attributes.get('POSITION'), `${place}/POSITION`, [
        'VEC3',
      ]);
      if (!position) return [];
      const count = position.count;
      block = {
        first,
        count,
        attributes: readAttributes(primitive.attributes, place, count, false, accessors, report),
        targets: primitive.targets.map((target, i) =>
          readAttributes(target, `${pointer}/targets/${i}`, count, true, accessors, report),
        ),
      };
      blocks.set(key, block);
      first += count;
    }
    const indices = readIndices(primitive, block.count, accessors, report);
    if (!indices || block.count === 0) return [];
    return [{ block, list: toIndexList(primitive.mode, indices), primitive }];
  });
}

/** Generates what is missing and makes weights add up. */
function completeBlock(block: VertexBlock, draws: readonly Draw[], building: MeshBuilding): void {
  const { attributes } = block;
  const positions = attributes.get('POSITION')?.data as Float32Array;
  const own = draws.filter((draw) => draw.block === block && draw.list.topology === 'triangles');
  const isSolid = own.length > 0;
  const triangles = (): Uint32Array =>
    own.length === 1 && own[0] ? own[0].list.indices : concat(own.map((draw) => draw.list.indices));
  if (!attributes.has('NORMAL')) {
    // Tangents without normals have no meaning.
    attributes.delete('TANGENT');
    if (isSolid && building.generateNormals) {
      attributes.set('NORMAL', { components: 3, data: computeNormals(positions, triangles()) });
    }
  }
  const normals = attributes.get('NORMAL')?.data;
  const uvs = attributes.get('TEXCOORD_0')?.data;
  const wanted = own.some((draw) => building.needsTangents(draw.primitive.material));
  if (
    wanted &&
    building.generateTangents &&
    !attributes.has('TANGENT') &&
    normals instanceof Float32Array &&
    uvs instanceof Float32Array
  ) {
    const data = computeTangents(positions, normals, uvs, triangles());
    attributes.set('TANGENT', { components: 4, data });
  }
  const weights = [...attributes]
    .filter(([semantic]) => semantic.startsWith('WEIGHTS_'))
    .map(([, attribute]) => attribute.data as Float32Array);
  const off = normalizeWeights(weights);
  if (off > 0) {
    building.report.warn('assets/gltf-weights', `Weights of ${off} vertices don't add up to 1`, {
      pointer: own[0]?.primitive.pointer ?? '',
    });
  }
}

function joinStreams(
  blocks: readonly VertexBlock[],
  vertexCount: number,
  attributesOf: (block: VertexBlock) => ReadonlyMap<string, Attribute>,
  mesh: MeshDef,
  { limits, report }: MeshBuilding,
): VertexStream[] {
  const widths = new Map<string, number>();
  for (const block of blocks) {
    for (const [semantic, attribute] of attributesOf(block)) {
      const width = widths.get(semantic) ?? attribute.components;
      widths.set(semantic, width);
      if (width === attribute.components) continue;
      report.warn(
        'assets/gltf-attribute-type',
        `${semantic} has ${width} and ${attribute.components} components in one mesh; the second is left out`,
        { pointer: mesh.pointer },
      );
    }
  }
  const bytes = [...widths.values()].reduce((sum, width) => sum + width * 4 * vertexCount, 0);
  if (bytes > limits.decodedBytes) {
    report.fail(
      'assets/gltf-too-large',
      `The mesh takes ${bytes} bytes, more than ${limits.decodedBytes}`,
      { pointer: mesh.pointer },
    );
  }
  return [...widths].sort(compareSemantics).map(([semantic, components]) => {
    const [only] = blocks;
    const whole = blocks.length === 1 && only ? attributesOf(only).get(semantic) : undefined;
    if (whole) return { semantic, components, data: whole.data };
    const length = vertexCount * components;
    const data = semantic.startsWith('JOINTS_')
      ? new Uint16Array(length)
      : new Float32Array(length);
    for (const block of blocks) {
      const attribute = attributesOf(block).get(semantic);
      if (attribute?.components === components) data.set(attribute.data, block.first * components);
      else fillNeutral(semantic, data, components, block, attributesOf);
    }
    return { semantic, components, data };
  });
}

function fillNeutral(
  semantic: string,
  data: Float32Array | Uint16Array,
  components: number,
  block: VertexBlock,
  attributesOf: (block: VertexBlock) => ReadonlyMap<string, Attribute>,
): void {
  // Targets add nothing; white colours and any unit vector change nothing that is visible.
  if (attributesOf(block) !== block.attributes) return;
  const start = block.first * components;
  const end = start + block.count * components;
  if (semantic.startsWith('COLOR_')) data.fill(1, start, end);
  else if (semantic === 'NORMAL') for (let i = start + 1; i < end; i += 3) data[i] = 1;
  else if (semantic === 'TANGENT') {
    for (let i = start; i < end; i += 4) {
      data[i] = 1;
      data[i + 3] = 1;
    }
  } else if (semantic === 'WEIGHTS_0') for (let i = start; i < end; i += 4) data[i] = 1;
}

const ORDER = ['POSITION', 'NORMAL', 'TANGENT', 'TEXCOORD', 'COLOR', 'JOINTS', 'WEIGHTS'];

function compareSemantics([a]: [string, number], [b]: [string, number]): number {
  const rank = (name: string): number => {
    const index = ORDER.indexOf(name.replace(/_\d+$/, ''));
    return index === -1 ? ORDER.length : index;
  };
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function joinTargets(
  blocks: readonly VertexBlock[],
  vertexCount: number,
  mesh: MeshDef,
  building: MeshBuilding,
): MorphTarget[] {
  const count = Math.max(...blocks.map((block) => block.targets.length));
  const none = new Map<string, Attribute>();
  return Array.from({ length: count }, (_, i) => ({
    name: mesh.targetNames[i] ?? String(i),
    streams: joinStreams(blocks, vertexCount, (block) => block.targets[i] ?? none, mesh, building),
  }));
}

function morphWeights(blocks: readonly VertexBlock[], mesh: MeshDef): number[] {
  const count = Math.max(...blocks.map((block) => block.targets.length));
  return Array.from({ length: count }, (_, i) => mesh.weights[i] ?? 0);
}

function variantsOf(
  primitive: PrimitiveDef,
  building: MeshBuilding,
): { variants?: Record<string, string> } {
  if (primitive.variants.size === 0) return {};
  const entries: [string, string][] = [];
  for (const [variant, material] of primitive.variants) {
    const name = building.variants[variant];
    const uuid = building.material(material);
    if (name !== undefined && uuid !== undefined) entries.push([name, uuid]);
  }
  return { variants: Object.fromEntries(entries) };
}

function concat(arrays: readonly Uint32Array[]): Uint32Array {
  const result = new Uint32Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    result.set(array, at);
    at += array.length;
  }
  return result;
}
