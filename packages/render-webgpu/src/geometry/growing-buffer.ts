import { BUFFER_USAGE } from '../device/gpu-flags.js';

/** A buffer of a device that grows and keeps its content. */
export class GrowingBuffer {
  readonly #device: GPUDevice;
  readonly #label: string;
  readonly #usage: number;
  #buffer: GPUBuffer;

  /** @param usage - copying is added */
  constructor(device: GPUDevice, label: string, usage: number, bytes: number) {
    this.#device = device;
    this.#label = label;
    this.#usage = usage | BUFFER_USAGE.copySource | BUFFER_USAGE.copyDestination;
    this.#buffer = this.#make(bytes);
  }

  get buffer(): GPUBuffer {
    return this.#buffer;
  }

  /**
   * Makes room for `bytes`, at least half as much again as before.
   *
   * @returns whether the buffer is another one now: bind groups with it must be made anew
   */
  reserve(bytes: number): boolean {
    const old = this.#buffer;
    if (bytes <= old.size) return false;
    this.#buffer = this.#make(Math.max(bytes, Math.ceil(old.size * 1.5)));
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(old, 0, this.#buffer, 0, old.size);
    this.#device.queue.submit([encoder.finish()]);
    old.destroy();
    return true;
  }

  /** Writes `data` at `offset`, which {@link GrowingBuffer.reserve} made room for. */
  write(
    offset: number,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
    length: number = data.length,
  ): void {
    if (length > 0) this.#device.queue.writeBuffer(this.#buffer, offset, data, 0, length);
  }

  dispose(): void {
    this.#buffer.destroy();
  }

  #make(bytes: number): GPUBuffer {
    return this.#device.createBuffer({
      label: this.#label,
      size: Math.ceil(bytes / 16) * 16,
      usage: this.#usage,
    });
  }
}
