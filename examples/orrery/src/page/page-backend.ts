import {
  canvasTarget,
  createWebGpuBackend,
  DEFAULT_PASSES,
  requestDevice,
  type CanvasLike,
  type WebGpuBackend,
} from '@ecliptic/render-webgpu';
import { ORRERY_LOOK } from './orrery-look.js';
import { starPass } from './star-pass.js';
import { sunGlowPass } from './sun-glow-pass.js';

/** The orrery's renderer on a canvas. */
export function pageBackend(canvas: OffscreenCanvas): WebGpuBackend {
  return createWebGpuBackend({
    device: () => requestDevice(navigator.gpu),
    target: canvasTarget(canvas as CanvasLike, navigator.gpu.getPreferredCanvasFormat()),
    settings: ORRERY_LOOK,
    passes: [...DEFAULT_PASSES, starPass, sunGlowPass],
  });
}
