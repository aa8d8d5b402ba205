import { findStream, type MeshData } from '@ecliptic/assets';

/** How many joints the vertices of a mesh refer to; 0 where it has none. O(vertices). */
export function jointsNeeded(mesh: MeshData): number {
  let needed = 0;
  for (let set = 0; ; set++) {
    const joints = findStream(mesh, `JOINTS_${set}`);
    if (joints === undefined || findStream(mesh, `WEIGHTS_${set}`) === undefined) return needed;
    for (const joint of joints.data) needed = Math.max(needed, joint + 1);
  }
}
