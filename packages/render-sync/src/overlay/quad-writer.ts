import type { Rectangle } from './box.js';
import type { OverlayColor } from './box-style.js';
import type { Glyph } from './overlay-font.js';
import { QUAD, QUAD_FLOATS, type OverlayState } from './overlay-state.js';

/** Appends quads to an overlay state, converted to physical pixels. What is transparent or wholly cut off is left out. */
export class QuadWriter {
  count = 0;
  /** Quads that found no room. */
  overflow = 0;
  readonly #quads: Float32Array;
  readonly #capacity: number;
  readonly #scale: number;

  /** @param scale - physical pixels a logical one */
  constructor(state: OverlayState, scale: number) {
    this.#quads = state.quads;
    this.#capacity = state.capacity;
    this.#scale = scale;
  }

  /** A filled box, or, with a border width, its border. */
  box(
    { x, y, width, height }: Rectangle,
    clip: Rectangle,
    color: OverlayColor | undefined,
    cornerRadius: number,
    borderWidth: number,
  ): void {
    if (color === undefined) return;
    const at = this.#quad(x, y, width, height, clip, color);
    if (at < 0) return;
    this.#quads[at + QUAD.cornerRadius] = cornerRadius * this.#scale;
    this.#quads[at + QUAD.borderWidth] = borderWidth * this.#scale;
  }

  /**
   * A glyph with the pen at `pen` on the line `baseline`.
   *
   * @param texel - logical pixels a texel of the atlas
   * @param distanceRange - texels that its distances from 0 to 1 span
   */
  glyph(
    pen: number,
    baseline: number,
    texel: number,
    distanceRange: number,
    { x, y, width, height, left, top }: Glyph,
    clip: Rectangle,
    color: OverlayColor,
  ): void {
    if (width === 0) return;
    const at = this.#quad(
      pen + left * texel,
      baseline + top * texel,
      width * texel,
      height * texel,
      clip,
      color,
    );
    if (at < 0) return;
    this.#quads[at + QUAD.atlasX] = x;
    this.#quads[at + QUAD.atlasY] = y;
    this.#quads[at + QUAD.atlasWidth] = width;
    this.#quads[at + QUAD.atlasHeight] = height;
    this.#quads[at + QUAD.distanceRange] = distanceRange * texel * this.#scale;
  }

  /** @returns where its numbers begin, or −1 when it is left out */
  #quad(
    x: number,
    y: number,
    width: number,
    height: number,
    clip: Rectangle,
    color: OverlayColor,
  ): number {
    const isCutOff =
      x >= clip.x + clip.width ||
      y >= clip.y + clip.height ||
      x + width <= clip.x ||
      y + height <= clip.y;
    if (isCutOff || color[3] <= 0) return -1;
    if (this.count === this.#capacity) {
      this.overflow++;
      return -1;
    }
    const at = this.count++ * QUAD_FLOATS;
    const quads = this.#quads;
    const scale = this.#scale;
    quads.fill(0, at, at + QUAD_FLOATS);
    quads[at + QUAD.x] = x * scale;
    quads[at + QUAD.y] = y * scale;
    quads[at + QUAD.width] = width * scale;
    quads[at + QUAD.height] = height * scale;
    quads[at + QUAD.clipX] = clip.x * scale;
    quads[at + QUAD.clipY] = clip.y * scale;
    quads[at + QUAD.clipWidth] = clip.width * scale;
    quads[at + QUAD.clipHeight] = clip.height * scale;
    quads.set(color, at + QUAD.red);
    return at;
  }
}
