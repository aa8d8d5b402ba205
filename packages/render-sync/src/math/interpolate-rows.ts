import { AFFINE_FLOATS } from './affine-rows.js';

/** A transform taken apart: a rotation, and what is left of the matrix once it is undone. */
interface Parts {
  /** Unit quaternion x, y, z, w. */
  readonly rotation: Float64Array;
  /** Upper triangle of scale and shear: xx, xy, xz, yy, yz, zz. */
  readonly stretch: Float64Array;
}

/**
 * Interpolates between two affine transforms (see {@link AFFINE_FLOATS}): the position in a straight
 * line, the rotation along the shorter arc at an even rate (slerp), scale and shear linearly. Exact
 * at both ends, to rounding. What turns by about a degree or less goes in a straight line altogether: that is off the arc by at
 * most 0.005 % of its size, and a fifth of the work.
 *
 * Works on world matrices, so it needs no hierarchy: what a parent turns moves on the chord of one
 * step's arc, which at 60 Hz and one turn a second is off the arc by 0.14 % of the radius.
 *
 * An interpolator has scratch memory of its own: make one a renderer, not one a call.
 */
export class RowsInterpolator {
  readonly #from: Parts = { rotation: new Float64Array(4), stretch: new Float64Array(6) };
  readonly #to: Parts = { rotation: new Float64Array(4), stretch: new Float64Array(6) };

  /**
   * Writes what is between two transforms.
   *
   * @param out - affine rows at `o`
   * @param previous - affine rows at `p`
   * @param current - affine rows at `c`
   * @param alpha - 0 gives `previous`, 1 gives `current`
   */
  interpolate(
    out: Float32Array,
    o: number,
    previous: Float32Array,
    p: number,
    current: Float32Array,
    c: number,
    alpha: number,
  ): void {
    if (alpha <= 0 || alpha >= 1) {
      const source = alpha <= 0 ? previous : current;
      const start = alpha <= 0 ? p : c;
      for (let i = 0; i < AFFINE_FLOATS; i++) out[o + i] = source[start + i] as number;
      return;
    }
    if (sameAxes(previous, p, current, c)) {
      for (let i = 0; i < AFFINE_FLOATS; i++) out[o + i] = previous[p + i] as number;
      mixPosition(out, o, previous, p, current, c, alpha);
      return;
    }
    if (mixNear(out, o, previous, p, current, c, alpha)) return;
    const from = this.#from;
    const to = this.#to;
    takeApart(from, previous, p);
    takeApart(to, current, c);
    slerp(from.rotation, to.rotation, alpha);
    for (let i = 0; i < 6; i++) {
      const a = from.stretch[i] as number;
      from.stretch[i] = a + ((to.stretch[i] as number) - a) * alpha;
    }
    putTogether(out, o, from);
    mixPosition(out, o, previous, p, current, c, alpha);
  }
}

/** Whether two transforms differ in their positions at most. */
function sameAxes(a: Float32Array, i: number, b: Float32Array, j: number): boolean {
  return (
    a[i] === b[j] &&
    a[i + 1] === b[j + 1] &&
    a[i + 2] === b[j + 2] &&
    a[i + 4] === b[j + 4] &&
    a[i + 5] === b[j + 5] &&
    a[i + 6] === b[j + 6] &&
    a[i + 8] === b[j + 8] &&
    a[i + 9] === b[j + 9] &&
    a[i + 10] === b[j + 10]
  );
}

function mixPosition(
  out: Float32Array,
  o: number,
  previous: Float32Array,
  p: number,
  current: Float32Array,
  c: number,
  alpha: number,
): void {
  for (let i = 3; i < AFFINE_FLOATS; i += 4) {
    const a = previous[p + i] as number;
    out[o + i] = a + ((current[c + i] as number) - a) * alpha;
  }
}

/** Square of how far an axis may move, of its length, to go in a straight line: the arc's height over the chord is an eighth of it. */
export const NEAR: number = 0.02 ** 2;

