/** Vertices that are copied where corners of triangles differ. */
export interface VertexSplit {
  /** For each new vertex the old one that it is a copy of. */
  readonly from: Uint32Array;
  /** For each new vertex the group of its corners. */
  readonly groups: Uint32Array;
  /** The new vertex of each corner. */
  readonly indices: Uint32Array;
}

/**
 * Gives each pair of a vertex and a group of corners a vertex of its own; vertices without corners are left out. O(corners + vertices).
 *
 * @param indices - vertex of each corner
 * @param groupOf - group of each corner, below `groupCount`
 */
export function splitVertices(
  indices: Uint32Array,
  groupOf: Uint32Array,
  groupCount: number,
  vertexCount: number,
): VertexSplit {
  const byGroup = sortByGroup(groupOf, groupCount);
  const from: number[] = [];
  const groups: number[] = [];
  const lastGroup = new Int32Array(vertexCount).fill(-1);
  const copy = new Uint32Array(vertexCount);
  const split = new Uint32Array(indices.length);
  for (const corner of byGroup) {
    const vertex = indices[corner] ?? 0;
    const group = groupOf[corner] ?? 0;
    if (lastGroup[vertex] !== group) {
      lastGroup[vertex] = group;
      copy[vertex] = from.push(vertex) - 1;
      groups.push(group);
    }
    split[corner] = copy[vertex] ?? 0;
  }
  return { from: new Uint32Array(from), groups: new Uint32Array(groups), indices: split };
}

/** Corners by group, in their order inside each. */
function sortByGroup(groupOf: Uint32Array, groupCount: number): Uint32Array {
  const ends = new Uint32Array(groupCount + 1);
  for (const group of groupOf) ends[group + 1] = (ends[group + 1] ?? 0) + 1;
  for (let group = 1; group <= groupCount; group++) {
    ends[group] = (ends[group] ?? 0) + (ends[group - 1] ?? 0);
  }
  const sorted = new Uint32Array(groupOf.length);
  groupOf.forEach((group, corner) => {
    const at = ends[group] ?? 0;
    sorted[at] = corner;
    ends[group] = at + 1;
  });
  return sorted;
}
