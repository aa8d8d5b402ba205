/** Where the exponent of a half float has all its bits: infinity, and what is no number. */
export const NOT_FINITE = 0x7c00;

/** The half float that is nearest to a float of 32 bits, ties to even, as OpenEXR rounds. @param bits - of the float */
export function halfOfBits(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent >= 143) {
    return sign | NOT_FINITE | (exponent === 0xff && mantissa !== 0 ? 0x200 : 0);
  }
  // Below 2⁻²⁵ even the least one is further away than zero.
  if (exponent < 102) return sign;
  const dropped = exponent < 113 ? 126 - exponent : 13;
  const kept = exponent < 113 ? mantissa | 0x800000 : mantissa + ((exponent - 112) << 23);
  const half = kept >>> dropped;
  const rest = kept & ((1 << dropped) - 1);
  const middle = 1 << (dropped - 1);
  // What is carried out of the mantissa belongs into the exponent.
  return sign | (half + (rest > middle || (rest === middle && (half & 1) === 1) ? 1 : 0));
}
