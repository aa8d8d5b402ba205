/**
 * Interpolated transforms for one frame, in columns that grow as needed and are used again: entity `entities[i]` is at
 * `positions[3i…]`, turned by `rotations[4i…]`, sized by `scales[3i…]`, for `i < count`.
 */
export class RenderableTransforms {
  count = 0;
  entities: Int32Array = new Int32Array(0);
  positions: Float32Array = new Float32Array(0);
  rotations: Float32Array = new Float32Array(0);
  scales: Float32Array = new Float32Array(0);

  /** Makes room for `count`; what was there is lost if it grows. */
  reserve(count: number): void {
    if (count <= this.entities.length) return;
    const capacity = Math.max(count, this.entities.length * 2, 16);
    this.entities = new Int32Array(capacity);
    this.positions = new Float32Array(capacity * 3);
    this.rotations = new Float32Array(capacity * 4);
    this.scales = new Float32Array(capacity * 3);
  }
}
