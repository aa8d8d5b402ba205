import { SKY_KINDS } from '@ecliptic/render-sync';
import type { RenderPassFactory } from '../graph/render-pass.js';
import { TARGET } from '../graph/texture-description.js';
import { BLOOM_WGSL } from '../shaders/bloom.wgsl.js';
import { LIGHTING_WGSL } from '../shaders/lighting.wgsl.js';
import { SHADING_WGSL } from '../shaders/shading.wgsl.js';
import { SKY_PASS_WGSL } from '../shaders/sky-pass.wgsl.js';
import { SKY_WGSL } from '../shaders/sky.wgsl.js';
import { SRGB_WGSL } from '../shaders/srgb.wgsl.js';
import { TONE_MAPPING_WGSL } from '../shaders/tone-mapping.wgsl.js';
import { FRAME_TEXTURES, LIGHT_FORMAT } from './frame-textures.js';
import { ADDITIVE, fullScreenPass, type Specialization } from './full-screen-pass.js';
import { seesMeshes } from './mesh-passes.js';

const { depth, albedo, surface, light, shadow, glow } = FRAME_TEXTURES;
const NO_SKY = SKY_KINDS.indexOf('none');
const COLOR_SKY = SKY_KINDS.indexOf('color');
const QUARTER = 0.25;
/** A pipeline for each kind of sky: what the others take would cost every pixel, on some devices. */
const KNOWN_SKY: Specialization = {
  key: ({ skyKind }) => skyKind,
  constants: (knownSky) => ({ knownSky }),
};

/** Light of all lights and of the sky on what the G-buffer holds. Every light is computed for every pixel. */
export const lightingPass: RenderPassFactory = (gpu) =>
  fullScreenPass(gpu, {
    name: 'lighting',
    reads: [albedo, surface, depth, shadow],
    sampler: 'comparison',
    writes: light,
    format: LIGHT_FORMAT,
    code: SKY_WGSL + LIGHTING_WGSL + SHADING_WGSL,
    fragment: 'lightingFragment',
    blend: ADDITIVE,
    on: 'surfaces',
    constants: { shadows: gpu.settings.shadowMapSize > 0 ? 1 : 0 },
    specialized: KNOWN_SKY,
    isNeeded: seesMeshes,
  });

/** One colour, an analytic sky or an environment map, where nothing else is. */
export const skyPass: RenderPassFactory = (gpu) =>
  fullScreenPass(gpu, {
    name: 'sky',
    reads: [depth],
    writes: light,
    format: LIGHT_FORMAT,
    code: SKY_WGSL + SKY_PASS_WGSL,
    fragment: 'skyFragment',
    blend: ADDITIVE,
    on: 'background',
    specialized: KNOWN_SKY,
    isNeeded: ({ skyKind, hasCamera }) =>
      skyKind !== NO_SKY && (hasCamera || skyKind === COLOR_SKY),
  });

/** What is brighter than white, blurred in two steps. */
export const bloomPasses: readonly RenderPassFactory[] = [
  bloom('bloom-bright', light, 'bright-light', 'bright'),
  bloom('bloom-blur-x', 'bright-light', 'blurred-light', 'blur', 1),
  bloom('bloom-blur-y', 'blurred-light', glow, 'blur', 0),
];

function bloom(
  name: string,
  from: string,
  to: string,
  fragment: string,
  horizontal?: number,
): RenderPassFactory {
  return (gpu) =>
    fullScreenPass(gpu, {
      name,
      reads: [from],
      sampler: 'linear',
      writes: to,
      format: LIGHT_FORMAT,
      code: BLOOM_WGSL,
      fragment,
      ...(horizontal === undefined ? {} : { constants: { horizontal } }),
      textures: [{ name: to, format: LIGHT_FORMAT, scale: QUARTER }],
      isNeeded: () => gpu.settings.bloom > 0,
    });
}

/** From light to the colours of the target. */
export const toneMappingPass: RenderPassFactory = (gpu) =>
  fullScreenPass(gpu, {
    name: 'tone-mapping',
    reads: [light, glow],
    sampler: 'linear',
    writes: TARGET,
    code: SRGB_WGSL + TONE_MAPPING_WGSL,
    fragment: 'toneMap',
    constants: { encode: gpu.targetFormat.endsWith('-srgb') ? 0 : 1 },
  });
