import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { flatNormals, smoothNormals } from '../geometry/normals.js';
import { splitVertices } from '../geometry/split-vertices.js';
import { computeTangents } from '../geometry/tangents.js';
import type { GltfSettings } from './gltf-settings.js';
import type { GltfLimits } from './limits.js';
import type { Draw, VertexBlock } from './read-draws.js';
import type { Attribute } from './read-attributes.js';

/** What completing draws needs to know. */
export interface DrawCompletion {
  readonly limits: GltfLimits;
  readonly report: DiagnosticReport;
  readonly settings: GltfSettings;
  /** The set of texture coordinates of a material's normal map; `undefined` where it has none. */
  normalMapTexCoord(material: number | undefined): number | undefined;
}

/**
 * Generates the normals and tangents that triangles lack. Flat normals and tangents differ between triangles that share a vertex, so
 * such a draw gets vertices of its own.
 */
export function completeDraws(draws: readonly Draw[], completion: DrawCompletion): Draw[] {
  if (completion.settings.normals === 'smooth') addSmoothNormals(draws);
  return draws.map((draw) => {
    if (draw.list.topology !== 'triangles') return draw;
    const isFlat = completion.settings.normals === 'flat' && !draw.block.attributes.has('NORMAL');
    return withTangents(isFlat ? withFlatNormals(draw, completion) : draw, completion);
  });
}

function addSmoothNormals(draws: readonly Draw[]): void {
  const lists = new Map<VertexBlock, Uint32Array[]>();
  for (const { block, list } of draws) {
    if (list.topology !== 'triangles' || block.attributes.has('NORMAL')) continue;
    const known = lists.get(block);
    if (known) known.push(list.indices);
    else lists.set(block, [list.indices]);
  }
  for (const [{ attributes }, indices] of lists) {
    const positions = floatsOf(attributes, 'POSITION');
    if (!positions) continue;
    attributes.set('NORMAL', { components: 3, data: smoothNormals(positions, indices) });
  }
}

function withFlatNormals(draw: Draw, completion: DrawCompletion): Draw {
  const { block, list } = draw;
  const positions = floatsOf(block.attributes, 'POSITION');
  if (!positions) return draw;
  const split = copyVertices(draw, list.indices, completion);
  split.attributes.set('NORMAL', { components: 3, data: flatNormals(positions, list.indices) });
  const indices = Uint32Array.from({ length: list.indices.length }, (_, corner) => corner);
  return { ...draw, block: split, list: { ...list, indices } };
}

function withTangents(draw: Draw, completion: DrawCompletion): Draw {
  const { block, list, primitive } = draw;
  const { attributes } = block;
  const texCoord = completion.normalMapTexCoord(primitive.material);
  if (completion.settings.tangents === 'keep' || texCoord === undefined) return draw;
  const positions = floatsOf(attributes, 'POSITION');
  const normals = floatsOf(attributes, 'NORMAL');
  const uvs = floatsOf(attributes, `TEXCOORD_${texCoord}`);
  if (attributes.has('TANGENT') || !positions || !normals || !uvs) return draw;
  const { groupOf, tangents } = computeTangents({ positions, normals, uvs, indices: list.indices });
  const groupCount = tangents.length / 4;
  const { from, groups, indices } = splitVertices(list.indices, groupOf, groupCount, block.count);
  const split = copyVertices(draw, from, completion);
  const data = gather(tangents, 4, groups);
  split.attributes.set('TANGENT', { components: 4, data });
  return { ...draw, block: split, list: { ...list, indices } };
}

/** @param from - for each new vertex the old one */
function copyVertices(
  { block, primitive }: Draw,
  from: Uint32Array,
  { limits, report }: DrawCompletion,
): VertexBlock {
  const all = [block.attributes, ...block.targets].flatMap((attributes) => [
    ...attributes.values(),
  ]);
  const bytes = from.length * 4 * all.reduce((sum, { components }) => sum + components, 4);
  if (bytes > limits.decodedBytes) {
    report.fail(
      'assets/gltf-too-large',
      `With the normals or tangents that it lacks it takes ${bytes} bytes, more than ${limits.decodedBytes}`,
      { pointer: primitive.pointer },
    );
  }
  const copy = (attributes: ReadonlyMap<string, Attribute>): Map<string, Attribute> =>
    new Map(
      [...attributes].map(([semantic, { components, data }]) => [
        semantic,
        { components, data: gather(data, components, from) },
      ]),
    );
  return {
    count: from.length,
    attributes: copy(block.attributes),
    targets: block.targets.map(copy),
  };
}

function gather<Data extends Float32Array | Uint16Array>(
  data: Data,
  components: number,
  from: Uint32Array,
): Data {
  const result = new (data.constructor as new (length: number) => Data)(from.length * components);
  for (let i = 0; i < from.length; i++) {
    const source = (from[i] ?? 0) * components;
    for (let k = 0; k < components; k++) result[i * components + k] = data[source + k] ?? 0;
  }
  return result;
}

function floatsOf(
  attributes: ReadonlyMap<string, Attribute>,
  semantic: string,
): Float32Array | undefined {
  const data = attributes.get(semantic)?.data;
  return data instanceof Float32Array ? data : undefined;
}
