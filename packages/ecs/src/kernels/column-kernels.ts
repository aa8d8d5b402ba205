import { EclipticError } from '@ecliptic/core';
import type { Kernels, PoseColumns } from './kernels.js';

/** What a backend does once its arguments are known to be right. */
export interface KernelBackend {
  readonly kind: Kernels['backend'];
  /** The one buffer that columns must be views of, or `undefined` where any will do. */
  readonly buffer: ArrayBufferLike | undefined;
  addScaled(target: Float32Array, source: Float32Array, factor: number, count: number): void;
  interpolate(
    from: Float32Array,
    to: Float32Array,
    out: Float32Array,
    alpha: number,
    count: number,
  ): void;
  interpolateRotations(
    from: Float32Array,
    to: Float32Array,
    out: Float32Array,
    alpha: number,
    rows: number,
  ): void;
}

function overlaps(out: Float32Array, column: Float32Array, bytes: number): boolean {
  if (out.buffer !== column.buffer || out.byteOffset === column.byteOffset) return false;
  return Math.abs(out.byteOffset - column.byteOffset) < bytes;
}

/** The checks of {@link Kernels} in front of a backend. */
export class ColumnKernels implements Kernels {
  readonly #backend: KernelBackend;

  constructor(backend: KernelBackend) {
    this.#backend = backend;
  }

  get backend(): Kernels['backend'] {
    return this.#backend.kind;
  }

  addScaled(target: Float32Array, source: Float32Array, factor: number, elements: number): void {
    if (!Number.isFinite(factor)) throw badArgument('factor', factor, 'a finite number');
    this.#check(target, source, target, elements, 1);
    this.#backend.addScaled(target, source, Math.fround(factor), elements);
  }

  interpolate(
    from: Float32Array,
    to: Float32Array,
    alpha: number,
    out: Float32Array,
    elements: number,
  ): void {
    checkAlpha(alpha);
    this.#check(from, to, out, elements, 1);
    this.#backend.interpolate(from, to, out, Math.fround(alpha), elements);
  }

  interpolateRotations(
    from: Float32Array,
    to: Float32Array,
    alpha: number,
    out: Float32Array,
    rows: number,
  ): void {
    checkAlpha(alpha);
    this.#check(from, to, out, rows, 4);
    this.#backend.interpolateRotations(from, to, out, Math.fround(alpha), rows);
  }

  interpolateTransforms(
    from: PoseColumns,
    to: PoseColumns,
    alpha: number,
    out: PoseColumns,
    rows: number,
  ): void {
    checkAlpha(alpha);
    this.#check(from.position, to.position, out.position, rows, 3);
    this.#check(from.rotation, to.rotation, out.rotation, rows, 4);
    this.#check(from.scale, to.scale, out.scale, rows, 3);
    const share = Math.fround(alpha);
    this.#backend.interpolate(from.position, to.position, out.position, share, rows * 3);
    this.#backend.interpolateRotations(from.rotation, to.rotation, out.rotation, share, rows);
    this.#backend.interpolate(from.scale, to.scale, out.scale, share, rows * 3);
  }

  #check(a: Float32Array, b: Float32Array, out: Float32Array, rows: number, stride: number): void {
    const count = rows * stride;
    const shortest = Math.min(a.length, b.length, out.length);
    if (!Number.isInteger(rows) || rows < 0 || count > shortest) {
      throw new EclipticError(
        'ecs/kernel-range',
        `${rows} rows of ${stride} in a column of ${shortest} numbers`,
        {
          subjects: { rows, stride, lengths: [a.length, b.length, out.length] },
          fix: 'Pass the columns of one table with its row count.',
        },
      );
    }
    if (overlaps(out, a, count * 4) || overlaps(out, b, count * 4)) {
      throw new EclipticError('ecs/kernel-overlap', 'The result overlaps an argument', {
        subjects: { offsets: [a.byteOffset, b.byteOffset, out.byteOffset] },
        fix: 'Use the very column of the argument, or another one.',
      });
    }
    const { buffer } = this.#backend;
    if (buffer === undefined) return;
    if (a.buffer !== buffer || b.buffer !== buffer || out.buffer !== buffer) {
      throw new EclipticError(
        'ecs/kernel-memory',
        'A column is not in the memory of these kernels',
        {
          subjects: { backend: this.#backend.kind },
          fix: 'Pass columns of the arena that the kernels were loaded for.',
        },
      );
    }
  }
}

function badArgument(name: string, value: number, wanted: string): EclipticError {
  return new EclipticError('ecs/kernel-argument', `${name} can't be ${value}`, {
    subjects: { [name]: value },
    fix: `Give ${wanted}.`,
  });
}

function checkAlpha(alpha: number): void {
  if (!(alpha >= 0 && alpha <= 1)) throw badArgument('alpha', alpha, 'a number from 0 to 1');
}
