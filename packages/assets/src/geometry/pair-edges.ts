/**
 * For each edge of a list of triangles the edge of another triangle that runs the other way between the same
 * vertices, or −1. Edge `e` starts at corner `e` and ends at the next corner of its triangle. Where more than two
 * triangles meet, they are paired in their order. O(corners).
 *
 * @param corners - vertex of each corner, three a triangle
 */
export function pairEdges(corners: Uint32Array): Int32Array {
  const count = corners.length;
  const pairs = new Int32Array(count).fill(-1);
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 1)) - 1;
  // Of each pair of vertices the edges that wait for their opposite, which all run the same way.
  const heads = new Int32Array(mask + 1).fill(-1);
  const tails = new Int32Array(mask + 1).fill(-1);
  const isTaken = new Uint8Array(mask + 1);
  const keys = new Uint32Array(2 * (mask + 1));
  const next = new Int32Array(count).fill(-1);
  for (let edge = 0; edge < count; edge++) {
    const from = corners[edge] ?? 0;
    const to = corners[nextCorner(edge)] ?? 0;
    if (from === to) continue;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    let slot = Math.imul(Math.imul(low, 0x85ebca6b) ^ high, 0x9e3779b1);
    slot = (slot ^ (slot >>> 15)) & mask;
    while (isTaken[slot] && (keys[2 * slot] !== low || keys[2 * slot + 1] !== high)) {
      slot = (slot + 1) & mask;
    }
    isTaken[slot] = 1;
    keys[2 * slot] = low;
    keys[2 * slot + 1] = high;
    const waiting = heads[slot] ?? -1;
    if (waiting === -1) {
      heads[slot] = edge;
      tails[slot] = edge;
    } else if (corners[waiting] === from) {
      next[tails[slot] ?? 0] = edge;
      tails[slot] = edge;
    } else {
      pairs[edge] = waiting;
      pairs[waiting] = edge;
      heads[slot] = next[waiting] ?? -1;
    }
  }
  return pairs;
}

/** The corner after `corner` in its triangle. */
export function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** The corner before `corner` in its triangle. */
export function previousCorner(corner: number): number {
  return corner % 3 === 0 ? corner + 2 : corner - 1;
}
