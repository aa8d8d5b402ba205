import { EclipticError } from '@ecliptic/core';
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

  /**
   * The last picture, once it is drawn.
   *
   * @throws EclipticError `render-webgpu/nothing-drawn` before the first frame, after `dispose`, and when the device was lost and not replaced
   */
  async readPixels(): Promise<Pixels> {
    await this.settled();
    const texture = this.#target()?.texture;
    if (!texture || !this.device || this.stats.frames === 0) {
      throw new EclipticError('render-webgpu/nothing-drawn', 'There is no picture to read', {
        fix: 'Draw a frame with this backend first, as with `loop.runOnce()` of `createInlineRender({ scene, clock, backend })`, and read it before `dispose`.',
      });
    }
    return readPixels(this.device, texture);
  }

  /**
   * The last picture as a PNG file.
   *
   * @throws EclipticError `render-webgpu/nothing-drawn` as {@link OffscreenBackend.readPixels}
   */
  async readPng(): Promise<Uint8Array> {
    return encode({ ...(await this.readPixels()), channels: 4, depth: 8 });
  }
}
