/** Axis-aligned box, all finite; for no vertices both corners are the origin. */
export interface Bounds {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** What the indices of a submesh make. Strips, fans and loops are turned into these by importers. */
export type Topology = 'points' | 'lines' | 'triangles';

/** Array of a vertex stream: floats, except for joint indices. */
export type StreamArray = Float32Array | Uint16Array;

/** One tightly packed vertex attribute of all vertices of a mesh. */
export interface VertexStream {
  /** `POSITION`, `NORMAL`, `TANGENT`, `TEXCOORD_0`…, `COLOR_0`…, `JOINTS_0`…, `WEIGHTS_0`…, or `_CUSTOM`. */
  readonly semantic: string;
  /** Values a vertex: 1 to 4 (16 for custom matrices). */
  readonly components: number;
  /** `vertexCount × components` values; `Uint16Array` for `JOINTS_n`, floats otherwise. All finite. */
  readonly data: StreamArray;
}

/** A range of a mesh that is drawn with one material. */
export interface Submesh {
  readonly topology: Topology;
  /** Into the mesh's `indices`. */
  readonly firstIndex: number;
  readonly indexCount: number;
  /** The vertices that its indices are within; submeshes may share them. */
  readonly firstVertex: number;
  readonly vertexCount: number;
  /** Uuid of its material, or `undefined` for the default one. */
  readonly material: string | undefined;
  readonly bounds: Bounds;
  /** Materials by variant name (`KHR_materials_variants`), uuids. */
  readonly variants?: Readonly<Record<string, string>>;
}

/** Offsets that are added to a mesh's streams, times the target's weight. */
export interface MorphTarget {
  readonly name: string;
  /** `POSITION`, `NORMAL`, `TANGENT` with 3 components each; others as their stream. */
  readonly streams: readonly VertexStream[];
}

/** A simpler version of a mesh over the same vertices. */
export interface MeshLod {
  /** How far its surface may be from the mesh's, in the mesh's units. */
  readonly error: number;
  /** Of the same type as the mesh's. */
  readonly indices: Uint16Array | Uint32Array;
  /** What each submesh draws, in their order. */
  readonly ranges: readonly { readonly firstIndex: number; readonly indexCount: number }[];
}

/**
 * A mesh ready for upload: attribute streams over all vertices, one index buffer, and the ranges to
 * draw. Indices are absolute (no base vertex) and each is below `vertexCount`.
 */
export interface MeshData {
  readonly name: string;
  readonly vertexCount: number;
  readonly streams: readonly VertexStream[];
  /** `Uint16Array` when every index fits, else `Uint32Array`. */
  readonly indices: Uint16Array | Uint32Array;
  readonly submeshes: readonly Submesh[];
  readonly bounds: Bounds;
  readonly morphTargets: readonly MorphTarget[];
  /** Default weight of each morph target. */
  readonly morphWeights: readonly number[];
  /** From the finest to the coarsest; there only where the import was asked for them. */
  readonly lods?: readonly MeshLod[];
}

/** The stream of `semantic`, or `undefined`. O(streams). */
export function findStream(mesh: MeshData, semantic: string): VertexStream | undefined {
  return mesh.streams.find((stream) => stream.semantic === semantic);
}

/** Triangles of a mesh, over all submeshes. */
export function triangleCount(mesh: MeshData): number {
  let count = 0;
  for (const submesh of mesh.submeshes) {
    if (submesh.topology === 'triangles') count += submesh.indexCount / 3;
  }
  return count;
}
