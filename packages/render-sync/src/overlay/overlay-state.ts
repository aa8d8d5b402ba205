import type { SlotFormat } from '../mailbox/mailbox.js';

/** Numbers of one quad in `quads`. */
export const QUAD_FLOATS = 20;

/** Indices of a quad's numbers. Lengths in physical pixels from the top left corner; colours linear, alpha not premultiplied. */
export const QUAD = {
  x: 0,
  y: 1,
  width: 2,
  height: 3,
  /** Rectangle that cuts the quad off. */
  clipX: 4,
  clipY: 5,
  clipWidth: 6,
  clipHeight: 7,
  red: 8,
  green: 9,
  blue: 10,
  alpha: 11,
  /**
   * Part of the font atlas in texels, for a glyph; all 0 for a box. The atlas holds signed distances: 0.5 is the
   * outline, and 0 to 1 spans `distanceRange`.
   */
  atlasX: 12,
  atlasY: 13,
  atlasWidth: 14,
  atlasHeight: 15,
  cornerRadius: 16,
  /** Width of the border, drawn inside; 0 for a filled box. */
  borderWidth: 17,
  /** Of a glyph: the pixels that its distances from 0 to 1 span, as it is drawn. */
  distanceRange: 18,
} as const;

/** Numbers of the header. */
const HEADER_FLOATS = 8;

/**
 * A complete overlay: a list of quads, drawn in order over the scene. It has a mailbox of its own, so
 * that a late overlay never holds up the state, nor the other way round.
 */
export class OverlayState {
  readonly capacity: number;
  readonly header: Float64Array;
  /** {@link QUAD_FLOATS} a quad, see {@link QUAD}; the first `quadCount` count. */
  readonly quads: Float32Array;

  constructor(capacity: number, buffer: ArrayBufferLike, byteOffset: number) {
    this.capacity = capacity;
    this.header = new Float64Array(buffer, byteOffset, HEADER_FLOATS);
    this.quads = new Float32Array(buffer, byteOffset + HEADER_FLOATS * 8, capacity * QUAD_FLOATS);
  }

  /** Number of the publication, which its mailbox writes: a renderer uploads only an overlay whose number is another than the last. */
  get sequence(): number {
    return this.header[0] ?? 0;
  }
  set sequence(value: number) {
    this.header[0] = value;
  }

  get quadCount(): number {
    return this.header[1] ?? 0;
  }
  set quadCount(value: number) {
    this.header[1] = value;
  }

  /** Width of the target that the layout was made for, in physical pixels. */
  get width(): number {
    return this.header[2] ?? 0;
  }
  set width(value: number) {
    this.header[2] = value;
  }

  get height(): number {
    return this.header[3] ?? 0;
  }
  set height(value: number) {
    this.header[3] = value;
  }
}

/** Mailbox format of overlays of at most `quads` quads (default 16,384, 1.25 MiB a slot). */
export function overlayStateFormat(quads = 16_384): SlotFormat<OverlayState> {
  return {
    byteLength: HEADER_FLOATS * 8 + quads * QUAD_FLOATS * 4,
    view: (buffer, byteOffset) => new OverlayState(quads, buffer, byteOffset),
    stamp: (state, number) => {
      state.sequence = number;
    },
  };
}
