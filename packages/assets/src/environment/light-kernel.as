// AssemblyScript source of light-kernel-bytes.ts: `pnpm --filter @ecliptic/assets run build:kernels` after a change. It works on an
// imported memory, which simd-light-kernel.ts lays out. scalar-light-kernel.ts takes the same steps, so that both come to the same bits.

// Bytes of four directions: four x, y, z, weights, widths and heights as floats; bytes of a row and addresses of first pixels as integers.
// @ts-ignore: decorator
@inline
const GROUP: usize = 128;
// @ts-ignore: decorator
@inline
const NOTHING: f32 = 1e-30;
// @ts-ignore: decorator
@inline
const HALF_PI: f32 = 1.5707963267948966;
// @ts-ignore: decorator
@inline
const PI: f32 = 3.141592653589793;
// @ts-ignore: decorator
@inline
const TURN: f32 = 0.15915494309189535;
// Added to a whole number it is in the lowest bits.
// @ts-ignore: decorator
@inline
const WHOLE: f32 = 12_582_912;

// @ts-ignore: decorator
@inline
function line(s: v128, at0: f32, slope: f32): v128 {
  return f32x4.add(f32x4.splat(at0), f32x4.mul(s, f32x4.splat(slope)));
}

/** The angle of (x, |y|) in turns; see fast-angles.ts. */
// @ts-ignore: decorator
@inline
function turnOf(ay: v128, x: v128): v128 {
  const ax = f32x4.abs(x);
  const t = f32x4.div(
    f32x4.pmin(ax, ay),
    f32x4.pmax(f32x4.pmax(ax, ay), f32x4.splat(NOTHING)),
  );
  const s = f32x4.mul(t, t);
  const ss = f32x4.mul(s, s);
  const low = f32x4.add(line(s, 1, -0.3333314528), f32x4.mul(ss, line(s, 0.1999355085, -0.1420889944)));
  const high = f32x4.add(line(s, 0.1065626393, -0.07528964), f32x4.mul(ss, line(s, 0.0429096138, -0.0161657367)));
  const ssss = f32x4.mul(ss, ss);
  const top = f32x4.add(high, f32x4.mul(ssss, f32x4.splat(0.0028662257)));
  const sum = f32x4.add(low, f32x4.mul(ssss, top));
  const eighth = f32x4.mul(t, sum);
  const quarter = v128.bitselect(
    f32x4.sub(f32x4.splat(HALF_PI), eighth),
    eighth,
    f32x4.gt(ay, ax),
  );
  const half = v128.bitselect(
    f32x4.sub(f32x4.splat(PI), quarter),
    quarter,
    f32x4.lt(x, f32x4.splat(0)),
  );
  return f32x4.mul(half, f32x4.splat(TURN));
}

// @ts-ignore: decorator
@inline
function whole(value: v128): v128 {
  return i32x4.sub(f32x4.add(value, f32x4.splat(WHOLE)), i32x4.splat(0x4b400000));
}

/** Adds four pixels, two beside each other in each of two rows. */
// @ts-ignore: decorator
@inline
function part(light: v128, upper: i32, lower: i32, a: v128, b: v128, c: v128, d: v128): v128 {
  const above = f32x4.add(f32x4.mul(v128.load(<usize>upper), a), f32x4.mul(v128.load(<usize>upper, 16), b));
  const below = f32x4.add(f32x4.mul(v128.load(<usize>lower), c), f32x4.mul(v128.load(<usize>lower, 16), d));
  return f32x4.add(light, f32x4.add(above, below));
}

/**
 * A row of a face of a cube map: of each pixel RGBA as half floats. No more at once, since only what is called anew runs as optimised code.
 *
 * @param groups - of four directions
 * @param count - how many directions
 * @param size - pixels a side
 * @param out - where the pixels go
 */
