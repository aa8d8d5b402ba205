import { LOCAL_FLOATS, MAX_MAGNITUDE } from './pose-kernel.js';

/**
 * The world matrix of a node: translation · rotation · scale, then the parent's matrix from the left, all in local variables: no
 * intermediate matrix in memory. Arithmetic in 64 bits, stored in 32. One that isn't finite is not stored.
 *
 * @param parent - node, negative for none
 * @returns whether it is finite
 */
export function computeWorld(
  node: number,
  parent: number,
  local: Float32Array,
  world: Float32Array,
): boolean {
  const p = node * LOCAL_FLOATS;
  const o = node * 16;
  const x = local[p + 4] as number;
  const y = local[p + 5] as number;
  const z = local[p + 6] as number;
  const w = local[p + 7] as number;
  const sx = local[p + 8] as number;
  const sy = local[p + 9] as number;
  const sz = local[p + 10] as number;
  const x2 = x + x;
  const y2 = y + y;
  const z2 = z + z;
  const xx = x * x2;
  const xy = x * y2;
  const xz = x * z2;
  const yy = y * y2;
  const yz = y * z2;
  const zz = z * z2;
  const wx = w * x2;
  const wy = w * y2;
  const wz = w * z2;
  let ax = (1 - yy - zz) * sx;
  let ay = (xy + wz) * sx;
  let az = (xz - wy) * sx;
  let bx = (xy - wz) * sy;
  let by = (1 - xx - zz) * sy;
  let bz = (yz + wx) * sy;
  let cx = (xz + wy) * sz;
  let cy = (yz - wx) * sz;
  let cz = (1 - xx - yy) * sz;
  let tx = local[p] as number;
  let ty = local[p + 1] as number;
  let tz = local[p + 2] as number;
  const up = parent * 16;
  if (up >= 0) {
    const m0 = world[up] as number;
    const m1 = world[up + 1] as number;
    const m2 = world[up + 2] as number;
    const m4 = world[up + 4] as number;
    const m5 = world[up + 5] as number;
    const m6 = world[up + 6] as number;
    const m8 = world[up + 8] as number;
    const m9 = world[up + 9] as number;
    const m10 = world[up + 10] as number;
    let u = m0 * ax + m4 * ay + m8 * az;
    let v = m1 * ax + m5 * ay + m9 * az;
    az = m2 * ax + m6 * ay + m10 * az;
    ax = u;
    ay = v;
    u = m0 * bx + m4 * by + m8 * bz;
    v = m1 * bx + m5 * by + m9 * bz;
    bz = m2 * bx + m6 * by + m10 * bz;
    bx = u;
    by = v;
    u = m0 * cx + m4 * cy + m8 * cz;
    v = m1 * cx + m5 * cy + m9 * cz;
    cz = m2 * cx + m6 * cy + m10 * cz;
    cx = u;
    cy = v;
    u = m0 * tx + m4 * ty + m8 * tz + (world[up + 12] as number);
    v = m1 * tx + m5 * ty + m9 * tz + (world[up + 13] as number);
    tz = m2 * tx + m6 * ty + m10 * tz + (world[up + 14] as number);
    tx = u;
    ty = v;
  }
  // One sum of magnitudes finds NaN, infinities, and what overflows when it is stored in 32 bits.
  const sizeA = Math.abs(ax) + Math.abs(ay) + Math.abs(az);
  const sizeB = Math.abs(bx) + Math.abs(by) + Math.abs(bz);
  const sizeC = Math.abs(cx) + Math.abs(cy) + Math.abs(cz);
  const sizeT = Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  if (!(sizeA + sizeB + (sizeC + sizeT) < MAX_MAGNITUDE)) return false;
  world[o] = ax;
  world[o + 1] = ay;
  world[o + 2] = az;
  world[o + 4] = bx;
  world[o + 5] = by;
  world[o + 6] = bz;
  world[o + 8] = cx;
  world[o + 9] = cy;
  world[o + 10] = cz;
  world[o + 12] = tx;
  world[o + 13] = ty;
  world[o + 14] = tz;
  return true;
}