/**
 * A straight line between two transforms whose axes hardly differ.
 *
 * @returns whether they hardly do; else nothing is written
 */
function mixNear(
  out: Float32Array,
  o: number,
  previous: Float32Array,
  p: number,
  current: Float32Array,
  c: number,
  alpha: number,
): boolean {
  const ax = previous[p] as number;
  const bx = previous[p + 1] as number;
  const cx = previous[p + 2] as number;
  const ay = previous[p + 4] as number;
  const by = previous[p + 5] as number;
  const cy = previous[p + 6] as number;
  const az = previous[p + 8] as number;
  const bz = previous[p + 9] as number;
  const cz = previous[p + 10] as number;
  const dax = (current[c] as number) - ax;
  const dbx = (current[c + 1] as number) - bx;
  const dcx = (current[c + 2] as number) - cx;
  const day = (current[c + 4] as number) - ay;
  const dby = (current[c + 5] as number) - by;
  const dcy = (current[c + 6] as number) - cy;
  const daz = (current[c + 8] as number) - az;
  const dbz = (current[c + 9] as number) - bz;
  const dcz = (current[c + 10] as number) - cz;
  // Written so that NaN is not near.
  if (
    !(
      dax * dax + day * day + daz * daz <= NEAR * (ax * ax + ay * ay + az * az) &&
      dbx * dbx + dby * dby + dbz * dbz <= NEAR * (bx * bx + by * by + bz * bz) &&
      dcx * dcx + dcy * dcy + dcz * dcz <= NEAR * (cx * cx + cy * cy + cz * cz)
    )
  ) {
    return false;
  }
  const x = previous[p + 3] as number;
  const y = previous[p + 7] as number;
  const z = previous[p + 11] as number;
  out[o] = ax + dax * alpha;
  out[o + 1] = bx + dbx * alpha;
  out[o + 2] = cx + dcx * alpha;
  out[o + 3] = x + ((current[c + 3] as number) - x) * alpha;
  out[o + 4] = ay + day * alpha;
  out[o + 5] = by + dby * alpha;
  out[o + 6] = cy + dcy * alpha;
  out[o + 7] = y + ((current[c + 7] as number) - y) * alpha;
  out[o + 8] = az + daz * alpha;
  out[o + 9] = bz + dbz * alpha;
  out[o + 10] = cz + dcz * alpha;
  out[o + 11] = z + ((current[c + 11] as number) - z) * alpha;
  return true;
}

/** Gram–Schmidt on the three axes; a reflection stays in the last stretch, so the rotation is proper. */
function takeApart({ rotation, stretch }: Parts, m: Float32Array, i: number): void {
  const ax = m[i] as number;
  const ay = m[i + 4] as number;
  const az = m[i + 8] as number;
  const bx = m[i + 1] as number;
  const by = m[i + 5] as number;
  const bz = m[i + 9] as number;
  const cx = m[i + 2] as number;
  const cy = m[i + 6] as number;
  const cz = m[i + 10] as number;

  const xx = Math.sqrt(ax * ax + ay * ay + az * az);
  let ux = 1;
  let uy = 0;
  let uz = 0;
  if (xx > 0) {
    ux = ax / xx;
    uy = ay / xx;
    uz = az / xx;
  }
  const xy = ux * bx + uy * by + uz * bz;
  let vx = bx - xy * ux;
  let vy = by - xy * uy;
  let vz = bz - xy * uz;
  let yy = Math.sqrt(vx * vx + vy * vy + vz * vz);
  if (yy > 1e-6 * Math.abs(xy)) {
    vx /= yy;
    vy /= yy;
    vz /= yy;
  } else {
    // A flat or sheared-flat axis leaves a direction open: anything at a right angle to the first.
    yy = 0;
    const alongX = Math.abs(ux) >= 0.9;
    const length = alongX ? Math.sqrt(ux * ux + uz * uz) : Math.sqrt(uy * uy + uz * uz);
    vx = alongX ? -uz / length : 0;
    vy = alongX ? 0 : uz / length;
    vz = alongX ? ux / length : -uy / length;
  }
  const wx = uy * vz - uz * vy;
  const wy = uz * vx - ux * vz;
  const wz = ux * vy - uy * vx;
  stretch[0] = xx;
  stretch[1] = xy;
  stretch[2] = ux * cx + uy * cy + uz * cz;
  stretch[3] = yy;
  stretch[4] = vx * cx + vy * cy + vz * cz;
  stretch[5] = wx * cx + wy * cy + wz * cz;
  quaternionOfAxes(rotation, ux, uy, uz, vx, vy, vz, wx, wy, wz);
}

