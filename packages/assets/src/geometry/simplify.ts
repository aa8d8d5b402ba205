import type { MeshData, MeshLod, Submesh } from '../data/mesh-data.js';
import { findStream } from '../data/mesh-data.js';

/** The part of `meshoptimizer`'s simplifier that is needed. */
export interface MeshoptSimplifier {
  readonly ready: Promise<void>;
  simplifyWithAttributes(
    indices: Uint32Array,
    positions: Float32Array,
    stride: number,
    attributes: Float32Array,
    attributeStride: number,
    attributeWeights: number[],
    locks: Uint8Array,
    targetIndexCount: number,
    targetError: number,
    flags: readonly ('LockBorder' | 'Permissive')[],
  ): [Uint32Array, number];
  generatePositionRemap(positions: Float32Array, stride: number): Uint32Array;
  getScale(positions: Float32Array, stride: number): number;
}

/** Loads the simplifier of the `meshoptimizer` package. */
export async function loadSimplifier(): Promise<MeshoptSimplifier> {
  const { MeshoptSimplifier: simplifier } = await import('meshoptimizer/simplifier');
  await simplifier.ready;
  return simplifier as MeshoptSimplifier;
}

/** How far the surface may move, as a share of the mesh's extent. */
const MAX_ERROR = 0.1;
/** Tells the simplifier that a vertex is on a seam, which stays one. */
const ON_SEAM = 2;
/** A level that saves less than this share of the indices is not worth having. */
const MIN_SAVING = 0.1;

/**
 * Simpler versions of a mesh over the same vertices, each with about half the triangles of the one before. Fewer come
 * back where simplification stops saving anything. Lines and points stay as they are; so do seams of texture coordinates, colours and
 * weights, but not edges in the shading alone, or a mesh with flat normals would have nothing else.
 *
 * @param count - levels wanted, beside the mesh itself
 */
export function simplifyMesh(
  mesh: MeshData,
  count: number,
  simplifier: MeshoptSimplifier,
): MeshLod[] {
  const positions = findStream(mesh, 'POSITION')?.data;
  if (!(positions instanceof Float32Array) || mesh.indices.length === 0) return [];
  const scale = simplifier.getScale(positions, 3);
  const seams = findSeams(mesh, simplifier.generatePositionRemap(positions, 3));
  const lods: MeshLod[] = [];
  let before = mesh.indices.length;
  for (let level = 1; level <= count; level++) {
    const parts = mesh.submeshes.map((submesh) =>
      simplifySubmesh(mesh, submesh, positions, seams, 1 / 2 ** level, simplifier),
    );
    const total = parts.reduce((sum, part) => sum + part.indices.length, 0);
    if (total > before * (1 - MIN_SAVING)) break;
    before = total;
    const indices =
      mesh.indices instanceof Uint16Array ? new Uint16Array(total) : new Uint32Array(total);
    let firstIndex = 0;
    const ranges = parts.map((part) => {
      indices.set(part.indices, firstIndex);
      const range = { firstIndex, indexCount: part.indices.length };
      firstIndex += part.indices.length;
      return range;
    });
    const error = Math.max(...parts.map((part) => part.error)) * scale;
    lods.push({ error, indices, ranges });
  }
  return lods;
}

function simplifySubmesh(
  mesh: MeshData,
  { topology, firstIndex, indexCount }: Submesh,
  positions: Float32Array,
  seams: Uint8Array,
  share: number,
  simplifier: MeshoptSimplifier,
): { indices: ArrayLike<number>; error: number } {
  const own = mesh.indices.subarray(firstIndex, firstIndex + indexCount);
  const target = Math.floor((indexCount * share) / 3) * 3;
  if (topology !== 'triangles' || target < 3) return { indices: own, error: 0 };
  const [indices, error] = simplifier.simplifyWithAttributes(
    new Uint32Array(own),
    positions,
    3,
    new Float32Array(0),
    0,
    [],
    seams,
    target,
    MAX_ERROR,
    // Submeshes must stay joined; edges in the shading may be crossed.
    ['LockBorder', 'Permissive'],
  );
  return { indices, error };
}

/** Marks vertices that share their place with one that differs in more than its shading. */
function findSeams({ streams, vertexCount }: MeshData, firstAtPlace: Uint32Array): Uint8Array {
  const seams = new Uint8Array(vertexCount);
  for (const { semantic, data, components } of streams) {
    if (semantic === 'POSITION' || semantic === 'NORMAL' || semantic === 'TANGENT') continue;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const first = firstAtPlace[vertex] ?? vertex;
      for (let k = 0; k < components; k++) {
        if (data[vertex * components + k] === data[first * components + k]) continue;
        seams[vertex] = ON_SEAM;
        seams[first] = ON_SEAM;
      }
    }
  }
  return seams;
}
