import type { EventLog } from '@ecliptic/core';
import { DEBUG_LINE_FLOATS } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';

/** Linear red, green, blue from 0 to 1, and alpha if not 1. */
export type DebugColor = readonly [number, number, number, number?];

const WHITE: DebugColor = [1, 1, 1];
/** Of the axes x, y and z. */
const AXES: readonly DebugColor[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const CIRCLE_SEGMENTS = 24;

/** Cosine and sine of each corner of a circle, in turns; the first corner again at the end. */
const CIRCLE: Float64Array = Float64Array.from({ length: 2 * (CIRCLE_SEGMENTS + 1) }, (_, i) => {
  const angle = ((i >> 1) / CIRCLE_SEGMENTS) * 2 * Math.PI;
  return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/**
 * Lines in the world, for whoever looks for a bug: drawn for one frame or one step and then forgotten. Bounded; allocates
 * nothing. Lines that are not finite are left out, and reported once (`debug_line_not_finite`), as are those beyond the
 * budget (`debug_lines_over_budget`).
 *
 * @example
 * ```ts
 * sync.frameDebug.sphere([0, 1, 0], 2, [1, 0, 0]); // in onUpdate: for this frame
 * sync.stepDebug.axes(transform.world.toArray()); // in a system: until the next step
 * ```
 */
export class DebugDraw {
  readonly capacity: number;
  readonly #lines: Float32Array;
  readonly #colors: Uint32Array;
  readonly #log: EventLog;
  readonly #start = new Float64Array(3);
  readonly #end = new Float64Array(3);
  #count = 0;
  #isOver = false;

  /** @param capacity - most lines: `budget.debugLines` */
  constructor(capacity: number, log: EventLog) {
    this.capacity = capacity;
    this.#log = log;
    this.#lines = new Float32Array(capacity * DEBUG_LINE_FLOATS);
    this.#colors = new Uint32Array(capacity);
  }

  /** Lines that are drawn now. */
  get count(): number {
    return this.#count;
  }

  /** Draws a line between two points. */
  line(from: ArrayLike<number>, to: ArrayLike<number>, color: DebugColor = WHITE): void {
    this.#add(at(from, 0), at(from, 1), at(from, 2), at(to, 0), at(to, 1), at(to, 2), color);
  }

  /**
   * Draws the edges of a box between two opposite corners.
   *
   * @param matrix - column-major 4×4, that takes the corners to the world; default: they are in the world
   */
  box(
    min: ArrayLike<number>,
    max: ArrayLike<number>,
    color: DebugColor = WHITE,
    matrix?: ArrayLike<number>,
  ): void {
    for (let edge = 0; edge < 12; edge++) {
      const axis = edge >> 2;
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      const a = this.#start;
      const b = this.#end;
      a[axis] = at(min, axis);
      b[axis] = at(max, axis);
      a[u] = b[u] = at((edge & 1) === 0 ? min : max, u);
      a[v] = b[v] = at((edge & 2) === 0 ? min : max, v);
      if (matrix) this.#addMoved(a, b, matrix, color);
      else this.line(a, b, color);
    }
  }

  /** Draws a sphere as three circles about the axes. */
  sphere(center: ArrayLike<number>, radius: number, color: DebugColor = WHITE): void {
    const x = at(center, 0);
    const y = at(center, 1);
    const z = at(center, 2);
    for (let i = 0; i < CIRCLE.length - 2; i += 2) {
      const a = (CIRCLE[i] as number) * radius;
      const b = (CIRCLE[i + 1] as number) * radius;
      const e = (CIRCLE[i + 2] as number) * radius;
      const f = (CIRCLE[i + 3] as number) * radius;
      this.#add(x + a, y + b, z, x + e, y + f, z, color);
      this.#add(x + a, y, z + b, x + e, y, z + f, color);
      this.#add(x, y + a, z + b, x, y + e, z + f, color);
    }
  }

  /**
   * Draws the axes of a transform: x red, y green, z blue.
   *
   * @param matrix - column-major 4×4, as `Transform.world`
   * @param length - of each, before the matrix's scale
   */
  axes(matrix: ArrayLike<number>, length = 1): void {
    for (let axis = 0; axis < 3; axis++) {
      this.#start.fill(0);
      this.#end.fill(0);
      this.#end[axis] = length;
      this.#addMoved(this.#start, this.#end, matrix, AXES[axis] ?? WHITE);
    }
  }

  /** Ends the frame or step: what was drawn in it goes when the next one draws, or ends without drawing. */
  end(): void {
    if (this.#isOver) this.#count = 0;
    this.#isOver = true;
  }

  /** Forgets every line. */
  clear(): void {
    this.#count = 0;
    this.#isOver = false;
  }

  /**
   * Appends the lines to those of a frame state, as far as there is room.
   *
   * @returns whether there was
   */
  writeTo(state: RenderFrameState): boolean {
    const start = state.debugLineCount;
    const count = Math.min(this.#count, state.debugColors.length - start);
    state.debugLines.set(
      this.#lines.subarray(0, count * DEBUG_LINE_FLOATS),
      start * DEBUG_LINE_FLOATS,
    );
    state.debugColors.set(this.#colors.subarray(0, count), start);
    state.debugLineCount = start + count;
    return count === this.#count;
  }

  #addMoved(a: Float64Array, b: Float64Array, m: ArrayLike<number>, color: DebugColor): void {
    this.#add(
      moved(m, 0, a),
      moved(m, 1, a),
      moved(m, 2, a),
      moved(m, 0, b),
      moved(m, 1, b),
      moved(m, 2, b),
      color,
    );
  }

  #add(
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    color: DebugColor,
  ): void {
    if (this.#isOver) this.clear();
    const size = Math.abs(ax) + Math.abs(ay) + Math.abs(az) + Math.abs(bx) + Math.abs(by);
    // Also what overflows when it is stored in 32 bits.
    if (!(size + Math.abs(bz) < 3.4e38)) {
      this.#log.warnOnce('debug_line_not_finite', this.capacity);
      return;
    }
    if (this.#count === this.capacity) {
      this.#log.warnOnce('debug_lines_over_budget', this.capacity, { budget: this.capacity });
      return;
    }
    const index = this.#count++;
    const to = index * DEBUG_LINE_FLOATS;
    this.#lines[to] = ax;
    this.#lines[to + 1] = ay;
    this.#lines[to + 2] = az;
    this.#lines[to + 3] = bx;
    this.#lines[to + 4] = by;
    this.#lines[to + 5] = bz;
    this.#colors[index] =
      byte(color[0]) | (byte(color[1]) << 8) | (byte(color[2]) << 16) | (byte(color[3] ?? 1) << 24);
  }
}

/** One coordinate of a point that a matrix moves. */
function moved(m: ArrayLike<number>, row: number, point: Float64Array): number {
  const x = at(m, row) * at(point, 0);
  const y = at(m, row + 4) * at(point, 1);
  const z = at(m, row + 8) * at(point, 2);
  return x + y + z + at(m, row + 12);
}

/** A missing number makes the line one that isn't finite. */
function at(list: ArrayLike<number>, index: number): number {
  return list[index] ?? NaN;
}

function byte(share: number): number {
  return share >= 1 ? 255 : share > 0 ? Math.round(share * 255) : 0;
}