/** Quaternion of three orthonormal right-handed axes; divides by the largest component. */
function quaternionOfAxes(
  q: Float64Array,
  ux: number,
  uy: number,
  uz: number,
  vx: number,
  vy: number,
  vz: number,
  wx: number,
  wy: number,
  wz: number,
): void {
  const trace = ux + vy + wz;
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    q[0] = (vz - wy) / s;
    q[1] = (wx - uz) / s;
    q[2] = (uy - vx) / s;
    q[3] = s / 4;
  } else if (ux > vy && ux > wz) {
    const s = 2 * Math.sqrt(1 + ux - vy - wz);
    q[0] = s / 4;
    q[1] = (uy + vx) / s;
    q[2] = (wx + uz) / s;
    q[3] = (vz - wy) / s;
  } else if (vy > wz) {
    const s = 2 * Math.sqrt(1 + vy - ux - wz);
    q[0] = (uy + vx) / s;
    q[1] = s / 4;
    q[2] = (vz + wy) / s;
    q[3] = (wx - uz) / s;
  } else {
    const s = 2 * Math.sqrt(1 + wz - ux - vy);
    q[0] = (wx + uz) / s;
    q[1] = (vz + wy) / s;
    q[2] = s / 4;
    q[3] = (uy - vx) / s;
  }
}

/** `a = slerp(a, b, alpha)` along the shorter arc. */
function slerp(a: Float64Array, b: Float64Array, alpha: number): void {
  let cosine = 0;
  for (let i = 0; i < 4; i++) cosine += (a[i] as number) * (b[i] as number);
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  let fromA = 1 - alpha;
  let fromB = alpha;
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    fromA = Math.sin(fromA * angle) / sine;
    fromB = Math.sin(fromB * angle) / sine;
  }
  let length = 0;
  for (let i = 0; i < 4; i++) {
    const value = (a[i] as number) * fromA + (b[i] as number) * fromB * sign;
    a[i] = value;
    length += value * value;
  }
  length = Math.sqrt(length);
  for (let i = 0; i < 4; i++) a[i] = (a[i] as number) / length;
}

/** Rotation · stretch, into the nine left numbers of affine rows. */
function putTogether(out: Float32Array, o: number, { rotation, stretch }: Parts): void {
  const x = rotation[0] as number;
  const y = rotation[1] as number;
  const z = rotation[2] as number;
  const w = rotation[3] as number;
  stretchRow(out, o, stretch, 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y));
  stretchRow(
    out,
    o + 4,
    stretch,
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
  );
  stretchRow(
    out,
    o + 8,
    stretch,
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  );
}

/** One row of rotation · stretch; `u`, `v`, `t` are the rotation's row. */
function stretchRow(
  out: Float32Array,
  i: number,
  stretch: Float64Array,
  u: number,
  v: number,
  t: number,
): void {
  out[i] = u * (stretch[0] as number);
  out[i + 1] = u * (stretch[1] as number) + v * (stretch[3] as number);
  out[i + 2] = u * (stretch[2] as number) + v * (stretch[4] as number) + t * (stretch[5] as number);
}
