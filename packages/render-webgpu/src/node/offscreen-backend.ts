import { encode } from 'fast-png';
import { WebGpuBackend, type WebGpuBackendOptions } from '../backend/webgpu-backend.js';
import { readPixels, type Pixels } from '../device/read-pixels.js';
import { textureTarget, type TextureTarget } from '../device/render-target.js';
import { nodeDecoder } from './decode-image.js';
import type { NodeGpu } from './node-gpu.js';

/** Options of an {@link OffscreenBackend}. */
export interface OffscreenOptions extends Pick<
  WebGpuBackendOptions,
  'settings' | 'passes' | 'log' | 'warmUp'
> {
  readonly gpu: NodeGpu;
}

/** A {@link WebGpuBackend} without a window, whose pictures can be read: for image tests, thumbnails, servers. */
export class OffscreenBackend extends WebGpuBackend {
  readonly #target: () => TextureTarget | undefined;

  constructor({ gpu, ...options }: OffscreenOptions) {
    let target: TextureTarget | undefined;
    super({
      ...options,
      device: gpu.requestDevice,
      target: (device) => (target = textureTarget(device)),
      decodeImage: nodeDecoder(),
    });
    this.#target = () => target;
  }

  /** The last picture, once it is drawn; `undefined` before the first resize. */
  async readPixels(): Promise<Pixels | undefined> {
    await this.settled();
    const texture = this.#target()?.texture;
    return texture && this.device ? readPixels(this.device, texture) : undefined;
  }

  /** The last picture as a PNG file; `undefined` before the first resize. */
  async readPng(): Promise<Uint8Array | undefined> {
    const pixels = await this.readPixels();
    return pixels && encode({ ...pixels, channels: 4, depth: 8 });
  }
}
