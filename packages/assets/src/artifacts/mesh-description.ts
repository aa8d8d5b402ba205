import type { Bounds, MeshData, StreamArray, VertexStream } from '../data/mesh-data.js';
import {
  ARRAY_KINDS,
  kindOf,
  type BlockArray,
  type Blocks,
  type BlockWriter,
} from './block-arrays.js';

/*
 * The description of a mesh as lists without names, which are parsed and read in a third of the time that objects take.
 * `docs/assets.md` writes it down.
 */

/** Number of its block, times the number of kinds, plus that of its kind. */
type ArrayItem = number;
type BoundsItem = readonly [number, number, number, number, number, number];
type StreamItem = readonly [semantic: string, components: number, data: ArrayItem];
type SubmeshItem = readonly [
  topology: MeshData['submeshes'][number]['topology'],
  firstIndex: number,
  indexCount: number,
  firstVertex: number,
  vertexCount: number,
  bounds: BoundsItem,
  material: string | null,
  variants: Readonly<Record<string, string>> | null,
];
type TargetItem = readonly [name: string, streams: readonly StreamItem[]];
type LodItem = readonly [
  error: number,
  indices: ArrayItem,
  ranges: readonly (readonly [firstIndex: number, indexCount: number])[],
];
export type MeshDescription = readonly [
  name: string,
  vertexCount: number,
  streams: readonly StreamItem[],
  indices: ArrayItem,
  submeshes: readonly SubmeshItem[],
  bounds: BoundsItem,
  targets: readonly TargetItem[],
  weights: readonly number[],
  lods: readonly LodItem[] | null,
];

/** Describes a mesh. @param blocks - takes its arrays */
export function writeMesh(mesh: MeshData, blocks: BlockWriter): MeshDescription {
  const array = (values: BlockArray): ArrayItem => {
    const kind = kindOf(values);
    return blocks.add(values) * ARRAY_KINDS.length + ARRAY_KINDS.findIndex((name) => name === kind);
  };
  const streams = (all: readonly VertexStream[]): StreamItem[] =>
    all.map(({ semantic, components, data }) => [semantic, components, array(data)]);
  return [
    mesh.name,
    mesh.vertexCount,
    streams(mesh.streams),
    array(mesh.indices),
    mesh.submeshes.map((submesh): SubmeshItem => [
      submesh.topology,
      submesh.firstIndex,
      submesh.indexCount,
      submesh.firstVertex,
      submesh.vertexCount,
      writeBounds(submesh.bounds),
      submesh.material ?? null,
      submesh.variants ?? null,
    ]),
    writeBounds(mesh.bounds),
    mesh.morphTargets.map((target): TargetItem => [target.name, streams(target.streams)]),
    mesh.morphWeights,
    mesh.lods?.map(({ error, indices, ranges }): LodItem => [
      error,
      array(indices),
      ranges.map(({ firstIndex, indexCount }) => [firstIndex, indexCount]),
    ]) ?? null,
  ];
}

/** Undoes {@link writeMesh}; arrays are views of `blocks`. @throws anything for what is no such description */
export function readMesh(description: MeshDescription, blocks: Blocks): MeshData {
  const lods = description[8];
  const mesh: MeshData = {
    name: description[0],
    vertexCount: description[1],
    streams: readStreams(description[2], blocks),
    indices: readArray(description[3], blocks) as MeshData['indices'],
    submeshes: description[4].map((item) => {
      const submesh = {
        topology: item[0],
        firstIndex: item[1],
        indexCount: item[2],
        firstVertex: item[3],
        vertexCount: item[4],
        material: item[6] ?? undefined,
        bounds: readBounds(item[5]),
      };
      return item[7] === null ? submesh : { ...submesh, variants: item[7] };
    }),
    bounds: readBounds(description[5]),
    morphTargets: description[6].map((item) => ({
      name: item[0],
      streams: readStreams(item[1], blocks),
    })),
    morphWeights: description[7],
  };
  if (lods === null) return mesh;
  return {
    ...mesh,
    lods: lods.map((item) => ({
      error: item[0],
      indices: readArray(item[1], blocks) as MeshData['indices'],
      ranges: item[2].map((range) => ({ firstIndex: range[0], indexCount: range[1] })),
    })),
  };
}

function readStreams(items: readonly StreamItem[], blocks: Blocks): VertexStream[] {
  return items.map((item) => ({
    semantic: item[0],
    components: item[1],
    data: readArray(item[2], blocks) as StreamArray,
  }));
}

function readArray(item: ArrayItem, blocks: Blocks): BlockArray {
  const kinds = ARRAY_KINDS.length;
  return blocks.view(ARRAY_KINDS[item % kinds] ?? '', Math.floor(item / kinds));
}

function writeBounds({ min, max }: Bounds): BoundsItem {
  return [min[0], min[1], min[2], max[0], max[1], max[2]];
}

function readBounds(item: BoundsItem): Bounds {
  return { min: [item[0], item[1], item[2]], max: [item[3], item[4], item[5]] };
}
