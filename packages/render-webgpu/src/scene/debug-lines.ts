import { DEBUG_LINE_FLOATS, type RenderFrameState } from '@ecliptic/render-sync';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';

/** The lines of debug drawing on the device, as a frame state has them. */
export class DebugLines {
  count = 0;
  readonly #ends: GrowingBuffer;
  readonly #colors: GrowingBuffer;
  #endStaging: Float32Array<ArrayBuffer> = new Float32Array(0);
  #colorStaging: Uint32Array<ArrayBuffer> = new Uint32Array(0);

  constructor(device: GPUDevice) {
    const { vertex } = BUFFER_USAGE;
    this.#ends = new GrowingBuffer(device, 'debug lines', vertex, DEBUG_LINE_FLOATS * 4);
    this.#colors = new GrowingBuffer(device, 'debug line colours', vertex, 16);
  }

  /** Both ends of each line, then its colour in another. */
  get buffers(): readonly [GPUBuffer, GPUBuffer] {
    return [this.#ends.buffer, this.#colors.buffer];
  }

  /** O(lines), without allocation once it is large enough. */
  update({ debugLineCount: count, debugLines, debugColors }: RenderFrameState): void {
    this.count = count;
    if (count === 0) return;
    const floats = count * DEBUG_LINE_FLOATS;
    // Some platforms don't upload from shared memory, so it goes through memory of our own.
    if (this.#colorStaging.length < count) {
      this.#endStaging = new Float32Array(floats * 2);
      this.#colorStaging = new Uint32Array(count * 2);
    }
    this.#endStaging.set(debugLines.subarray(0, floats));
    this.#colorStaging.set(debugColors.subarray(0, count));
    this.#ends.reserve(floats * 4);
    this.#colors.reserve(count * 4);
    this.#ends.write(0, this.#endStaging, floats);
    this.#colors.write(0, this.#colorStaging, count);
  }

  dispose(): void {
    this.#ends.dispose();
    this.#colors.dispose();
  }
}
