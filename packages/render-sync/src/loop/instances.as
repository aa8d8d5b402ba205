// AssemblyScript source of instance-kernel-bytes.ts: `pnpm --filter @ecliptic/render-sync run build:kernels` after a change. Works on an
// imported memory, holds no data of its own, and trusts its arguments. In 64 bits, and every sum in the order of the JavaScript twins
// (RowsInterpolator; WorldSpheres and cullSpheres of render-webgpu): the results are the same bits.

/**
 * Affine rows between two ends, of `count` instances.
 *
 * @returns how many turn so far that a straight line won't do: they are in `far`, and not written
 */
export function place(
  sources: usize,
  count: i32,
  flags: usize,
  moving: i32,
  previous: usize,
  current: usize,
  alpha: f64,
  near: f64,
  out: usize,
  far: usize,
): i32 {
  const share = f64x2.splat(alpha);
  const limit = f64x2.splat(near);
  const isBetween = alpha > 0 && alpha < 1;
  let farCount = 0;
  for (let i = 0; i < count; i++) {
    const dense = load<i32>(sources + (<usize>i << 2));
    const c = current + <usize>dense * 48;
    const isMoving = (load<i32>(flags + (<usize>dense << 2)) & moving) != 0;
    if (!isMoving || !isBetween) {
      const from = isMoving && alpha <= 0 ? previous + <usize>dense * 48 : c;
      v128.store(out, v128.load(from));
      v128.store(out, v128.load(from, 16), 16);
      v128.store(out, v128.load(from, 32), 32);
      out += 48;
      continue;
    }
    const p = previous + <usize>dense * 48;
    // Of each row the first two axes, and the third with the position.
    const x = f64x2.promote_low_f32x4(v128.load64_zero(p));
    const xt = f64x2.promote_low_f32x4(v128.load64_zero(p, 8));
    const y = f64x2.promote_low_f32x4(v128.load64_zero(p, 16));
    const yt = f64x2.promote_low_f32x4(v128.load64_zero(p, 24));
    const z = f64x2.promote_low_f32x4(v128.load64_zero(p, 32));
    const zt = f64x2.promote_low_f32x4(v128.load64_zero(p, 40));
    const dx = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(c)), x);
    const dxt = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(c, 8)), xt);
    const dy = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(c, 16)), y);
    const dyt = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(c, 24)), yt);
    const dz = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(c, 32)), z);
    const dzt = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(c, 40)), zt);
    const two = f64x2.le(squares(dx, dy, dz), f64x2.mul(limit, squares(x, y, z)));
    const third = f64x2.le(squares(dxt, dyt, dzt), f64x2.mul(limit, squares(xt, yt, zt)));
    if (i64x2.all_true(two) && i64x2.extract_lane(third, 0) != 0) {
      v128.store(out, between(x, dx, xt, dxt, share));
      v128.store(out, between(y, dy, yt, dyt, share), 16);
      v128.store(out, between(z, dz, zt, dzt, share), 32);
    } else {
      store<i32>(far + (<usize>farCount << 2), i);
      farCount++;
    }
    out += 48;
  }
  return farCount;
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
  for (let i = 0; i < count; i++) {
    const x = <f64>load<f32>(local);
    const y = <f64>load<f32>(local, 4);
    const z = <f64>load<f32>(local, 8);
    const l0 = f64x2.promote_low_f32x4(v128.load64_zero(rows));
    const l1 = f64x2.promote_low_f32x4(v128.load64_zero(rows, 16));
    const l2 = f64x2.promote_low_f32x4(v128.load64_zero(rows, 32));
    const a = f64x2.extract_lane(l0, 0);
    const b = f64x2.extract_lane(l0, 1);
    const c = <f64>load<f32>(rows, 8);
    const d = f64x2.extract_lane(l1, 0);
    const e = f64x2.extract_lane(l1, 1);
    const f = <f64>load<f32>(rows, 24);
    const g = f64x2.extract_lane(l2, 0);
    const h = f64x2.extract_lane(l2, 1);
    const k = <f64>load<f32>(rows, 40);
    store<f32>(out, <f32>(a * x + b * y + c * z + <f64>load<f32>(rows, 12)));
    store<f32>(out, <f32>(d * x + e * y + f * z + <f64>load<f32>(rows, 28)), 4);
    store<f32>(out, <f32>(g * x + h * y + k * z + <f64>load<f32>(rows, 44)), 8);
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
    rows += 48;
    local += 16;
    out += 16;
  }
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
