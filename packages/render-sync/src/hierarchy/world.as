// AssemblyScript source of what hierarchy.as and rows.as have in common. The JavaScript twin is compute-world.ts.

/**
 * The world matrix of a node: translation · rotation · scale, then the parent's from the left. One whose magnitudes add up to the
 * limit or more in a row, or with a NaN, is not stored. @returns whether it was
 */
// @ts-expect-error: a decorator of AssemblyScript
@inline
export function computeWorld(
  node: i32,
  parent: i32,
  locals: usize,
  worlds: usize,
  limits: v128,
): bool {
  const p = locals + <usize>node * 48;
  const q = v128.load(p, 16);
  const world = worlds + <usize>node * 64;
  const x = f32x4.extract_lane(q, 0);
  const y = f32x4.extract_lane(q, 1);
  const z = f32x4.extract_lane(q, 2);
  const w = f32x4.extract_lane(q, 3);
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
  // Columns of the rotation; scaled last, where it is one multiplication a column.
  const ax = <f32>1 - (yy + zz);
  const ay = xy + wz;
  const az = xz - wy;
  const bx = xy - wz;
  const by = <f32>1 - (xx + zz);
  const bz = yz + wx;
  const cx = xz + wy;
  const cy = yz - wx;
  const cz = <f32>1 - (xx + yy);
  let a: v128;
  let b: v128;
  let c: v128;
  let t: v128;
  if (parent >= 0) {
    const up = worlds + <usize>parent * 64;
    const u = v128.load(up);
    const v = v128.load(up, 16);
    const n = v128.load(up, 32);
    const o = v128.load(up, 48);
    a = f32x4.add(
      f32x4.add(f32x4.mul(u, f32x4.splat(ax)), f32x4.mul(v, f32x4.splat(ay))),
      f32x4.mul(n, f32x4.splat(az)),
    );
    b = f32x4.add(
      f32x4.add(f32x4.mul(u, f32x4.splat(bx)), f32x4.mul(v, f32x4.splat(by))),
      f32x4.mul(n, f32x4.splat(bz)),
    );
    c = f32x4.add(
      f32x4.add(f32x4.mul(u, f32x4.splat(cx)), f32x4.mul(v, f32x4.splat(cy))),
      f32x4.mul(n, f32x4.splat(cz)),
    );
    t = f32x4.add(
      f32x4.add(
        f32x4.mul(u, v128.load_splat<f32>(p)),
        f32x4.mul(v, v128.load_splat<f32>(p, 4)),
      ),
      f32x4.add(f32x4.mul(n, v128.load_splat<f32>(p, 8)), o),
    );
  } else {
    a = f32x4(ax, ay, az, 0);
    b = f32x4(bx, by, bz, 0);
    c = f32x4(cx, cy, cz, 0);
    t = f32x4(load<f32>(p), load<f32>(p, 4), load<f32>(p, 8), 1);
  }
  a = f32x4.mul(a, v128.load_splat<f32>(p, 32));
  b = f32x4.mul(b, v128.load_splat<f32>(p, 36));
  c = f32x4.mul(c, v128.load_splat<f32>(p, 40));
  const size = f32x4.add(
    f32x4.add(f32x4.abs(a), f32x4.abs(b)),
    f32x4.add(f32x4.abs(c), f32x4.abs(t)),
  );
  if (!v128.all_true<i32>(f32x4.lt(size, limits))) return false;
  v128.store(world, a);
  v128.store(world, b, 16);
  v128.store(world, c, 32);
  v128.store(world, t, 48);
  return true;
}
