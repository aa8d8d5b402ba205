import type { EventLog } from '@ecliptic/core';
import { FONT_ATLAS_UUID, QUAD, QUAD_FLOATS, type OverlayState } from '@ecliptic/render-sync';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';
import type { TextureStore } from '../materials/texture-store.js';

/** The overlay on the device; uploaded when there is a newer one. */
export class OverlayQuads {
  count = 0;
  readonly #quads: GrowingBuffer;
  readonly #textures: TextureStore;
  readonly #log: EventLog;
  #staging: Float32Array<ArrayBuffer> = new Float32Array(0);
  #sequence = -1;

  constructor(device: GPUDevice, textures: TextureStore, log: EventLog) {
    this.#textures = textures;
    this.#log = log;
    this.#quads = new GrowingBuffer(device, 'overlay', BUFFER_USAGE.vertex, QUAD_FLOATS * 4 * 64);
  }

  get buffer(): GPUBuffer {
    return this.#quads.buffer;
  }

  /** The font's texture; an empty one before it is there, in which nothing is inside a glyph. */
  get atlas(): GPUTextureView {
    return this.#textures.find(FONT_ATLAS_UUID, 'linear') ?? this.#textures.empty;
  }

  update(overlay: OverlayState | undefined): void {
    if (overlay === undefined || overlay.sequence === this.#sequence) return;
    this.#sequence = overlay.sequence;
    this.count = Math.min(overlay.quadCount, overlay.capacity);
    const floats = this.count * QUAD_FLOATS;
    // Some platforms don't upload from shared memory, so it goes through memory of our own.
    if (this.#staging.length < floats) this.#staging = new Float32Array(floats * 2);
    this.#staging.set(overlay.quads.subarray(0, floats));
    this.#quads.reserve(floats * 4);
    this.#quads.write(0, this.#staging, floats);
    this.#checkFont();
  }

  dispose(): void {
    this.#quads.dispose();
  }

  /** Text without a font would be missing silently. */
  #checkFont(): void {
    if (this.#textures.has(FONT_ATLAS_UUID)) return;
    for (let i = 0; i < this.count; i++) {
      if ((this.#staging[i * QUAD_FLOATS + QUAD.atlasWidth] as number) > 0) {
        this.#log.warnOnce('overlay_font_missing', FONT_ATLAS_UUID, { texture: FONT_ATLAS_UUID });
        return;
      }
    }
  }
}
