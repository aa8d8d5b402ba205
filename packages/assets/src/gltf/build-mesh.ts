import type { MeshData, MorphTarget, Submesh, VertexStream } from '../data/mesh-data.js';
import { computeBounds } from '../geometry/bounds.js';
import type { AccessorSource } from './accessor-values.js';
import { completeDraws, type DrawCompletion } from './complete-draws.js';
import type { MeshDef, PrimitiveDef } from './model.js';
import type { Attribute } from './read-attributes.js';
import { readDraws, type Draw, type VertexBlock } from './read-draws.js';

/** What building a mesh needs to know. */
export interface MeshBuilding extends DrawCompletion {
  readonly accessors: AccessorSource;
  /** Uuid of a material by its index. */
  material(index: number): string | undefined;
  readonly variants: readonly string[];
}

/** A block and its place among a mesh's vertices. */
interface PlacedBlock extends VertexBlock {
  readonly first: number;
}

/**
 * Joins the primitives of a mesh into one set of streams. Primitives that use the same accessors share
 * their vertices; a stream that some primitives lack is filled with a neutral value there.
 *
 * @returns `undefined` where nothing of the mesh can be drawn
 */
export function buildMesh(mesh: MeshDef, building: MeshBuilding): MeshData | undefined {
  const { accessors, report } = building;
  const read = readDraws(mesh, accessors, report);
  if (report.failed) return undefined;
  const draws = completeDraws(read, building);
  const placed = new Map<VertexBlock, PlacedBlock>();
  let vertexCount = 0;
  for (const { block } of draws) {
    if (placed.has(block)) continue;
    placed.set(block, { ...block, first: vertexCount });
    vertexCount += block.count;
  }
  if (vertexCount === 0) return undefined;
  const blocks = [...placed.values()];

  const streams = joinStreams(blocks, vertexCount, (block) => block.attributes, mesh, building);
  const positions = streams.find((stream) => stream.semantic === 'POSITION')?.data;
  if (!(positions instanceof Float32Array)) return undefined;
  const indices = joinIndices(draws, placed, vertexCount);
  let firstIndex = 0;
  const submeshes = draws.map(({ block, list, primitive }): Submesh => {
    const firstVertex = placed.get(block)?.first ?? 0;
    const submesh = {
      topology: list.topology,
      firstIndex,
      indexCount: list.indices.length,
      firstVertex,
      vertexCount: block.count,
      material:
        primitive.material === undefined ? undefined : building.material(primitive.material),
      bounds: computeBounds(positions, firstVertex, block.count),
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

/** Indices of all draws, one after the other; the draw's own where there is nothing to join or to shorten. */
function joinIndices(
  draws: readonly Draw[],
  placed: ReadonlyMap<VertexBlock, PlacedBlock>,
  vertexCount: number,
): Uint32Array | Uint16Array {
  const [only] = draws;
  if (only && draws.length === 1 && vertexCount > 0xffff) return only.list.indices;
  const count = draws.reduce((sum, draw) => sum + draw.list.indices.length, 0);
  const indices = vertexCount > 0xffff ? new Uint32Array(count) : new Uint16Array(count);
  let at = 0;
  for (const { block, list } of draws) {
    const first = placed.get(block)?.first ?? 0;
    for (let i = 0; i < list.indices.length; i++) indices[at++] = (list.indices[i] ?? 0) + first;
  }
  return indices;
}

function joinStreams(
  blocks: readonly PlacedBlock[],
  vertexCount: number,
  attributesOf: (block: PlacedBlock) => ReadonlyMap<string, Attribute>,
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
  block: PlacedBlock,
  attributesOf: (block: PlacedBlock) => ReadonlyMap<string, Attribute>,
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
  blocks: readonly PlacedBlock[],
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

function morphWeights(blocks: readonly PlacedBlock[], mesh: MeshDef): number[] {
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
