import type { RenderPassFactory } from '../graph/render-pass.js';
import { blendPass } from './blend-pass.js';
import { debugLinesPass } from './debug-lines-pass.js';
import { gridPass } from './grid-pass.js';
import { bloomPasses, lightingPass, skyPass, toneMappingPass } from './light-passes.js';
import { depthPrePass, gBufferPass, shadowPass } from './mesh-passes.js';
import { overlayPass } from './overlay-pass.js';

/** The passes of a backend that isn't told otherwise, in their order. */
export const DEFAULT_PASSES: readonly RenderPassFactory[] = [
  shadowPass,
  depthPrePass,
  gBufferPass,
  lightingPass,
  skyPass,
  blendPass,
  ...bloomPasses,
  toneMappingPass,
  gridPass,
  debugLinesPass,
  overlayPass,
];
