import type { RenderPassFactory } from '../graph/render-pass.js';
import type { FrameScene } from '../scene/frame-scene.js';
import { MeshPipelines, type MeshPipelineOptions } from '../scene/mesh-pipelines.js';
import { DEPTH_WGSL } from '../shaders/depth.wgsl.js';
import { FRAME_WGSL } from '../shaders/frame.wgsl.js';
import { G_BUFFER_WGSL } from '../shaders/g-buffer.wgsl.js';
import { MATERIAL_WGSL } from '../shaders/material.wgsl.js';
import { MESH_WGSL } from '../shaders/mesh.wgsl.js';
import { ALBEDO_FORMAT, DEPTH_FORMAT, FRAME_TEXTURES, LIGHT_FORMAT } from './frame-textures.js';

const { depth, albedo, surface, light, shadow } = FRAME_TEXTURES;

/** Whether the camera sees a mesh. */
export function seesMeshes(scene: FrameScene): boolean {
  return scene.hasCamera && scene.cameraDraws.visibleInstances > 0;
}

/** Pipelines of passes that write depth and nothing else. */
const DEPTH_ALONE: Omit<MeshPipelineOptions, 'label'> = {
  code: FRAME_WGSL + MESH_WGSL + DEPTH_WGSL,
  vertex: ({ cut }) => (cut ? 'depthMaskedVertex' : 'depthVertex'),
  fragment: ({ cut }) => (cut ? 'depthMasked' : undefined),
  colors: [],
  depth: { format: DEPTH_FORMAT, depthWriteEnabled: true, depthCompare: 'greater' },
};

/** Depth of everything that the light with shadows sees. */
export const shadowPass: RenderPassFactory = (gpu) => {
  const pipelines = new MeshPipelines(gpu, {
    ...DEPTH_ALONE,
    label: 'shadow',
    constants: { fromLight: 1 },
  });
  // The map is cleared in every frame, so it is small where it is never drawn to.
  const size = Math.max(1, gpu.settings.shadowMapSize);
  return {
    name: 'shadow',
    reads: [],
    writes: [shadow],
    textures: [{ name: shadow, format: DEPTH_FORMAT, size }],
    isNeeded: (scene) => scene.hasShadow,
    execute({ beginRenderPass, scene }) {
      const pass = beginRenderPass([], shadow);
      scene.drawMeshes(pass, 'shadow', pipelines);
      pass.end();
    },
  };
};

/** Depth of everything that the camera sees, so that the G-buffer is written once a pixel. */
export const depthPrePass: RenderPassFactory = (gpu) => {
  const pipelines = new MeshPipelines(gpu, {
    ...DEPTH_ALONE,
    label: 'depth pre-pass',
    draws: ({ blend }) => !blend,
  });
  return {
    name: 'depth-pre-pass',
    reads: [],
    writes: [depth],
    textures: [{ name: depth, format: DEPTH_FORMAT }],
    isNeeded: seesMeshes,
    execute({ beginRenderPass, scene }) {
      const pass = beginRenderPass([], depth);
      scene.drawMeshes(pass, 'camera', pipelines);
      pass.end();
    },
  };
};

/** What each visible surface is made of; and the light that it gives by itself. */
export const gBufferPass: RenderPassFactory = (gpu) => {
  const pipelines = new MeshPipelines(gpu, {
    label: 'g-buffer',
    code: FRAME_WGSL + MESH_WGSL + MATERIAL_WGSL + G_BUFFER_WGSL,
    vertex: () => 'gBufferVertex',
    fragment: () => 'gBufferFragment',
    colors: [ALBEDO_FORMAT, LIGHT_FORMAT, LIGHT_FORMAT],
    depth: { format: DEPTH_FORMAT, depthWriteEnabled: false, depthCompare: 'equal' },
    draws: ({ blend }) => !blend,
  });
  return {
    name: 'g-buffer',
    reads: [],
    writes: [depth, albedo, surface, light],
    textures: [
      { name: albedo, format: ALBEDO_FORMAT },
      { name: surface, format: LIGHT_FORMAT },
      { name: light, format: LIGHT_FORMAT, clear: [0, 0, 0, 1] },
    ],
    isNeeded: seesMeshes,
    execute({ beginRenderPass, scene }) {
      const pass = beginRenderPass([albedo, surface, light], depth);
      scene.drawMeshes(pass, 'camera', pipelines);
      pass.end();
    },
  };
};
