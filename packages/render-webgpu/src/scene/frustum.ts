/** Six planes, four numbers each: normal and distance, pointing inwards. */
export const FRUSTUM_FLOATS = 24;

/**
 * Takes the planes out of a view-projection matrix (column-major, depth from 0 to 1 either way), normalized. A plane that is
 * infinitely far away has no direction and lets everything through.
 */
export function frustumPlanes(out: Float32Array, viewProjection: ArrayLike<number>): void {
  for (let plane = 0; plane < 6; plane++) {
    const row = plane >> 1;
    const sign = (plane & 1) === 0 ? 1 : -1;
    // z ≥ 0 needs only its own row; every other plane is measured against w.
    const w = plane === 4 ? 0 : 1;
    const at = plane * 4;
    for (let column = 0; column < 4; column++) {
      const own = viewProjection[column * 4 + row] as number;
      out[at + column] = w * (viewProjection[column * 4 + 3] as number) + sign * own;
    }
    const length = Math.hypot(out[at] as number, out[at + 1] as number, out[at + 2] as number);
    if (length > 0) for (let i = 0; i < 4; i++) out[at + i] = (out[at + i] as number) / length;
  }
}

/**
 * Which spheres touch the frustum. One with a number that isn't finite doesn't.
 *
 * @param visible - 1 or 0 a sphere is written here
 * @param spheres - x, y, z, radius each
 * @returns how many do
 */
export function cullSpheres(
  visible: Uint8Array,
  spheres: Float32Array,
  count: number,
  planes: Float32Array,
): number {
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const at = i * 4;
    const x = spheres[at] as number;
    const y = spheres[at + 1] as number;
    const z = spheres[at + 2] as number;
    const reach = -(spheres[at + 3] as number);
    let inside = 1;
    for (let p = 0; p < FRUSTUM_FLOATS; p += 4) {
      const distance =
        (planes[p] as number) * x +
        (planes[p + 1] as number) * y +
        (planes[p + 2] as number) * z +
        (planes[p + 3] as number);
      // Written so that NaN is outside.
      if (!(distance >= reach)) {
        inside = 0;
        break;
      }
    }
    visible[i] = inside;
    seen += inside;
  }
  return seen;
}
