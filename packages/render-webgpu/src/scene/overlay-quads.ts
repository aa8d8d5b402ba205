import { QUAD_FLOATS, type OverlayState } from '@ecliptic/render-sync';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';

/** The overlay on the device; uploaded when there is a newer one. */
export class OverlayQuads {
  count = 0;
  readonly #quads: GrowingBuffer;
  #staging: Float32Array<ArrayBuffer> = new Float32Array(0);
  #sequence = -1;

  constructor(device: GPUDevice) {
    this.#quads = new GrowingBuffer(device, 'overlay', BUFFER_USAGE.vertex, QUAD_FLOATS * 4 * 64);
  }

  get buffer(): GPUBuffer {
    return this.#quads.buffer;
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
  }

  dispose(): void {
    this.#quads.dispose();
  }
}