export function gather(groups: usize, count: i32, size: i32, face: i32, row: i32, out: usize): void {
  const one = f32x4.splat(1);
  const half = f32x4.splat(0.5);
  for (let column = 0; column < size; column++) {
    const across: f32 = ((<f32>column + 0.5) / <f32>size) * 2 - 1;
    const down: f32 = ((<f32>row + 0.5) / <f32>size) * 2 - 1;
    let x: f32 = 1;
    let y: f32 = -down;
    let z: f32 = -across;
    if (face == 1) {
      x = -1;
      z = across;
    } else if (face == 2) {
      x = across;
      y = 1;
      z = down;
    } else if (face == 3) {
      x = across;
      y = -1;
      z = -down;
    } else if (face == 4) {
      x = across;
      z = 1;
    } else if (face == 5) {
      x = -across;
      z = -1;
    }
    const length = sqrt<f32>(across * across + down * down + 1);
    x /= length;
    y /= length;
    z /= length;
    // Two directions orthogonal to the normal and to each other. No pixel's middle is at a pole.
    const ring = sqrt<f32>(z * z + x * x);
    const tx = z / ring;
    const tz = -x / ring;
    const bx = y * tz;
    const by = z * tx - x * tz;
    const bz = -y * tx;
    let light = f32x4.splat(0);
    let at = groups;
    for (let i = 0; i < count; i += 4) {
      const sx = v128.load(at);
      const sy = v128.load(at, 16);
      const sz = v128.load(at, 32);
      const weight = v128.load(at, 48);
      const dx = f32x4.add(
        f32x4.add(f32x4.mul(f32x4.splat(tx), sx), f32x4.mul(f32x4.splat(bx), sy)),
        f32x4.mul(f32x4.splat(x), sz),
      );
      const dy = f32x4.add(f32x4.mul(f32x4.splat(by), sy), f32x4.mul(f32x4.splat(y), sz));
      const dz = f32x4.add(
        f32x4.add(f32x4.mul(f32x4.splat(tz), sx), f32x4.mul(f32x4.splat(bz), sy)),
        f32x4.mul(f32x4.splat(z), sz),
      );
      const around = f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dz, dz)));
      const turn = v128.or(
        turnOf(f32x4.abs(dx), f32x4.neg(dz)),
        v128.and(dx, i32x4.splat(0x80000000)),
      );
      const polar = turnOf(around, dy);
      const u = f32x4.sub(f32x4.mul(f32x4.add(half, turn), v128.load(at, 64)), half);
      const v = f32x4.sub(f32x4.mul(f32x4.add(polar, polar), v128.load(at, 80)), half);
      const left = f32x4.floor(u);
      const top = f32x4.floor(v);
      const fx = f32x4.sub(u, left);
      const fy = f32x4.sub(v, top);
      const gx = f32x4.sub(one, fx);
      const gy = f32x4.mul(f32x4.sub(one, fy), weight);
      const hy = f32x4.mul(fy, weight);
      const wa = f32x4.mul(gx, gy);
      const wb = f32x4.mul(fx, gy);
      const wc = f32x4.mul(gx, hy);
      const wd = f32x4.mul(fx, hy);
      // Pictures have a border, so that what is looked up beyond their sides is there.
      const stride = v128.load(at, 96);
      const upper = i32x4.add(
        i32x4.add(v128.load(at, 112), i32x4.shl(whole(left), 4)),
        i32x4.mul(whole(top), stride),
      );
      const lower = i32x4.add(upper, stride);
      at += GROUP;
      light = part(
        light,
        i32x4.extract_lane(upper, 0),
        i32x4.extract_lane(lower, 0),
        v128.shuffle<f32>(wa, wa, 0, 0, 0, 0),
        v128.shuffle<f32>(wb, wb, 0, 0, 0, 0),
        v128.shuffle<f32>(wc, wc, 0, 0, 0, 0),
        v128.shuffle<f32>(wd, wd, 0, 0, 0, 0),
      );
      if (i + 1 >= count) break;
      light = part(
        light,
        i32x4.extract_lane(upper, 1),
        i32x4.extract_lane(lower, 1),
        v128.shuffle<f32>(wa, wa, 1, 1, 1, 1),
        v128.shuffle<f32>(wb, wb, 1, 1, 1, 1),
        v128.shuffle<f32>(wc, wc, 1, 1, 1, 1),
        v128.shuffle<f32>(wd, wd, 1, 1, 1, 1),
      );
      if (i + 2 >= count) break;
      light = part(
        light,
        i32x4.extract_lane(upper, 2),
        i32x4.extract_lane(lower, 2),
        v128.shuffle<f32>(wa, wa, 2, 2, 2, 2),
        v128.shuffle<f32>(wb, wb, 2, 2, 2, 2),
        v128.shuffle<f32>(wc, wc, 2, 2, 2, 2),
        v128.shuffle<f32>(wd, wd, 2, 2, 2, 2),
      );
      if (i + 3 >= count) break;
      light = part(
        light,
        i32x4.extract_lane(upper, 3),
        i32x4.extract_lane(lower, 3),
        v128.shuffle<f32>(wa, wa, 3, 3, 3, 3),
        v128.shuffle<f32>(wb, wb, 3, 3, 3, 3),
        v128.shuffle<f32>(wc, wc, 3, 3, 3, 3),
        v128.shuffle<f32>(wd, wd, 3, 3, 3, 3),
      );
    }
    // Half floats: a bias of 112 less and 13 bits fewer, or a multiple of the smallest of them.
    const normal = i32x4.sub(
      i32x4.shr_u(i32x4.add(light, i32x4.splat(0x1000)), 13),
      i32x4.splat(112 << 10),
    );
    const small = i32x4.trunc_sat_f32x4_s(
      f32x4.add(f32x4.mul(light, f32x4.splat(16_777_216)), half),
    );
    let bits = v128.bitselect(normal, small, f32x4.ge(light, f32x4.splat(6.103515625e-5)));
    bits = i32x4.min_s(bits, i32x4.splat(0x7bff));
    bits = i32x4.replace_lane(bits, 3, 0x3c00);
    store<i64>(out, i64x2.extract_lane(i16x8.narrow_i32x4_u(bits, bits), 0));
    out += 8;
  }
}
