import { EclipticError } from '@ecliptic/core';
import type { Kernels, PoseColumns } from './kernels.js';

/** What a backend does once its arguments are known to be right. `start` is the element of `out` where results begin. */
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
    start: number,
  ): void;
  interpolateRotations(
    from: Float32Array,
    to: Float32Array,
    out: Float32Array,
    alpha: number,
    rows: number,
    start: number,
  ): void;
}

function overlaps(out: Float32Array, start: number, column: Float32Array, bytes: number): boolean {
  const begin = out.byteOffset + start * 4;
  if (out.buffer !== column.buffer || begin === column.byteOffset) return false;
  return Math.abs(begin - column.byteOffset) < bytes;
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
    this.#check(target, source, target, elements, 1, 0);
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
    this.#check(from, to, out, elements, 1, 0);
    this.#backend.interpolate(from, to, out, Math.fround(alpha), elements, 0);
  }

  interpolateRotations(
    from: Float32Array,
    to: Float32Array,
    alpha: number,
    out: Float32Array,
    rows: number,
  ): void {
    checkAlpha(alpha);
    this.#check(from, to, out, rows, 4, 0);
    this.#backend.interpolateRotations(from, to, out, Math.fround(alpha), rows, 0);
  }

  interpolateTransforms(
    from: PoseColumns,
    to: PoseColumns,
    alpha: number,
    out: PoseColumns,
    rows: number,
    outRow: number = 0,
  ): void {
    checkAlpha(alpha);
    if (!Number.isInteger(outRow) || outRow < 0) throw badArgument('outRow', outRow, 'a row');
    this.#check(from.position, to.position, out.position, rows, 3, outRow);
    this.#check(from.rotation, to.rotation, out.rotation, rows, 4, outRow);
    this.#check(from.scale, to.scale, out.scale, rows, 3, outRow);
    const share = Math.fround(alpha);
    const start = outRow * 3;
    const backend = this.#backend;
    backend.interpolate(from.position, to.position, out.position, share, rows * 3, start);
    backend.interpolateRotations(from.rotation, to.rotation, out.rotation, share, rows, outRow * 4);
    backend.interpolate(from.scale, to.scale, out.scale, share, rows * 3, start);
  }

  #check(
    a: Float32Array,
    b: Float32Array,
    out: Float32Array,
    rows: number,
    stride: number,
    outRow: number,
  ): void {
    const count = rows * stride;
    const start = outRow * stride;
    const shortest = Math.min(a.length, b.length, out.length - start);
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
    if (overlaps(out, start, a, count * 4) || overlaps(out, start, b, count * 4)) {
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
