import { smoothNormals, type MeshData, type MeshLod, type VertexStream } from '@ecliptic/assets';
import { morphedVertices, morphReach, packDeform, type PackedDeform } from './pack-deform.js';

/** Bytes of a vertex: position, normal, tangent, two texture coordinates, colour. */
export const VERTEX_BYTES = 60;
const VERTEX_FLOATS = VERTEX_BYTES / 4;
const WHITE = 0xffff_ffff;

/** How pipelines read a vertex; locations as in `MESH_WGSL`. */
export const VERTEX_LAYOUT: GPUVertexBufferLayout = {
  arrayStride: VERTEX_BYTES,
  attributes: [
    { shaderLocation: 0, offset: 0, format: 'float32x3' },
    { shaderLocation: 1, offset: 12, format: 'float32x3' },
    { shaderLocation: 2, offset: 24, format: 'float32x4' },
    { shaderLocation: 3, offset: 40, format: 'float32x2' },
    { shaderLocation: 4, offset: 48, format: 'float32x2' },
    { shaderLocation: 5, offset: 56, format: 'unorm8x4' },
  ],
};

/** Indices that show a submesh more simply. */
export interface PackedLevel {
  readonly firstIndex: number;
  readonly indexCount: number;
  /** How far off its surface may be, as a part of the mesh's radius. */
  readonly error: number;
}

/** A range of a mesh that is drawn with one material. */
interface PackedSubmesh {
  readonly topology: 'points' | 'lines' | 'triangles';
  readonly firstIndex: number;
  readonly indexCount: number;
  readonly material: string | undefined;
  /** Simpler versions, from the finest to the coarsest. */
  readonly levels: readonly PackedLevel[];
}

/** A mesh as the vertex pool holds it. */
export interface PackedMesh {
  readonly vertices: Float32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly submeshes: readonly PackedSubmesh[];
  /** Sphere around it, in its own space, with its own morph weights. */
  readonly center: readonly [number, number, number];
  readonly radius: number;
  /** Skin and morph targets, if it has any. */
  readonly deform: PackedDeform | undefined;
}

/**
 * Interleaves the streams of a mesh. Missing normals are computed; a missing tangent has a `w` of 0, for which the
 * shader derives one; other missing streams are 0, and white. O(vertices + indices).
 */
export function packMesh(mesh: MeshData): PackedMesh {
  const { vertexCount, bounds } = mesh;
  const vertices = new Float32Array(vertexCount * VERTEX_FLOATS);
  const colors = new Uint32Array(vertices.buffer);
  const stream = (semantic: string) => mesh.streams.find((found) => found.semantic === semantic);
  const copy = (found: CopiedStream | undefined, offset: number, wanted: number): void => {
    if (!found) return;
    const { data, components } = found;
    for (let v = 0; v < vertexCount; v++) {
      for (let c = 0; c < Math.min(wanted, components); c++) {
        vertices[v * VERTEX_FLOATS + offset + c] = data[v * components + c] as number;
      }
    }
  };
  const positions = stream('POSITION');
  copy(positions, 0, 3);
  copy(stream('NORMAL') ?? (positions && computedNormals(mesh, positions)), 3, 3);
  copy(stream('TANGENT'), 6, 4);
  copy(stream('TEXCOORD_0'), 10, 2);
  copy(stream('TEXCOORD_1'), 12, 2);
  const color = stream('COLOR_0');
  for (let v = 0; v < vertexCount; v++) {
    colors[v * VERTEX_FLOATS + 14] = color ? packColor(color.data, v, color.components) : WHITE;
  }
  const middle = (axis: 0 | 1 | 2): number => (bounds.min[axis] + bounds.max[axis]) / 2;
  const half = (axis: 0 | 1 | 2): number => (bounds.max[axis] - bounds.min[axis]) / 2;
  const deform = packDeform(mesh, vertices);
  const radius =
    Math.hypot(half(0), half(1), half(2)) + (deform ? morphReach(deform, deform.ownWeights) : 0);
  // Errors are those of the mesh as it was modelled: with weights of its own it is another shape.
  const isMorphed = deform?.ownWeights.some((weight) => weight !== 0) ?? false;
  return {
    vertices: deform ? morphedVertices(deform, VERTEX_FLOATS) : vertices,
    ...packIndices(mesh, isMorphed ? [] : (mesh.lods ?? []), radius),
    center: [middle(0), middle(1), middle(2)],
    radius,
    deform,
  };
}

/** Those of the mesh itself, then those of its simpler versions. */
function packIndices(
  mesh: MeshData,
  lods: readonly MeshLod[],
  radius: number,
): Pick<PackedMesh, 'indices' | 'submeshes'> {
  const all = [mesh.indices, ...lods.map((lod) => lod.indices)];
  const starts = [0];
  for (const { length } of all) starts.push((starts.at(-1) ?? 0) + length);
  const indices = new Uint32Array(starts.at(-1) ?? 0);
  all.forEach((some, i) => indices.set(some, starts[i]));
  const submeshes = mesh.submeshes.map(
    ({ topology, firstIndex, indexCount, material }, submesh) => {
      const levels = lods.flatMap(({ ranges, error }, lod): PackedLevel | [] => {
        const range = ranges[submesh];
        if (!range) return [];
        const start = (starts[lod + 1] ?? 0) + range.firstIndex;
        return { firstIndex: start, indexCount: range.indexCount, error: error / radius };
      });
      return { topology, firstIndex, indexCount, material, levels };
    },
  );
  return { indices, submeshes };
}

type CopiedStream = Pick<VertexStream, 'components' | 'data'>;

function computedNormals({ indices, submeshes }: MeshData, positions: VertexStream): CopiedStream {
  const triangles = submeshes
    .filter(({ topology }) => topology === 'triangles')
    .map(({ firstIndex, indexCount }) => indices.subarray(firstIndex, firstIndex + indexCount));
  return { components: 3, data: smoothNormals(Float32Array.from(positions.data), triangles) };
}

function packColor(data: ArrayLike<number>, vertex: number, components: number): number {
  let packed = 0;
  for (let c = 0; c < 4; c++) {
    const value = c < components ? (data[vertex * components + c] ?? 1) : 1;
    packed |= Math.round(Math.min(1, Math.max(0, value)) * 255) << (c * 8);
  }
  return packed >>> 0;
}
