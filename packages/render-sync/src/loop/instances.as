// AssemblyScript source of instance-kernel-bytes.ts: `pnpm --filter @ecliptic/render-sync run build:kernels` after a change. Works on an
// imported memory, holds no data of its own, and trusts its arguments. In 64 bits, and every sum in the order of the JavaScript twins
// (RowsInterpolator; WorldSpheres and cullSpheres of render-webgpu): the results are the same bits.

/** Whether any of `count` instances moves. */
export function anyMoves(flags: usize, count: i32, moving: i32): i32 {
  let all = 0;
  for (let end = flags + (<usize>count << 2); flags < end; flags += 4) all |= load<i32>(flags);
  return all & moving;
}

/**
 * Affine rows between two ends, of `count` instances from `first`, and the spheres around them.
 *
 * @param flags - of the instance with dense index 0, as are the two ends; only those of these instances are read
 * @param out - by instance, from the one with index 0, as are `local` and `spheres`
 * @param farCount - how many are in `far`
 * @returns how many are in it now: more by those that turn so far that a straight line won't do, which are not written
 */
export function place(
  sources: usize,
  first: i32,
  count: i32,
  flags: usize,
  moving: i32,
  previous: usize,
  current: usize,
  alpha: f64,
  near: f64,
  out: usize,
  local: usize,
  spheres: usize,
  far: usize,
  farCount: i32,
): i32 {
  const share = f64x2.splat(alpha);
  const limit = f64x2.splat(near);
  const isBetween = alpha > 0 && alpha < 1;
  sources += <usize>first << 2;
  out += <usize>first * 48;
  local += <usize>first << 4;
  spheres += <usize>first << 4;
  for (
    let end = first + count;
    first < end;
    first++, sources += 4, out += 48, local += 16, spheres += 16
  ) {
    const dense = <usize>load<i32>(sources);
    const isMoving = (load<i32>(flags + (dense << 2)) & moving) != 0;
    const p = previous + dense * 48;
    const c = current + dense * 48;
    const from = isMoving && alpha < 1 ? p : c;
    let r0 = v128.load(from);
    let r1 = v128.load(from, 16);
    let r2 = v128.load(from, 32);
    if (isMoving && isBetween) {
      const c0 = v128.load(c);
      const c1 = v128.load(c, 16);
      const c2 = v128.load(c, 32);
      if (sameAxes(r0, r1, r2, c0, c1, c2)) {
        // Most of what moves doesn't turn.
        const at = high(v128.shuffle<f32>(r0, r1, 2, 6, 3, 7));
        const by = f64x2.sub(high(v128.shuffle<f32>(c0, c1, 2, 6, 3, 7)), at);
        const xy = f32x4.demote_f64x2_zero(f64x2.add(at, f64x2.mul(by, share)));
        const z = <f64>f32x4.extract_lane(r2, 3);
        r0 = v128.shuffle<f32>(r0, xy, 0, 1, 2, 4);
        r1 = v128.shuffle<f32>(r1, xy, 0, 1, 2, 5);
        r2 = f32x4.replace_lane(r2, 3, <f32>(z + (<f64>f32x4.extract_lane(c2, 3) - z) * alpha));
      } else {
        // Of each row the first two axes, and the third with the position.
        const x = low(r0);
        const xt = high(r0);
        const y = low(r1);
        const yt = high(r1);
        const z = low(r2);
        const zt = high(r2);
        const dx = f64x2.sub(low(c0), x);
        const dxt = f64x2.sub(high(c0), xt);
        const dy = f64x2.sub(low(c1), y);
        const dyt = f64x2.sub(high(c1), yt);
        const dz = f64x2.sub(low(c2), z);
        const dzt = f64x2.sub(high(c2), zt);
        const two = f64x2.le(squares(dx, dy, dz), f64x2.mul(limit, squares(x, y, z)));
        const third = f64x2.le(squares(dxt, dyt, dzt), f64x2.mul(limit, squares(xt, yt, zt)));
        if (!i64x2.all_true(two) || i64x2.extract_lane(third, 0) == 0) {
          store<i32>(far + (<usize>farCount << 2), first);
          farCount++;
          continue;
        }
        r0 = between(x, dx, xt, dxt, share);
        r1 = between(y, dy, yt, dyt, share);
        r2 = between(z, dz, zt, dzt, share);
      }
    }
    const isTurned = !sameAxes(r0, r1, r2, v128.load(out), v128.load(out, 16), v128.load(out, 32));
    v128.store(out, r0);
    v128.store(out, r1, 16);
    v128.store(out, r2, 32);
    moveCenter(r0, r1, r2, local, spheres);
    if (isTurned) stretchRadius(r0, r1, r2, local, spheres);
  }
  return farCount;
}

