import type { MeshData, StreamArray, Submesh, VertexStream } from '../data/mesh-data.js';
import { weldVertices } from './weld-vertices.js';

/**
 * Makes one vertex of those of a mesh that are alike in every stream and morph target, as of the corners of its triangles.
 * What is drawn stays the same; the first of them stays, in its order. Submeshes keep vertices of their own where they had.
 * O(vertices × values of one).
 *
 * @param mesh - without levels of detail
 */
export function weldMesh(mesh: MeshData): MeshData {
  const { vertexCount, submeshes } = mesh;
  const starts = new Set(submeshes.map(({ firstVertex }) => firstVertex));
  const streams = [...mesh.streams, ...mesh.morphTargets.flatMap((target) => target.streams)];
  const first = weldVertices(
    [{ data: countStarts(starts, vertexCount), components: 1 }, ...streams.map(asFloats)],
    vertexCount,
  );
  const kept = first.filter((same, vertex) => same === vertex);
  if (kept.length === vertexCount) return mesh;
  /** Where the vertices are now; one behind the last, too, as the end of a range. */
  const places = new Uint32Array(vertexCount + 1);
  let place = 0;
  first.forEach((same, vertex) => {
    places[vertex] = same === vertex ? place++ : place;
  });
  places[vertexCount] = place;
  const indices =
    kept.length > 0xffff
      ? new Uint32Array(mesh.indices.length)
      : new Uint16Array(mesh.indices.length);
  mesh.indices.forEach((vertex, i) => {
    indices[i] = places[first[vertex] ?? 0] ?? 0;
  });
  const gather = (stream: VertexStream): VertexStream => ({
    ...stream,
    data: gathered(stream, kept),
  });
  return {
    ...mesh,
    vertexCount: kept.length,
    streams: mesh.streams.map(gather),
    indices,
    submeshes: submeshes.map((submesh) => moved(submesh, places)),
    morphTargets: mesh.morphTargets.map((target) => ({
      ...target,
      streams: target.streams.map(gather),
    })),
  };
}

/** For each vertex how many of `starts` are at or before it: another number, another range of vertices. */
function countStarts(starts: ReadonlySet<number>, vertexCount: number): Float32Array {
  const counts = new Float32Array(vertexCount);
  let count = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (starts.has(vertex)) count++;
    counts[vertex] = count;
  }
  return counts;
}

function asFloats({ data, components }: VertexStream): {
  readonly data: Float32Array;
  readonly components: number;
} {
  return { data: data instanceof Float32Array ? data : Float32Array.from(data), components };
}

function gathered({ data, components }: VertexStream, kept: Uint32Array): StreamArray {
  const length = kept.length * components;
  const result = data instanceof Float32Array ? new Float32Array(length) : new Uint16Array(length);
  let at = 0;
  for (const vertex of kept) {
    for (let k = 0; k < components; k++) result[at++] = data[vertex * components + k] ?? 0;
  }
  return result;
}

function moved(submesh: Submesh, places: Uint32Array): Submesh {
  const firstVertex = places[submesh.firstVertex] ?? 0;
  const end = places[submesh.firstVertex + submesh.vertexCount] ?? 0;
  return { ...submesh, firstVertex, vertexCount: end - firstVertex };
}
