import { nextCorner, pairEdges, previousCorner } from './pair-edges.js';
import {
  dot,
  length,
  perpendicular,
  reject,
  subtract,
  unit,
  vectorAt,
  type Vector,
} from './vector.js';
import { weldVertices } from './weld-vertices.js';

/** Tangents of corners of triangles; corners of one group share theirs. */
export interface CornerTangents {
  /** Group of each corner. */
  readonly groupOf: Uint32Array;
  /** Of each group: a unit vector orthogonal to the normal, and the bitangent's sign. */
  readonly tangents: Float32Array;
}

/** Attributes of vertices and the triangles over them; all numbers finite, normals of length 1. */
export interface TangentInput {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly uvs: Float32Array;
  /** Vertex of each corner. */
  readonly indices: Uint32Array;
}

/** What a triangle says of its tangent. */
const FLIPPED = 0;
const PRESERVING = 1;
/** Its texture coordinates span nothing: it follows its neighbours. */
const UNDECIDED = 2;
/** Two of its corners are at one place: it takes no part. */
const DEGENERATE = 3;

const SMALLEST = 1.17549435e-38;

/**
 * Tangents by the rules of MikkTSpace, which is what normal maps are baked for: vertices of equal position, normal and
 * texture coordinate are one; triangles around a vertex share a tangent where they are joined by edges and their texture is not mirrored
 * between them; each counts by its angle at the vertex. The sign is glTF's: texture coordinates run downwards.
 *
 * Where texture coordinates give no direction, the tangent is any that is orthogonal to the normal. O(corners), also where
 * all triangles meet in one vertex.
 */
export function computeTangents(input: TangentInput): CornerTangents {
  const { positions, normals, uvs, indices } = input;
  const welded = weldVertices(
    [
      { data: positions, components: 3 },
      { data: normals, components: 3 },
      { data: uvs, components: 2 },
    ],
    positions.length / 3,
  );
  const corners = indices.map((vertex) => welded[vertex] ?? 0);
  const triangles = readTriangles(input, corners);
  const groups = groupCorners(corners, triangles.kinds);
  return {
    groupOf: groups.groupOf,
    tangents: averageGroups(input, corners, triangles, groups),
  };
}

interface Triangles {
  /** Unit vector along +U of each triangle, or 0. */
  readonly directions: Float64Array;
  readonly kinds: Uint8Array;
}

function readTriangles({ positions, uvs }: TangentInput, corners: Uint32Array): Triangles {
  const count = corners.length / 3;
  const directions = new Float64Array(count * 3);
  const kinds = new Uint8Array(count).fill(UNDECIDED);
  for (let triangle = 0; triangle < count; triangle++) {
    const a = corners[triangle * 3] ?? 0;
    const b = corners[triangle * 3 + 1] ?? 0;
    const c = corners[triangle * 3 + 2] ?? 0;
    if (
      isSamePlace(positions, a, b) ||
      isSamePlace(positions, b, c) ||
      isSamePlace(positions, a, c)
    ) {
      kinds[triangle] = DEGENERATE;
      continue;
    }
    const du1 = (uvs[b * 2] ?? 0) - (uvs[a * 2] ?? 0);
    const dv1 = (uvs[b * 2 + 1] ?? 0) - (uvs[a * 2 + 1] ?? 0);
    const du2 = (uvs[c * 2] ?? 0) - (uvs[a * 2] ?? 0);
    const dv2 = (uvs[c * 2 + 1] ?? 0) - (uvs[a * 2 + 1] ?? 0);
    const area = du1 * dv2 - dv1 * du2;
    const toB = subtract(vectorAt(positions, b), vectorAt(positions, a));
    const toC = subtract(vectorAt(positions, c), vectorAt(positions, a));
    const along = combine(toB, dv2, toC, -dv1);
    const across = combine(toC, du1, toB, -du2);
    const size = length(along);
    const isDecided = Math.abs(area) > SMALLEST && size > SMALLEST && length(across) > SMALLEST;
    if (!isDecided) continue;
    kinds[triangle] = area > 0 ? PRESERVING : FLIPPED;
    const scale = area > 0 ? 1 / size : -1 / size;
    directions.set(combine(along, scale, along, 0), triangle * 3);
  }
  return { directions, kinds };
}

function combine(a: Vector, byA: number, b: Vector, byB: number): Vector {
  return [a[0] * byA + b[0] * byB, a[1] * byA + b[1] * byB, a[2] * byA + b[2] * byB];
}