/** Whether nine numbers of affine rows are the same: all but the position. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function sameAxes(a0: v128, a1: v128, a2: v128, b0: v128, b1: v128, b2: v128): bool {
  const same = v128.and(v128.and(f32x4.eq(a0, b0), f32x4.eq(a1, b1)), f32x4.eq(a2, b2));
  return (i32x4.bitmask(same) & 7) == 7;
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function low(v: v128): v128 {
  return f64x2.promote_low_f32x4(v);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function high(v: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f64>(v, v, 1, 1));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function squares(x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y)), f64x2.mul(z, z));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function between(low: v128, dLow: v128, high: v128, dHigh: v128, share: v128): v128 {
  const a = f32x4.demote_f64x2_zero(f64x2.add(low, f64x2.mul(dLow, share)));
  const b = f32x4.demote_f64x2_zero(f64x2.add(high, f64x2.mul(dHigh, share)));
  return v128.shuffle<f64>(a, b, 0, 2);
}

/** Spheres of `count` instances, from those of their meshes. */
export function moveSpheres(rows: usize, count: i32, local: usize, out: usize): void {
  for (let i = 0; i < count; i++, rows += 48, local += 16, out += 16) {
    const r0 = v128.load(rows);
    const r1 = v128.load(rows, 16);
    const r2 = v128.load(rows, 32);
    moveCenter(r0, r1, r2, local, out);
    stretchRadius(r0, r1, r2, local, out);
  }
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function moveCenter(r0: v128, r1: v128, r2: v128, local: usize, out: usize): void {
  const x = <f64>load<f32>(local);
  const y = <f64>load<f32>(local, 4);
  const z = <f64>load<f32>(local, 8);
  const lows = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
  const highs = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
  const alongX = f64x2.mul(low(lows), f64x2.splat(x));
  const alongY = f64x2.mul(high(lows), f64x2.splat(y));
  const alongZ = f64x2.mul(low(highs), f64x2.splat(z));
  const two = f64x2.add(f64x2.add(f64x2.add(alongX, alongY), alongZ), high(highs));
  v128.store64_lane(out, f32x4.demote_f64x2_zero(two), 0);
  const g = f64x2.extract_lane(low(r2), 0);
  const h = f64x2.extract_lane(low(r2), 1);
  const k = f64x2.extract_lane(high(r2), 0);
  store<f32>(out, <f32>(g * x + h * y + k * z + f64x2.extract_lane(high(r2), 1)), 8);
}

function stretchRadius(r0: v128, r1: v128, r2: v128, local: usize, out: usize): void {
  const l0 = low(r0);
  const l1 = low(r1);
  const l2 = low(r2);
  const a = f64x2.extract_lane(l0, 0);
  const b = f64x2.extract_lane(l0, 1);
  const c = <f64>f32x4.extract_lane(r0, 2);
  const d = f64x2.extract_lane(l1, 0);
  const e = f64x2.extract_lane(l1, 1);
  const f = <f64>f32x4.extract_lane(r1, 2);
  const g = f64x2.extract_lane(l2, 0);
  const h = f64x2.extract_lane(l2, 1);
  const k = <f64>f32x4.extract_lane(r2, 2);
  const xy = f64x2.splat(abs(a * b + d * e + g * h));
  const across = f64x2.abs(
    f64x2.add(
      f64x2.add(f64x2.mul(l0, f64x2.splat(c)), f64x2.mul(l1, f64x2.splat(f))),
      f64x2.mul(l2, f64x2.splat(k)),
    ),
  );
  const both = f64x2.add(f64x2.add(squares(l0, l1, l2), xy), across);
  const stretchX = f64x2.extract_lane(both, 0);
  const stretchY = f64x2.extract_lane(both, 1);
  const xz = f64x2.extract_lane(across, 0);
  const yz = f64x2.extract_lane(across, 1);
  const stretchZ = c * c + f * f + k * k + xz + yz;
  let stretch = stretchX > stretchY ? stretchX : stretchY;
  if (!(stretchZ < stretch)) stretch = stretchZ;
  store<f32>(out, <f32>(<f64>load<f32>(local, 12) * sqrt(stretch)), 12);
}

/** Two planes' numbers at `at`. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function pair(planes: usize, first: i32, at: i32): v128 {
  const p = planes + <usize>((first * 4 + at) << 2);
  return f64x2.replace_lane(f64x2.splat(<f64>load<f32>(p)), 1, <f64>load<f32>(p, 16));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function inside(
  nx: v128,
  ny: v128,
  nz: v128,
  distance: v128,
  x: v128,
  y: v128,
  z: v128,
  reach: v128,
): v128 {
  return f64x2.ge(
    f64x2.add(
      f64x2.add(f64x2.add(f64x2.mul(nx, x), f64x2.mul(ny, y)), f64x2.mul(nz, z)),
      distance,
    ),
    reach,
  );
}

/** Which of `count` spheres touch the frustum: 1 or 0 each. @returns how many do */
export function cullSpheres(seen: usize, spheres: usize, count: i32, planes: usize): i32 {
  const ax = pair(planes, 0, 0);
  const ay = pair(planes, 0, 1);
  const az = pair(planes, 0, 2);
  const ad = pair(planes, 0, 3);
  const bx = pair(planes, 2, 0);
  const by = pair(planes, 2, 1);
  const bz = pair(planes, 2, 2);
  const bd = pair(planes, 2, 3);
  const cx = pair(planes, 4, 0);
  const cy = pair(planes, 4, 1);
  const cz = pair(planes, 4, 2);
  const cd = pair(planes, 4, 3);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const x = f64x2.splat(<f64>load<f32>(spheres));
    const y = f64x2.splat(<f64>load<f32>(spheres, 4));
    const z = f64x2.splat(<f64>load<f32>(spheres, 8));
    const reach = f64x2.splat(-(<f64>load<f32>(spheres, 12)));
    // All six, without a branch: which plane is the one that hides is anyone's guess.
    const all = i64x2.all_true(
      v128.and(
        v128.and(inside(ax, ay, az, ad, x, y, z, reach), inside(bx, by, bz, bd, x, y, z, reach)),
        inside(cx, cy, cz, cd, x, y, z, reach),
      ),
    );
    store<u8>(seen + i, <u8>all);
    total += <i32>all;
    spheres += 16;
  }
  return total;
}
