import { existsSync } from 'node:fs';
import { EclipticError } from '@ecliptic/core';
import { requestDevice } from '../device/request-device.js';

/** Where distributions put a driver that computes in software, for machines without a graphics card. */
const SOFTWARE_DRIVERS = ['/usr/lib/chromium/vk_swiftshader_icd.json'];

/** Options of {@link openNodeGpu}. */
export interface NodeGpuOptions {
  /**
   * Description file (ICD) of the Vulkan driver to use. Default: what `VK_ICD_FILENAMES` says, then the machine's own drivers,
   * then SwiftShader of an installed Chromium. Only the first call in a process can choose.
   */
  readonly driver?: string;
}

/** WebGPU in Node. */
export interface NodeGpu {
  /** A device, another one with each call; for `WebGpuBackendOptions.device`. */
  readonly requestDevice: () => Promise<GPUDevice>;
  /** Name of the adapter's architecture, as `swiftshader`. */
  readonly architecture: string;
  /** Lets go of WebGPU; until then the process doesn't end. Devices that are still there end too. */
  close(): void;
}

/**
 * Opens WebGPU by the npm package `webgpu`, an optional peer dependency.
 *
 * @throws EclipticError `render-webgpu/no-webgpu-package`, `render-webgpu/no-device`
 *
 * @example
 * ```ts
 * const gpu = await openNodeGpu();
 * const device = await gpu.requestDevice();
 * gpu.close();
 * ```
 */
export async function openNodeGpu(options: NodeGpuOptions = {}): Promise<NodeGpu> {
  const webgpu = await loadWebGpu();
  if (options.driver !== undefined) process.env['VK_ICD_FILENAMES'] = options.driver;
  let gpu: GPU | undefined = webgpu.create([]);
  let adapter = await gpu.requestAdapter();
  const software = SOFTWARE_DRIVERS.find((path) => existsSync(path));
  if (!adapter && software !== undefined && process.env['VK_ICD_FILENAMES'] === undefined) {
    // Drivers are looked for once an instance, so there has to be another one.
    process.env['VK_ICD_FILENAMES'] = software;
    gpu = webgpu.create([]);
    adapter = await gpu.requestAdapter();
  }
  if (!adapter) {
    throw new EclipticError('render-webgpu/no-device', 'WebGPU gives no adapter', {
      fix: 'Install a Vulkan driver; on Debian `chromium` and `libvulkan1` bring one that needs no graphics card.',
    });
  }
  return {
    requestDevice: () => requestDevice(gpu, {}),
    architecture: adapter.info.architecture,
    close() {
      gpu = undefined;
    },
  };
}

interface WebGpuPackage {
  create(flags: string[]): GPU;
}

async function loadWebGpu(): Promise<WebGpuPackage> {
  try {
    return (await import('webgpu')) as unknown as WebGpuPackage;
  } catch (cause) {
    throw new EclipticError(
      'render-webgpu/no-webgpu-package',
      'The package `webgpu` is not there',
      {
        cause,
        fix: 'Run `npm install webgpu`.',
      },
    );
  }
}
