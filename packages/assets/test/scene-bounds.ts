import type { ImportedAsset, MeshData, NodeData, PrefabData } from '../src/index.js';
import { dataOf } from './import-file.js';

/** World-space box of the default scene at rest, without skinning and morphing. */
export function sceneBounds(assets: readonly ImportedAsset[]): { min: number[]; max: number[] } {
  const [prefab] = dataOf(assets, 'prefab') as [PrefabData];
  const meshes = new Map(assets.map((asset) => [asset.uuid, asset.data]));
  const box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const shown = new Set(prefab.scenes[prefab.defaultScene]?.roots);
  const world: ((point: readonly number[]) => readonly number[])[] = [];
  prefab.nodes.forEach((node, i) => {
    if (shown.has(node.parent)) shown.add(i);
    const parent = world[node.parent];
    world[i] = (point) => {
      const own = transform(node, point);
      return parent ? parent(own) : own;
    };
    const mesh = meshes.get(node.mesh ?? '') as MeshData | undefined;
    if (!mesh || !shown.has(i)) return;
    const positions = mesh.streams[0]?.data ?? [];
    for (let v = 0; v < positions.length; v += 3) {
      const point = world[i]?.([positions[v] ?? 0, positions[v + 1] ?? 0, positions[v + 2] ?? 0]);
      for (const axis of [0, 1, 2]) {
        box.min[axis] = Math.min(box.min[axis] ?? 0, point?.[axis] ?? 0);
        box.max[axis] = Math.max(box.max[axis] ?? 0, point?.[axis] ?? 0);
      }
    }
  });
  return box;
}

function transform(node: NodeData, [x = 0, y = 0, z = 0]: readonly number[]): readonly number[] {
  const [sx, sy, sz] = node.scale;
  const [qx, qy, qz, qw] = node.rotation;
  const [px, py, pz] = [x * sx, y * sy, z * sz];
  const tx = 2 * (qy * pz - qz * py);
  const ty = 2 * (qz * px - qx * pz);
  const tz = 2 * (qx * py - qy * px);
  return [
    px + qw * tx + (qy * tz - qz * ty) + node.translation[0],
    py + qw * ty + (qz * tx - qx * tz) + node.translation[1],
    pz + qw * tz + (qx * ty - qy * tx) + node.translation[2],
  ];
}
