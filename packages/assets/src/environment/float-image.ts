/** An image of linear light, as floats. */
export interface FloatImage {
  readonly width: number;
  readonly height: number;
  /** RGB, rows from the top. All finite and not negative. */
  readonly data: Float32Array;
}

/** The brightest light that is kept, a million suns: sums of more could be infinite. */
export const MOST_LIGHT = 1e12;

/** The image at half the size, each pixel the mean of up to four. */
export function halve({ width, height, data }: FloatImage): FloatImage {
  const w = Math.max(1, width >> 1);
  const h = Math.max(1, height >> 1);
  const half = new Float32Array(w * h * 3);
  let to = 0;
  for (let y = 0; y < h; y++) {
    const y0 = y * 2;
    const y1 = Math.min(y0 + 1, height - 1);
    for (let x = 0; x < w; x++) {
      const x0 = x * 2;
      const x1 = Math.min(x0 + 1, width - 1);
      const a = (y0 * width + x0) * 3;
      const b = (y0 * width + x1) * 3;
      const d = (y1 * width + x0) * 3;
      const e = (y1 * width + x1) * 3;
      for (let c = 0; c < 3; c++) {
        const upper = (data[a + c] as number) + (data[b + c] as number);
        half[to++] = (upper + (data[d + c] as number) + (data[e + c] as number)) / 4;
      }
    }
  }
  return { width: w, height: h, data: half };
}

/** The bits of a 16-bit float: rounded to nearest, clamped to its largest finite value. */
export function toHalf(value: number): number {
  if (!(value > 0)) return 0;
  if (value >= 65_504) return 0x7bff;
  const exponent = Math.max(-14, Math.floor(Math.log2(value)));
  const mantissa = Math.round((value / 2 ** exponent) * 1_024);
  // Below 1,024 it is subnormal; rounding up to 2,048 carries into the exponent by itself.
  return mantissa < 1_024 ? mantissa : ((exponent + 14) << 10) + mantissa;
}

/** Of each exponent of a 16-bit float, what the last bit of its mantissa is worth. */
const STEPS: Float64Array = Float64Array.from({ length: 31 }, (_, e) => 2 ** (Math.max(1, e) - 25));

/** The value of the bits of a 16-bit float. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0x1f) return mantissa === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? mantissa : mantissa + 1_024) * (STEPS[exponent] ?? 0);
}
