/** A texture of a render graph, by what it is; the graph makes and owns it. */
export interface TextureDescription {
  /** Unique in the graph, as `hdr-color`. */
  readonly name: string;
  readonly format: GPUTextureFormat;
  /** Part of the target's size, above 0. Default 1. */
  readonly scale?: number;
  /** A size of its own in pixels, instead of the target's; a square. */
  readonly size?: number;
  /** What it is cleared to by the first pass that attaches it. Default all 0. */
  readonly clear?: readonly [number, number, number, number];
}

/** The one texture that a graph doesn't make: what is drawn to in the end. */
export const TARGET = 'target';
