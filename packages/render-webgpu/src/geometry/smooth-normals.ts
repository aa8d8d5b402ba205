import type { MeshData } from '@ecliptic/assets';

/** Writes normals, weighted by area, at offset 3 of interleaved vertices with positions at 0; 0, 1, 0 where there is no area. */
export function smoothNormals(vertices: Float32Array, stride: number, mesh: MeshData): void {
  const at = (vertex: number, offset: number): number => vertices[vertex * stride + offset] ?? 0;
  const add = (vertex: number, c: number, value: number): void => {
    vertices[vertex * stride + 3 + c] = at(vertex, 3 + c) + value;
  };
  for (const { topology, firstIndex, indexCount } of mesh.submeshes) {
    if (topology !== 'triangles') continue;
    for (let i = firstIndex; i < firstIndex + indexCount; i += 3) {
      const corners = [
        mesh.indices[i] ?? 0,
        mesh.indices[i + 1] ?? 0,
        mesh.indices[i + 2] ?? 0,
      ] as const;
      const [a, b, c] = corners;
      const u = [at(b, 0) - at(a, 0), at(b, 1) - at(a, 1), at(b, 2) - at(a, 2)] as const;
      const v = [at(c, 0) - at(a, 0), at(c, 1) - at(a, 1), at(c, 2) - at(a, 2)] as const;
      for (const corner of corners) {
        add(corner, 0, u[1] * v[2] - u[2] * v[1]);
        add(corner, 1, u[2] * v[0] - u[0] * v[2]);
        add(corner, 2, u[0] * v[1] - u[1] * v[0]);
      }
    }
  }
  for (let vertex = 0; vertex < mesh.vertexCount; vertex++) {
    const length = Math.hypot(at(vertex, 3), at(vertex, 4), at(vertex, 5));
    if (length === 0) {
      vertices[vertex * stride + 4] = 1;
      continue;
    }
    for (let c = 0; c < 3; c++) vertices[vertex * stride + 3 + c] = at(vertex, 3 + c) / length;
  }
}
