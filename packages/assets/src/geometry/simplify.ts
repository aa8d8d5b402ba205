import type { MeshData, MeshLod, Submesh } from '../data/mesh-data.js';
import { findStream } from '../data/mesh-data.js';

/** The part of `meshoptimizer`'s simplifier that is needed. */
export interface MeshoptSimplifier {
  readonly ready: Promise<void>;
  simplify(
    indices: Uint32Array,
    positions: Float32Array,
    stride: number,
    targetIndexCount: number,
    targetError: number,
    flags?: readonly 'LockBorder'[],
  ): [Uint32Array, number];
  getScale(positions: Float32Array, stride: number): number;
}

/** Loads the simplifier of the `meshoptimizer` package. */
export async function loadSimplifier(): Promise<MeshoptSimplifier> {
  const { MeshoptSimplifier: simplifier } = await import('meshoptimizer/simplifier');
  await simplifier.ready;
  return simplifier as unknown as MeshoptSimplifier;
}

/** How far the surface may move, as a share of the mesh's extent. */
const MAX_ERROR = 0.1;
/** A level that saves less than this share of the indices is not worth having. */
const MIN_SAVING = 0.1;

/**
 * Simpler versions of a mesh over the same vertices, each with about half the triangles of the one before. Fewer come
 * back where simplification stops saving anything. Lines and points stay as they are.
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
  const lods: MeshLod[] = [];
  let before = mesh.indices.length;
  for (let level = 1; level <= count; level++) {
    const parts = mesh.submeshes.map((submesh) =>
      simplifySubmesh(mesh, submesh, positions, 1 / 2 ** level, simplifier),
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
  share: number,
  simplifier: MeshoptSimplifier,
): { indices: ArrayLike<number>; error: number } {
  const own = mesh.indices.subarray(firstIndex, firstIndex + indexCount);
  const target = Math.floor((indexCount * share) / 3) * 3;
  if (topology !== 'triangles' || target < 3) return { indices: own, error: 0 };
  const [indices, error] = simplifier.simplify(
    new Uint32Array(own),
    positions,
    3,
    target,
    MAX_ERROR,
    [
      // Submeshes must stay joined.
      'LockBorder',
    ],
  );
  return { indices, error };
}