function isSamePlace(positions: Float32Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) if (positions[a * 3 + k] !== positions[b * 3 + k]) return false;
  return true;
}

interface Groups {
  readonly groupOf: Uint32Array;
  /** Of each group, its vertex and the kind of its triangles. */
  readonly vertices: readonly number[];
  readonly kinds: readonly number[];
}

const NONE = 0xffff_ffff;

function groupCorners(corners: Uint32Array, kinds: Uint8Array): Groups {
  const isSound = (corner: number): boolean => kinds[triangleOf(corner)] !== DEGENERATE;
  // Degenerate triangles join nothing: their edges are taken out.
  const pairs = pairEdges(corners.map((vertex, corner) => (isSound(corner) ? vertex : 0)));
  const groupOf = new Uint32Array(corners.length).fill(NONE);
  const vertices: number[] = [];
  const groupKinds: number[] = [];
  const byVertex = new Map<number, number>();
  // An undecided triangle follows the first group that reaches it.
  const followed = kinds.slice();
  const pending: number[] = [];
  for (let start = 0; start < corners.length; start++) {
    const kind = kinds[triangleOf(start)] ?? DEGENERATE;
    if (kind > PRESERVING || groupOf[start] !== NONE) continue;
    const vertex = corners[start] ?? 0;
    const group = vertices.push(vertex) - 1;
    groupKinds.push(kind);
    if (!byVertex.has(vertex)) byVertex.set(vertex, group);
    pending.push(start);
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const triangle = triangleOf(at);
      if (followed[triangle] === UNDECIDED) followed[triangle] = kind;
      if (groupOf[at] !== NONE || followed[triangle] !== kind) continue;
      groupOf[at] = group;
      // Across the edges before and after the corner lie the triangles that share it.
      const before = pairs[previousCorner(at)] ?? -1;
      const after = pairs[at] ?? -1;
      if (before !== -1) pending.push(before);
      if (after !== -1) pending.push(nextCorner(after));
    }
  }
  // The rest takes the tangent of another corner at its vertex, or one of its own.
  for (let corner = 0; corner < corners.length; corner++) {
    if (groupOf[corner] !== NONE) continue;
    const vertex = corners[corner] ?? 0;
    let group = byVertex.get(vertex);
    if (group === undefined) {
      group = vertices.push(vertex) - 1;
      groupKinds.push(FLIPPED);
      byVertex.set(vertex, group);
    }
    groupOf[corner] = group;
  }
  return { groupOf, vertices, kinds: groupKinds };
}

function triangleOf(corner: number): number {
  return Math.floor(corner / 3);
}

function averageGroups(
  { positions, normals }: TangentInput,
  corners: Uint32Array,
  { directions, kinds }: Triangles,
  groups: Groups,
): Float32Array {
  const count = groups.vertices.length;
  const sums = new Float64Array(count * 3);
  for (let corner = 0; corner < corners.length; corner++) {
    const triangle = triangleOf(corner);
    if ((kinds[triangle] ?? DEGENERATE) > PRESERVING) continue;
    const vertex = corners[corner] ?? 0;
    const normal = vectorAt(normals, vertex);
    const here = vectorAt(positions, vertex);
    const edgeTo = (other: number): Vector =>
      project(subtract(vectorAt(positions, corners[other] ?? 0), here), normal);
    const cosine = dot(edgeTo(nextCorner(corner)), edgeTo(previousCorner(corner)));
    const angle = Math.acos(Math.max(-1, Math.min(1, cosine)));
    const direction = project(vectorAt(directions, triangle), normal);
    const at = (groups.groupOf[corner] ?? 0) * 3;
    for (let k = 0; k < 3; k++) sums[at + k] = (sums[at + k] ?? 0) + angle * (direction[k] ?? 0);
  }
  const tangents = new Float32Array(count * 4);
  for (let group = 0; group < count; group++) {
    const normal = vectorAt(normals, groups.vertices[group] ?? 0);
    const tangent = unit(vectorAt(sums, group), SMALLEST) ?? perpendicular(normal);
    // MikkTSpace takes texture coordinates to run upwards.
    tangents.set([...tangent, groups.kinds[group] === PRESERVING ? -1 : 1], group * 4);
  }
  return tangents;
}

/** The direction of `a` in the surface, or 0 where it has none. */
function project(a: Vector, normal: Vector): Vector {
  return unit(reject(a, normal), SMALLEST) ?? [0, 0, 0];
}
