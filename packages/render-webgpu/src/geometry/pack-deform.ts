import { findStream, type MeshData } from '@ecliptic/assets';

/** Numbers that a morph target adds to a vertex: position, normal, tangent. */
const DELTA_FLOATS = 9;
const DELTAS = [
  ['POSITION', 0],
  ['NORMAL', 3],
  ['TANGENT', 6],
] as const;

/** What bends a mesh, as the deform shader reads it. */
export interface PackedDeform {
  /** Interleaved vertices without any morph target. */
  readonly rest: Float32Array<ArrayBuffer>;
  /** Joints that a vertex follows at most; 0 without a skin. */
  readonly influenceCount: number;
  /** Joint and weight of each influence, vertex after vertex; the weights of a vertex add up to 1. */
  readonly influences: Float32Array<ArrayBuffer>;
  readonly targetCount: number;
  /** Of each target, vertex after vertex. */
  readonly deltas: Float32Array<ArrayBuffer>;
  /** How far each target moves a vertex at most, at a weight of 1. */
  readonly reaches: Float64Array;
  /** Weights where nothing else is said, one a target. */
  readonly ownWeights: Float32Array;
}

/**
 * Packs skin and morph targets; `undefined` for a mesh that has neither. Morphed texture coordinates and colours are left out.
 * O(vertices · (influences + targets)).
 *
 * @param rest - interleaved vertices
 */
export function packDeform(
  mesh: MeshData,
  rest: Float32Array<ArrayBuffer>,
): PackedDeform | undefined {
  const { vertexCount, morphTargets, morphWeights } = mesh;
  const { influences, influenceCount } = packInfluences(mesh);
  const targetCount = morphTargets.length;
  if (influenceCount + targetCount === 0) return undefined;
  const deltas = new Float32Array(targetCount * vertexCount * DELTA_FLOATS);
  const reaches = new Float64Array(targetCount);
  morphTargets.forEach(({ streams }, target) => {
    const start = target * vertexCount * DELTA_FLOATS;
    for (const [semantic, offset] of DELTAS) {
      const data = streams.find((stream) => stream.semantic === semantic)?.data;
      for (let vertex = 0; data && vertex < vertexCount; vertex++) {
        const at = start + vertex * DELTA_FLOATS + offset;
        for (let c = 0; c < 3; c++) deltas[at + c] = data[vertex * 3 + c] as number;
      }
    }
    for (let at = start; at < start + vertexCount * DELTA_FLOATS; at += DELTA_FLOATS) {
      const x = deltas[at] as number;
      const y = deltas[at + 1] as number;
      const z = deltas[at + 2] as number;
      const moved = Math.sqrt(x * x + y * y + z * z);
      if (moved > (reaches[target] as number)) reaches[target] = moved;
    }
  });
  const ownWeights = Float32Array.from({ length: targetCount }, (_, i) => morphWeights[i] ?? 0);
  return { rest, influenceCount, influences, targetCount, deltas, reaches, ownWeights };
}

/** Vertices with the mesh's own weights applied: what an instance shows that nothing bends. */
export function morphedVertices(
  { rest, deltas, ownWeights }: PackedDeform,
  stride: number,
): Float32Array<ArrayBuffer> {
  if (ownWeights.every((weight) => weight === 0)) return rest;
  const vertices = rest.slice();
  const vertexCount = rest.length / stride;
  ownWeights.forEach((weight, target) => {
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const from = (target * vertexCount + vertex) * DELTA_FLOATS;
      const to = vertex * stride;
      for (let i = 0; i < DELTA_FLOATS; i++) {
        vertices[to + i] = (vertices[to + i] as number) + weight * (deltas[from + i] as number);
      }
    }
  });
  return vertices;
}

/** How far weights, from `first` on, move a vertex at most. */
export function morphReach(
  { reaches }: PackedDeform,
  weights: ArrayLike<number>,
  first: number = 0,
): number {
  let reach = 0;
  for (let i = 0; i < reaches.length; i++) {
    reach += (reaches[i] as number) * Math.abs(weights[first + i] ?? 0);
  }
  return reach;
}

function packInfluences(mesh: MeshData): Pick<PackedDeform, 'influences' | 'influenceCount'> {
  const sets: (readonly [ArrayLike<number>, ArrayLike<number>])[] = [];
  for (let set = 0; ; set++) {
    const joints = findStream(mesh, `JOINTS_${set}`);
    const weights = findStream(mesh, `WEIGHTS_${set}`);
    if (!joints || !weights) break;
    sets.push([joints.data, weights.data]);
  }
  const influenceCount = sets.length * 4;
  const influences = new Float32Array(mesh.vertexCount * influenceCount * 2);
  for (let vertex = 0; vertex < mesh.vertexCount; vertex++) {
    const at = vertex * influenceCount * 2;
    let sum = 0;
    sets.forEach(([joints, weights], set) => {
      for (let i = 0; i < 4; i++) {
        const weight = Math.max(0, weights[vertex * 4 + i] ?? 0);
        influences[at + (set * 4 + i) * 2] = joints[vertex * 4 + i] ?? 0;
        influences[at + (set * 4 + i) * 2 + 1] = weight;
        sum += weight;
      }
    });
    // One that follows nothing would be drawn at the origin.
    if (sum === 0) influences[at + 1] = sum = 1;
    for (let i = 1; i < influenceCount * 2; i += 2)
      influences[at + i] = (influences[at + i] as number) / sum;
  }
  return { influences, influenceCount };
}
