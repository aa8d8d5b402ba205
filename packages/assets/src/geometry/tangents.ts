/**
 * Tangents from texture coordinates: along +U, orthogonal to the normal, with the bitangent's sign in
 * `w`. Per-vertex means over indexed triangles; where the coordinates give no direction, any that is
 * orthogonal. Not MikkTSpace: bakes that depend on it bring their own tangents.
 *
 * @param positions - 3 floats a vertex
 * @param normals - 3 floats a vertex, unit length
 * @param uvs - 2 floats a vertex
 * @returns 4 floats a vertex, always finite
 */
export function computeTangents(
  positions: Float32Array,
  normals: Float32Array,
  uvs: Float32Array,
  indices: Uint32Array,
): Float32Array {
  const vertices = positions.length / 3;
  const along = new Float64Array(vertices * 3);
  const across = new Float64Array(vertices * 3);
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const corners = [indices[i] ?? 0, indices[i + 1] ?? 0, indices[i + 2] ?? 0] as const;
    const [a, b, c] = corners;
    const du1 = (uvs[b * 2] ?? 0) - (uvs[a * 2] ?? 0);
    const dv1 = (uvs[b * 2 + 1] ?? 0) - (uvs[a * 2 + 1] ?? 0);
    const du2 = (uvs[c * 2] ?? 0) - (uvs[a * 2] ?? 0);
    const dv2 = (uvs[c * 2 + 1] ?? 0) - (uvs[a * 2 + 1] ?? 0);
    const area = du1 * dv2 - du2 * dv1;
    if (area === 0 || !Number.isFinite(1 / area)) continue;
    for (let k = 0; k < 3; k++) {
      const origin = positions[a * 3 + k] ?? 0;
      const e1 = (positions[b * 3 + k] ?? 0) - origin;
      const e2 = (positions[c * 3 + k] ?? 0) - origin;
      const t = (e1 * dv2 - e2 * dv1) / area;
      const s = (e2 * du1 - e1 * du2) / area;
      for (const corner of corners) {
        along[corner * 3 + k] = (along[corner * 3 + k] ?? 0) + t;
        across[corner * 3 + k] = (across[corner * 3 + k] ?? 0) + s;
      }
    }
  }
  const tangents = new Float32Array(vertices * 4);
  for (let v = 0; v < vertices; v++) orthogonalize(v, normals, along, across, tangents);
  return tangents;
}

function orthogonalize(
  vertex: number,
  normals: Float32Array,
  along: Float64Array,
  across: Float64Array,
  tangents: Float32Array,
): void {
  const at = vertex * 3;
  const nx = normals[at] ?? 0;
  const ny = normals[at + 1] ?? 0;
  const nz = normals[at + 2] ?? 0;
  let x = along[at] ?? 0;
  let y = along[at + 1] ?? 0;
  let z = along[at + 2] ?? 0;
  const shared = x * nx + y * ny + z * nz;
  x -= shared * nx;
  y -= shared * ny;
  z -= shared * nz;
  let length = Math.hypot(x, y, z);
  if (!(length > 1e-20) || !Number.isFinite(length)) {
    // Any direction in the surface: the normal crossed with the axis that it is furthest from.
    [x, y, z] = Math.abs(nx) < 0.9 ? [0, nz, -ny] : [-nz, 0, nx];
    length = Math.hypot(x, y, z) || 1;
  }
  x /= length;
  y /= length;
  z /= length;
  const bx = ny * z - nz * y;
  const by = nz * x - nx * z;
  const bz = nx * y - ny * x;
  const side = bx * (across[at] ?? 0) + by * (across[at + 1] ?? 0) + bz * (across[at + 2] ?? 0);
  tangents.set([x, y, z, side < 0 ? -1 : 1], vertex * 4);
}
