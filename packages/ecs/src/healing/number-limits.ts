/** The greatest finite number of 32 bits. */
export const MAX_F32 = 3.4028234663852886e38;

/** Squared lengths within this of 1 are left alone: what 32-bit rounding does to a unit quaternion. */
const UNIT_TOLERANCE = 1e-5;

/** Whether a quaternion of this squared length counts as normalised. */
export function isUnit(squaredLength: number): boolean {
  return Math.abs(squaredLength - 1) <= UNIT_TOLERANCE;
}
