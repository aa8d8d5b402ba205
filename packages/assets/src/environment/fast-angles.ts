// Polynomials of Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.46 and 4.4.49: off by 2e-8 at most, which is a small part of
// a pixel of any panorama; faster than Math.atan2 and Math.acos, and the same in every engine.

/** The angle of (`x`, `y`) in turns, from −0.5 to 0.5; 0 for (0, 0). */
export function turnOf(y: number, x: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const larger = Math.max(ax, ay);
  if (larger === 0) return 0;
  const t = Math.min(ax, ay) / larger;
  const s = t * t;
  const high = s * (-0.07528964 + s * (0.0429096138 + s * (-0.0161657367 + s * 0.0028662257)));
  const low = -0.1420889944 + s * (0.1065626393 + high);
  const eighth = t * (1 + s * (-0.3333314528 + s * (0.1999355085 + s * low)));
  const quarter = ay > ax ? Math.PI / 2 - eighth : eighth;
  const half = x < 0 ? Math.PI - quarter : quarter;
  return (y < 0 ? -half : half) / (2 * Math.PI);
}

/** The angle in radians of which `x` is the cosine; values beyond ±1 count as ±1. */
export function arcCosine(x: number): number {
  const t = Math.min(1, Math.abs(x));
  const high = t * (0.030891881 + t * (-0.0170881256 + t * (0.0066700901 - t * 0.0012624911)));
  const low = t * (-0.2145988016 + t * (0.0889789874 + t * (-0.0501743046 + high)));
  const angle = Math.sqrt(1 - t) * (1.570796305 + low);
  return x < 0 ? Math.PI - angle : angle;
}
