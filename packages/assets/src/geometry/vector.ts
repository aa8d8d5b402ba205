/** Three numbers. */
export type Vector = [number, number, number];

/** Vector `index` of an array of them. */
export function vectorAt(array: Float32Array | Float64Array, index: number): Vector {
  return [array[index * 3] ?? 0, array[index * 3 + 1] ?? 0, array[index * 3 + 2] ?? 0];
}

export function subtract(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function length(a: Vector): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** `a` with a length of 1; `undefined` where it is at most `shortest` long. */
export function unit(a: Vector, shortest = 1e-12): Vector | undefined {
  const size = length(a);
  return size > shortest && size < Infinity ? [a[0] / size, a[1] / size, a[2] / size] : undefined;
}

/** The part of `a` that is orthogonal to the unit vector `normal`. */
export function reject(a: Vector, normal: Vector): Vector {
  const along = dot(a, normal);
  return [a[0] - along * normal[0], a[1] - along * normal[1], a[2] - along * normal[2]];
}

/** A unit vector that is orthogonal to the unit vector `a`. */
export function perpendicular(a: Vector): Vector {
  return unit(Math.abs(a[0]) < 0.9 ? cross(a, [1, 0, 0]) : cross(a, [0, 1, 0])) ?? [1, 0, 0];
}
