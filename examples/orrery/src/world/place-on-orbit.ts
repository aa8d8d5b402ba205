/**
 * Writes where something is on a circular path around the origin.
 *
 * @param positions - x, y, z from `at` on
 * @param angle - where on the path, radians
 * @param inclination - tilt of the path, radians
 */
export function placeOnOrbit(
  positions: Float32Array,
  at: number,
  distance: number,
  angle: number,
  inclination: number,
): void {
  const z = distance * Math.sin(angle);
  positions[at] = distance * Math.cos(angle);
  positions[at + 1] = z * Math.sin(inclination);
  positions[at + 2] = z * Math.cos(inclination);
}
