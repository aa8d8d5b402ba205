import type { RenderPassFactory } from '../graph/render-pass.js';
import { TARGET } from '../graph/texture-description.js';
import { GRID_WGSL } from '../shaders/grid.wgsl.js';
import { FRAME_TEXTURES } from './frame-textures.js';
import { fullScreenPass, PREMULTIPLIED } from './full-screen-pass.js';

/** Lines on the ground, if the settings say so. */
export const gridPass: RenderPassFactory = (gpu) =>
  fullScreenPass(gpu, {
    name: 'grid',
    reads: [FRAME_TEXTURES.depth],
    writes: TARGET,
    code: GRID_WGSL,
    fragment: 'gridFragment',
    blend: PREMULTIPLIED,
    isNeeded: ({ hasCamera }) => gpu.settings.grid && hasCamera,
  });
