import type { RenderSettings } from '../render-settings.js';
import { SHADER_STAGE } from './gpu-flags.js';

/** A device, and what everything that draws on it shares. */
export interface Gpu {
  readonly device: GPUDevice;
  /** Of the target. */
  readonly targetFormat: GPUTextureFormat;
  readonly settings: RenderSettings;
  /** Group 0 of every pipeline: frame, transforms, lights, environment map; see `FRAME_WGSL`. */
  readonly frameLayout: GPUBindGroupLayout;
  /** Group 1 of pipelines that draw meshes: a material. */
  readonly materialLayout: GPUBindGroupLayout;
  /** Linear, also between levels; clamped. */
  readonly environmentSampler: GPUSampler;
}

/** Makes what is shared on a device. */
export function createGpu(
  device: GPUDevice,
  targetFormat: GPUTextureFormat,
  settings: RenderSettings,
): Gpu {
  const frameLayout = device.createBindGroupLayout({
    label: 'frame',
    entries: [
      { binding: 0, visibility: SHADER_STAGE.both, buffer: { type: 'uniform' } },
      { binding: 1, visibility: SHADER_STAGE.vertex, buffer: { type: 'read-only-storage' } },
      { binding: 2, visibility: SHADER_STAGE.fragment, buffer: { type: 'read-only-storage' } },
      { binding: 3, visibility: SHADER_STAGE.fragment, texture: { viewDimension: 'cube' } },
      { binding: 4, visibility: SHADER_STAGE.fragment, texture: {} },
      { binding: 5, visibility: SHADER_STAGE.fragment, sampler: {} },
    ],
  });
  const entries: GPUBindGroupLayoutEntry[] = [
    { binding: 0, visibility: SHADER_STAGE.fragment, buffer: { type: 'uniform' } },
  ];
  for (let slot = 0; slot < 5; slot++) {
    entries.push(
      { binding: 1 + slot * 2, visibility: SHADER_STAGE.fragment, texture: {} },
      { binding: 2 + slot * 2, visibility: SHADER_STAGE.fragment, sampler: {} },
    );
  }
  const materialLayout = device.createBindGroupLayout({ label: 'material', entries });
  const environmentSampler = device.createSampler({
    label: 'environment',
    magFilter: 'linear',
    minFilter: 'linear',
    mipmapFilter: 'linear',
  });
  return { device, targetFormat, settings, frameLayout, materialLayout, environmentSampler };
}
