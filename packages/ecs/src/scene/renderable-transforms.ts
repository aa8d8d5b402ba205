import type { Arena, ArenaBlock } from '@ecliptic/core';

/** Of one row in all four columns. */
const ROW_BYTES = 44;

/**
 * Interpolated transforms for one frame, in columns that grow as needed and are used again: entity `entities[i]` is at
 * `positions[3i…]`, turned by `rotations[4i…]`, sized by `scales[3i…]`, for `i < count`.
 *
 * @example
 * ```ts
 * const out = new RenderableTransforms(scene.arena); // where the scene's kernels can write
 * scene.fillRenderableTransforms(alpha, out);
 * out.dispose(); // before the scene
 * ```
 */
export class RenderableTransforms {
  count = 0;
  entities: Int32Array = new Int32Array(0);
  positions: Float32Array = new Float32Array(0);
  rotations: Float32Array = new Float32Array(0);
  scales: Float32Array = new Float32Array(0);
  readonly #arena: Arena | undefined;
  #block: ArenaBlock | undefined = undefined;

  /** @param arena - takes the columns: that of a scene whose kernels are to fill them. Without it they are arrays of their own */
  constructor(arena?: Arena) {
    this.#arena = arena;
  }

  /**
   * Makes room for `count`; what was there is lost if it grows.
   *
   * @throws ArenaBudgetError `core/arena-budget` where the arena has no room; the columns are as before
   */
  reserve(count: number): void {
    if (count > this.entities.length) this.#grow(count);
  }

  #grow(count: number): void {
    // Whole cache lines, so that each column begins at one.
    const capacity = Math.ceil(Math.max(count, this.entities.length * 2) / 16) * 16;
    const bytes = capacity * ROW_BYTES;
    const block = this.#arena?.allocate(bytes, 'renderable transforms');
    const buffer = this.#arena?.buffer ?? new ArrayBuffer(bytes);
    if (this.#block) this.#arena?.free(this.#block);
    this.#block = block;
    const start = block?.offset ?? 0;
    this.rotations = new Float32Array(buffer, start, capacity * 4);
    this.positions = new Float32Array(buffer, start + capacity * 16, capacity * 3);
    this.scales = new Float32Array(buffer, start + capacity * 28, capacity * 3);
    this.entities = new Int32Array(buffer, start + capacity * 40, capacity);
  }

  /** Gives the memory back, if it is of an arena; the columns are empty then. */
  dispose(): void {
    if (this.#block) this.#arena?.free(this.#block);
    this.#block = undefined;
    this.count = 0;
    this.entities = new Int32Array(0);
    this.positions = new Float32Array(0);
    this.rotations = new Float32Array(0);
    this.scales = new Float32Array(0);
  }
}
