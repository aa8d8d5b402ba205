import { ColumnKernels, type KernelBackend } from './column-kernels.js';
import type { Kernels } from './kernels.js';

/** See kernels.as: sin(t·θ)/sin(θ) as a series in cos(θ) - 1 and t². */
const TERMS = 12;
const LAST = 1.9011074535173003;
const U: readonly number[] = Array.from(
  { length: TERMS },
  (_, i) => scale(i) / ((i + 1) * (2 * i + 3)),
);
const V: readonly number[] = Array.from(
  { length: TERMS },
  (_, i) => (scale(i) * (i + 1)) / (2 * i + 3),
);

function scale(i: number): number {
  return i === TERMS - 1 ? LAST : 1;
}

function weight(t: number, y: number): number {
  const tt = t * t;
  let sum = 1;
  for (let i = TERMS - 1; i >= 0; i--)
    sum = 1 + ((U[i] as number) * tt - (V[i] as number)) * y * sum;
  return t * sum;
}

function addScaled(
  target: Float32Array,
  source: Float32Array,
  factor: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    target[i] = (target[i] as number) + Math.fround((source[i] as number) * factor);
  }
}

function interpolate(
  from: Float32Array,
  to: Float32Array,
  out: Float32Array,
  alpha: number,
  count: number,
  start: number,
): void {
  const rest = Math.fround(1 - alpha);
  for (let i = 0; i < count; i++) {
    out[start + i] =
      Math.fround((from[i] as number) * rest) + Math.fround((to[i] as number) * alpha);
  }
}

function interpolateRotations(
  from: Float32Array,
  to: Float32Array,
  out: Float32Array,
  alpha: number,
  rows: number,
  start: number,
): void {
  for (let row = 0; row < rows; row++) {
    const i = row * 4;
    const ax = from[i] as number;
    const ay = from[i + 1] as number;
    const az = from[i + 2] as number;
    const aw = from[i + 3] as number;
    const bx = to[i] as number;
    const by = to[i + 1] as number;
    const bz = to[i + 2] as number;
    const bw = to[i + 3] as number;
    // As in the twin, or they would take different arcs half a turn apart: in 32 bits, in its order.
    const xz = Math.fround(Math.fround(ax * bx) + Math.fround(az * bz));
    const yw = Math.fround(Math.fround(ay * by) + Math.fround(aw * bw));
    const dot = Math.fround(xz + yw);
    const y = Math.min(Math.abs(dot), 1) - 1;
    const ca = weight(1 - alpha, y);
    const cb = dot < 0 ? -weight(alpha, y) : weight(alpha, y);
    const o = start + i;
    out[o] = ax * ca + bx * cb;
    out[o + 1] = ay * ca + by * cb;
    out[o + 2] = az * ca + bz * cb;
    out[o + 3] = aw * ca + bw * cb;
  }
}

/**
 * Kernels in plain JavaScript: for any columns, without WebAssembly.
 *
 * @example
 * ```ts
 * const kernels = javascriptKernels();
 * for (const table of movers.tables()) {
 *   const { position } = table.columns(Transform);
 *   kernels.addScaled(position, table.columns(Velocity).linear, dt, table.count * 3);
 * }
 * ```
 */
export function javascriptKernels(): Kernels {
  const backend: KernelBackend = {
    kind: 'javascript',
    buffer: undefined,
    addScaled,
    interpolate,
    interpolateRotations,
  };
  return new ColumnKernels(backend);
}
