import type { AnimationSamplerData } from '@ecliptic/assets';

/** What a sampler's values are, and how many of them to write. */
export interface SampleShape {
  /** Numbers of one value in the sampler. */
  readonly stride: number;
  /** How many of them are written. */
  readonly count: number;
  /** Rotations turn on the shorter arc and stay of length 1. */
  readonly isRotation: boolean;
}

/**
 * Writes the value of an animation's sampler at a time. Before the first key it is the first value, after the last the
 * last. Only additions, multiplications, divisions and square roots: the same bits on every machine. Writes nothing
 * where there are no keys. O(log keys), allocates nothing.
 *
 * @param time - seconds
 * @param out - written from `at` on
 */
export function sampleAnimation(
  sampler: AnimationSamplerData,
  time: number,
  shape: SampleShape,
  out: Float32Array,
  at: number,
): void {
  const { times, values, interpolation } = sampler;
  const { stride, count, isRotation } = shape;
  if (times.length === 0) return;
  const isCubic = interpolation === 'cubic';
  const width = isCubic ? stride * 3 : stride;
  const middle = isCubic ? stride : 0;
  const key = lastKeyUpTo(times, time);
  const next = key + 1;
  const from = Math.max(0, key) * width + middle;
  if (key < 0 || next === times.length || interpolation === 'step') {
    for (let i = 0; i < count; i++) out[at + i] = values[from + i] as number;
    return;
  }
  const to = next * width + middle;
  const start = times[key] as number;
  const length = (times[next] as number) - start;
  const t = length > 0 ? (time - start) / length : 1;
  if (isCubic) {
    spline(values, from, to, stride, count, t, length, out, at);
    if (isRotation) normalize(out, at);
  } else if (isRotation) {
    turn(values, from, to, t, out, at);
  } else {
    for (let i = 0; i < count; i++) {
      const a = values[from + i] as number;
      out[at + i] = a + ((values[to + i] as number) - a) * t;
    }
  }
}

/** Index of the last time that is not after `time`, or −1. */
function lastKeyUpTo(times: Float32Array, time: number): number {
  let low = -1;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= time) low = middle;
    else high = middle;
  }
  return low;
}

/** Cubic Hermite spline: out-tangents are behind the values, in-tangents before them. */
function spline(
  values: Float32Array,
  from: number,
  to: number,
  stride: number,
  count: number,
  t: number,
  length: number,
  out: Float32Array,
  at: number,
): void {
  const t2 = t * t;
  const t3 = t2 * t;
  const a = 2 * t3 - 3 * t2 + 1;
  const b = (t3 - 2 * t2 + t) * length;
  const c = 3 * t2 - 2 * t3;
  const d = (t3 - t2) * length;
  for (let i = 0; i < count; i++) {
    out[at + i] =
      a * (values[from + i] as number) +
      b * (values[from + stride + i] as number) +
      c * (values[to + i] as number) +
      d * (values[to - stride + i] as number);
  }
}

/** Spherical interpolation on the shorter arc. */
function turn(
  values: Float32Array,
  from: number,
  to: number,
  t: number,
  out: Float32Array,
  at: number,
): void {
  let cosine = 0;
  for (let i = 0; i < 4; i++) cosine += (values[from + i] as number) * (values[to + i] as number);
  const sign = cosine < 0 ? -1 : 1;
  const a = sineShare(1 - t, cosine * sign);
  const b = sineShare(t, cosine * sign) * sign;
  for (let i = 0; i < 4; i++) {
    out[at + i] = a * (values[from + i] as number) + b * (values[to + i] as number);
  }
  normalize(out, at);
}

/**
 * sin(t · angle) / sin(angle) for an angle of this cosine in [0, 1], as its power series in 1 − cosine: the sine of
 * JavaScript may differ between machines in the last bit. Each term is at most half of the one before.
 */
function sineShare(t: number, cosine: number): number {
  const x = Math.max(0, 1 - cosine);
  let term = t;
  let sum = t;
  for (let i = 1; i < 40 && Math.abs(term) > 1e-9; i++) {
    term *= ((i * i - t * t) * x) / (i * (2 * i + 1));
    sum += term;
  }
  return sum;
}

function normalize(out: Float32Array, at: number): void {
  let square = 0;
  for (let i = 0; i < 4; i++) square += (out[at + i] as number) ** 2;
  const length = Math.sqrt(square) || 1;
  for (let i = 0; i < 4; i++) out[at + i] = (out[at + i] as number) / length;
}
