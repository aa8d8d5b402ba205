import { DEFAULT_PASSES } from '@ecliptic/render-webgpu';
import { OffscreenBackend, openNodeGpu } from '@ecliptic/render-webgpu/node';
import { ORRERY_LOOK } from './orrery-look.js';
import { PictureBackend } from './picture-backend.js';
import { starPass } from './star-pass.js';
import { sunGlowPass } from './sun-glow-pass.js';

/** A renderer for pictures without a window, and how to let go of it once it is disposed of. */
export interface PictureMaker {
  readonly backend: PictureBackend;
  /** Name of the device's architecture. */
  readonly architecture: string;
  close(): void;
}

/** @throws EclipticError `render-webgpu/no-device`, `render-webgpu/no-webgpu-package` */
export async function openPicture(): Promise<PictureMaker> {
  const gpu = await openNodeGpu();
  const real = new OffscreenBackend({
    gpu,
    settings: ORRERY_LOOK,
    passes: [...DEFAULT_PASSES, starPass, sunGlowPass],
  });
  const backend = new PictureBackend(real);
  return { backend, architecture: gpu.architecture, close: () => gpu.close() };
}
