import {
  canvasTarget,
  createWebGpuBackend,
  DEFAULT_PASSES,
  requestDevice,
  type WebGpuBackend,
} from '@ecliptic/render-webgpu';
import { ORRERY_LOOK } from './orrery-look.js';
import { starPass } from './star-pass.js';
import { sunGlowPass } from './sun-glow-pass.js';

/**
 * The orrery's renderer on a canvas.
 *
 * @param asked - a device that was asked for before; default: it is asked for when the renderer starts
 */
export function pageBackend(canvas: OffscreenCanvas, asked?: Promise<GPUDevice>): WebGpuBackend {
  let first = asked;
  return createWebGpuBackend({
    device: () => {
      const device = first ?? requestDevice(navigator.gpu);
      // Another one is wanted only when that is lost.
      first = undefined;
      return device;
    },
    warmUp: {},
    target: canvasTarget(canvas, navigator.gpu.getPreferredCanvasFormat()),
    settings: ORRERY_LOOK,
    passes: [...DEFAULT_PASSES, starPass, sunGlowPass],
  });
}
