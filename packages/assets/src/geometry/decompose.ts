import { cross, dot, length, perpendicular, reject, unit, type Vector } from './vector.js';

/** Translation, rotation (unit quaternion) and scale of a matrix. */
export interface Decomposed {
  readonly translation: [number, number, number];
  readonly rotation: [number, number, number, number];
  readonly scale: [number, number, number];
  /** Whether the matrix also shears or projects, which is lost. */
  readonly sheared: boolean;
}

/**
 * Splits a column-major 4×4 matrix. A mirroring one gets a negative X scale; an axis of length 0
 * keeps its scale of 0 and takes whatever direction completes the rotation. Always finite for finite input
 * (magnitudes up to 1e150).
 *
 * @param matrix - 16 finite numbers
 */
export function decompose(matrix: readonly number[]): Decomposed {
  const column = (i: number): Vector => [
    matrix[i * 4] ?? 0,
    matrix[i * 4 + 1] ?? 0,
    matrix[i * 4 + 2] ?? 0,
  ];
  const raw = [column(0), column(1), column(2)] as const;
  const scale: Vector = [length(raw[0]), length(raw[1]), length(raw[2])];
  if (dot(cross(raw[0], raw[1]), raw[2]) < 0) scale[0] = -scale[0];
  const axes = raw.map((axis, i) => divide(axis, scale[i] ?? 0)) as (Vector | undefined)[];
  const sheared =
    isOblique(axes[0], axes[1]) ||
    isOblique(axes[1], axes[2]) ||
    isOblique(axes[0], axes[2]) ||
    Math.abs(matrix[3] ?? 0) + Math.abs(matrix[7] ?? 0) + Math.abs(matrix[11] ?? 0) > 1e-6 ||
    Math.abs((matrix[15] ?? 1) - 1) > 1e-6;
  return {
    translation: column(3),
    rotation: toQuaternion(completeBasis(axes)),
    scale,
    sheared,
  };
}

function isOblique(a: Vector | undefined, b: Vector | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(dot(a, b)) > 1e-4;
}

/** A right-handed orthonormal basis that keeps the first axis that there is, then the plane of the second. */
function completeBasis(axes: readonly (Vector | undefined)[]): [Vector, Vector, Vector] {
  let [x, y] = axes;
  const z = axes[2];
  if (!x) {
    if (y && z) x = cross(y, z);
    else if (y) x = perpendicular(y);
    else x = z ? perpendicular(z) : [1, 0, 0];
    x = unit(x) ?? [1, 0, 0];
  }
  if (!y) y = z ? cross(z, x) : perpendicular(x);
  // Gram-Schmidt, for sheared matrices.
  y = unit(reject(y, x), 1e-9) ?? perpendicular(x);
  return [x, y, cross(x, y)];
}

function toQuaternion([x, y, z]: [Vector, Vector, Vector]): [number, number, number, number] {
  const trace = x[0] + y[1] + z[2];
  let q: [number, number, number, number];
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    q = [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4];
  } else if (x[0] > y[1] && x[0] > z[2]) {
    const s = Math.sqrt(1 + x[0] - y[1] - z[2]) * 2;
    q = [s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
  } else if (y[1] > z[2]) {
    const s = Math.sqrt(1 + y[1] - x[0] - z[2]) * 2;
    q = [(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
  } else {
    const s = Math.sqrt(1 + z[2] - x[0] - y[1]) * 2;
    q = [(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s];
  }
  const size = Math.hypot(...q);
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

function divide(a: Vector, by: number): Vector | undefined {
  return Math.abs(by) < 1e-12 ? undefined : [a[0] / by, a[1] / by, a[2] / by];
}
