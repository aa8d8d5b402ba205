import { FULL_SCREEN_WGSL } from '../shaders/full-screen.wgsl.js';
import { MIPMAP_WGSL } from '../shaders/mipmap.wgsl.js';

/** Fills the smaller levels of textures on the device. */
export class MipmapMaker {
  readonly #device: GPUDevice;
  #module: GPUShaderModule | undefined;
  readonly #sampler: GPUSampler;
  readonly #pipelines = new Map<GPUTextureFormat, GPURenderPipeline>();

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#sampler = device.createSampler({ minFilter: 'linear', magFilter: 'linear' });
  }

  /** @param colorSpace - what the levels are averaged in */
  fill(texture: GPUTexture, colorSpace: 'srgb' | 'linear'): void {
    if (texture.mipLevelCount < 2) return;
    const format = colorSpace === 'srgb' ? 'rgba8unorm-srgb' : 'rgba8unorm';
    const pipeline = this.#pipeline(format);
    const encoder = this.#device.createCommandEncoder({ label: 'mipmaps' });
    for (let level = 1; level < texture.mipLevelCount; level++) {
      const view = (baseMipLevel: number): GPUTextureView =>
        texture.createView({ format, baseMipLevel, mipLevelCount: 1 });
      const group = this.#device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
          { binding: 0, resource: view(level - 1) },
          { binding: 1, resource: this.#sampler },
        ],
      });
      const pass = encoder.beginRenderPass({
        colorAttachments: [{ view: view(level), loadOp: 'clear', storeOp: 'store' }],
      });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.draw(3);
      pass.end();
    }
    this.#device.queue.submit([encoder.finish()]);
  }

  #pipeline(format: GPUTextureFormat): GPURenderPipeline {
    let pipeline = this.#pipelines.get(format);
    if (!pipeline) {
      const module = (this.#module ??= this.#device.createShaderModule({
        label: 'mipmap',
        code: FULL_SCREEN_WGSL + MIPMAP_WGSL,
      }));
      pipeline = this.#device.createRenderPipeline({
        label: `mipmap ${format}`,
        layout: 'auto',
        vertex: { module },
        fragment: { module, targets: [{ format }] },
      });
      this.#pipelines.set(format, pipeline);
    }
    return pipeline;
  }
}
