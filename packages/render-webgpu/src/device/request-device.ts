import { EclipticError } from '@ecliptic/core';
import { COMPRESSION_FEATURES } from './texel-formats.js';

/**
 * Asks for an adapter and its device, with timestamps and compressed textures where it has them.
 *
 * @param gpu - `navigator.gpu`
 * @throws EclipticError `render-webgpu/no-device`
 *
 * @example
 * ```ts
 * const device = await requestDevice(navigator.gpu);
 * ```
 */
export async function requestDevice(
  gpu: Pick<GPU, 'requestAdapter'> | undefined,
  options: GPURequestAdapterOptions = { powerPreference: 'high-performance' },
): Promise<GPUDevice> {
  let adapter: GPUAdapter | null | undefined;
  let cause: unknown;
  try {
    adapter = await gpu?.requestAdapter(options);
    if (adapter) {
      const { features } = adapter;
      const wanted: readonly GPUFeatureName[] = ['timestamp-query', ...COMPRESSION_FEATURES];
      const requiredFeatures = wanted.filter((feature) => features.has(feature));
      return await adapter.requestDevice({ label: 'ecliptic', requiredFeatures });
    }
  } catch (error) {
    cause = error;
  }
  throw new EclipticError(
    'render-webgpu/no-device',
    gpu === undefined ? 'This platform has no WebGPU' : 'WebGPU gives no device',
    {
      cause,
      fix: 'Use a browser with WebGPU and a working graphics driver, or render without it.',
    },
  );
}
