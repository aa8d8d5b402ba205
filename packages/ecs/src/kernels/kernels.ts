/** Positions, rotations and scales of the same rows: columns of a vec3, a quat and a vec3 field. */
export interface PoseColumns {
  readonly position: Float32Array;
  readonly rotation: Float32Array;
  readonly scale: Float32Array;
}

/**
 * Arithmetic on whole columns. Two backends do the same: `wasm`, four numbers at a time on the arena's own memory, and
 * `javascript`, everywhere. They differ by rounding (rotations by up to 2e-6 an element, the rest not at all), so a scene
 * takes one for its life, and machines that must agree bit by bit take the same.
 *
 * Every call checks its columns once: `ecs/kernel-range` where one is too short or rows are no whole number,
 * `ecs/kernel-overlap` where the result shares bytes with an argument that does not begin at the same place,
 * `ecs/kernel-argument` for numbers out of range, and, in the `wasm` backend, `ecs/kernel-memory` for a column of another
 * memory. Nothing is written when a check fails, and nothing is allocated.
 */
export interface Kernels {
  readonly backend: 'wasm' | 'javascript';
  /**
   * `target[i] += source[i] * factor`, as for `position += velocity * dt`.
   *
   * @param factor - finite; rounded to 32 bits
   * @param elements - how many numbers; three a row for vec3 columns
   */
  addScaled(target: Float32Array, source: Float32Array, factor: number, elements: number): void;
  /**
   * `out[i] = from[i] * (1 - alpha) + to[i] * alpha`: exactly `from` at 0 and `to` at 1.
   *
   * @param alpha - 0…1
   * @param out - may be `from` or `to` itself
   * @param elements - how many numbers
   */
  interpolate(
    from: Float32Array,
    to: Float32Array,
    alpha: number,
    out: Float32Array,
    elements: number,
  ): void;
  /**
   * Spherical interpolation of unit quaternions (x, y, z, w) along the shorter arc, at an even rate. Half a turn apart, where both arcs
   * are as short, rounding decides, in both backends alike. Nothing is normalised: what comes of quaternions that are zero or not of
   * unit length is no rotation, the same in both.
   *
   * @param alpha - 0…1
   * @param out - may be `from` or `to` itself
   * @param rows - how many quaternions
   */
  interpolateRotations(
    from: Float32Array,
    to: Float32Array,
    alpha: number,
    out: Float32Array,
    rows: number,
  ): void;
  /**
   * All three columns of `rows` transforms: positions and scales in a straight line, rotations along the arc.
   *
   * @param outRow - row of `out` where the results begin; 0 by default
   */
  interpolateTransforms(
    from: PoseColumns,
    to: PoseColumns,
    alpha: number,
    out: PoseColumns,
    rows: number,
    outRow?: number,
  ): void;
}
