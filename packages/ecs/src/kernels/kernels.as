// AssemblyScript source of kernel-bytes.ts: `pnpm --filter @ecliptic/ecs run build:kernels` after a change. The
// functions work on an imported memory, hold no data of their own, and trust their arguments: column-kernels.ts
// checks them. The JavaScript twins are in javascript-kernels.ts.

/** a[i] += b[i] * k */
export function addScaled(a: usize, b: usize, k: f32, count: i32): void {
  const factor = f32x4.splat(k);
  let i = 0;
  for (; i <= count - 8; i += 8) {
    v128.store(a, f32x4.add(v128.load(a), f32x4.mul(v128.load(b), factor)));
    v128.store(a, f32x4.add(v128.load(a, 16), f32x4.mul(v128.load(b, 16), factor)), 16);
    a += 32;
    b += 32;
  }
  for (; i < count; i++) {
    store<f32>(a, load<f32>(a) + load<f32>(b) * k);
    a += 4;
    b += 4;
  }
}

/** out[i] = from[i] * (1 - alpha) + to[i] * alpha */
export function interpolate(from: usize, to: usize, out: usize, alpha: f32, count: i32): void {
  const rest: f32 = 1 - alpha;
  const alphas = f32x4.splat(alpha);
  const rests = f32x4.splat(rest);
  let i = 0;
  for (; i <= count - 4; i += 4) {
    v128.store(out, f32x4.add(f32x4.mul(v128.load(from), rests), f32x4.mul(v128.load(to), alphas)));
    from += 16;
    to += 16;
    out += 16;
  }
  for (; i < count; i++) {
    store<f32>(out, load<f32>(from) * rest + load<f32>(to) * alpha);
    from += 4;
    to += 4;
    out += 4;
  }
}

// sin(t·θ)/sin(θ) is a series in cos(θ) - 1 and t²; twelve terms, the last one scaled to spread the rest of the
// series over the interval, are right to 1e-6 for angles up to a right angle.
// @ts-ignore: decorator
@inline
const LAST: f32 = 1.9011074535173003;

// @ts-ignore: decorator
@inline
function term(sum: v128, tt: v128, y: v128, u: f32, v: f32): v128 {
  const factor = f32x4.sub(f32x4.mul(tt, f32x4.splat(u)), f32x4.splat(v));
  return f32x4.add(f32x4.splat(1), f32x4.mul(f32x4.mul(factor, y), sum));
}

/** sin(t·θ)/sin(θ) for four angles, y = cos(θ) - 1. */
function weights(t: f32, y: v128): v128 {
  const tt = f32x4.splat(t * t);
  let sum = f32x4.splat(1);
  sum = term(sum, tt, y, LAST / 300, (LAST * 12) / 25);
  sum = term(sum, tt, y, 1.0 / 253, 11.0 / 23);
  sum = term(sum, tt, y, 1.0 / 210, 10.0 / 21);
  sum = term(sum, tt, y, 1.0 / 171, 9.0 / 19);
  sum = term(sum, tt, y, 1.0 / 136, 8.0 / 17);
  sum = term(sum, tt, y, 1.0 / 105, 7.0 / 15);
  sum = term(sum, tt, y, 1.0 / 78, 6.0 / 13);
  sum = term(sum, tt, y, 1.0 / 55, 5.0 / 11);
  sum = term(sum, tt, y, 1.0 / 36, 4.0 / 9);
  sum = term(sum, tt, y, 1.0 / 21, 3.0 / 7);
  sum = term(sum, tt, y, 1.0 / 10, 2.0 / 5);
  sum = term(sum, tt, y, 1.0 / 3, 1.0 / 3);
  return f32x4.mul(f32x4.splat(t), sum);
}

// @ts-ignore: decorator
@inline
function blend(a: v128, b: v128, ca: v128, cb: v128): v128 {
  return f32x4.add(f32x4.mul(a, ca), f32x4.mul(b, cb));
}

/** Four quaternions at a time; of the last group only `rows` are stored, and no more are read. */
function rotateFour(from: usize, to: usize, out: usize, alpha: f32, rows: i32): void {
  const zero = f32x4.splat(0);
  const a0 = v128.load(from);
  const b0 = v128.load(to);
  const a1 = rows > 1 ? v128.load(from, 16) : zero;
  const b1 = rows > 1 ? v128.load(to, 16) : zero;
  const a2 = rows > 2 ? v128.load(from, 32) : zero;
  const b2 = rows > 2 ? v128.load(to, 32) : zero;
  const a3 = rows > 3 ? v128.load(from, 48) : zero;
  const b3 = rows > 3 ? v128.load(to, 48) : zero;
  const m0 = f32x4.mul(a0, b0);
  const m1 = f32x4.mul(a1, b1);
  const m2 = f32x4.mul(a2, b2);
  const m3 = f32x4.mul(a3, b3);
  const s01 = f32x4.add(v128.shuffle<f32>(m0, m1, 0, 4, 1, 5), v128.shuffle<f32>(m0, m1, 2, 6, 3, 7));
  const s23 = f32x4.add(v128.shuffle<f32>(m2, m3, 0, 4, 1, 5), v128.shuffle<f32>(m2, m3, 2, 6, 3, 7));
  const dot = f32x4.add(v128.shuffle<f32>(s01, s23, 0, 1, 4, 5), v128.shuffle<f32>(s01, s23, 2, 3, 6, 7));
  // q and -q are one rotation: take the nearer of the two. -0 is no less than 0: as in the twin.
  const sign = v128.and(f32x4.lt(dot, zero), i32x4.splat(0x80000000));
  const y = f32x4.sub(f32x4.min(f32x4.abs(dot), f32x4.splat(1)), f32x4.splat(1));
  const ca = weights(1 - alpha, y);
  const cb = v128.xor(weights(alpha, y), sign);
  v128.store(out, blend(a0, b0, v128.shuffle<f32>(ca, ca, 0, 0, 0, 0), v128.shuffle<f32>(cb, cb, 0, 0, 0, 0)));
  if (rows < 2) return;
  v128.store(out, blend(a1, b1, v128.shuffle<f32>(ca, ca, 1, 1, 1, 1), v128.shuffle<f32>(cb, cb, 1, 1, 1, 1)), 16);
  if (rows < 3) return;
  v128.store(out, blend(a2, b2, v128.shuffle<f32>(ca, ca, 2, 2, 2, 2), v128.shuffle<f32>(cb, cb, 2, 2, 2, 2)), 32);
  if (rows < 4) return;
  v128.store(out, blend(a3, b3, v128.shuffle<f32>(ca, ca, 3, 3, 3, 3), v128.shuffle<f32>(cb, cb, 3, 3, 3, 3)), 48);
}

/** out = slerp(from, to, alpha), along the shorter arc, for rows of x, y, z, w */
export function interpolateRotations(from: usize, to: usize, out: usize, alpha: f32, rows: i32): void {
  for (let row = 0; row < rows; row += 4) {
    rotateFour(from, to, out, alpha, rows - row);
    from += 64;
    to += 64;
    out += 64;
  }
}
