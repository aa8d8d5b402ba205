/** Whether two columns hold the same three numbers from `i` on. */
export function sameVector(a: Float32Array, b: Float32Array, i: number): boolean {
  return a[i] === b[i] && a[i + 1] === b[i + 1] && a[i + 2] === b[i + 2];
}

/** Whether two columns hold the same four numbers from `i` on. */
export function sameQuaternion(a: Float32Array, b: Float32Array, i: number): boolean {
  return sameVector(a, b, i) && a[i + 3] === b[i + 3];
}
