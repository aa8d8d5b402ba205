import { SHADER_STAGE } from '../device/gpu-flags.js';
import type { RenderPassFactory } from '../graph/render-pass.js';
import { MeshPipelines } from '../scene/mesh-pipelines.js';
import { BLEND_WGSL } from '../shaders/blend.wgsl.js';
import { FRAME_WGSL } from '../shaders/frame.wgsl.js';
import { MATERIAL_WGSL } from '../shaders/material.wgsl.js';
import { MESH_WGSL } from '../shaders/mesh.wgsl.js';
import { SHADING_WGSL } from '../shaders/shading.wgsl.js';
import { SKY_WGSL } from '../shaders/sky.wgsl.js';
import { DEPTH_FORMAT, FRAME_TEXTURES, LIGHT_FORMAT } from './frame-textures.js';
import { PREMULTIPLIED } from './full-screen-pass.js';

const { depth, light, shadow } = FRAME_TEXTURES;

/** Surfaces that what is behind shines through, lit at once, from the back to the front. Nothing is made before there is one. */
export const blendPass: RenderPassFactory = (gpu) => {
  const { device } = gpu;
  const inputLayout = device.createBindGroupLayout({
    label: 'blend',
    entries: [
      { binding: 0, visibility: SHADER_STAGE.fragment, texture: { sampleType: 'depth' } },
      { binding: 1, visibility: SHADER_STAGE.fragment, sampler: { type: 'comparison' } },
    ],
  });
  const sampler = device.createSampler({
    compare: 'greater-equal',
    minFilter: 'linear',
    magFilter: 'linear',
  });
  let pipelines: MeshPipelines | undefined;
  let inputs: GPUBindGroup | undefined;
  let inputsVersion = -1;
  return {
    name: 'blend',
    reads: [depth, shadow],
    writes: [light],
    isNeeded: ({ blended }) => blended.count > 0,
    execute({ beginRenderPass, view, scene, texturesVersion }) {
      pipelines ??= new MeshPipelines(gpu, {
        label: 'blend',
        code: FRAME_WGSL + MESH_WGSL + MATERIAL_WGSL + SKY_WGSL + BLEND_WGSL + SHADING_WGSL,
        vertex: () => 'blendVertex',
        fragment: () => 'blendFragment',
        colors: [LIGHT_FORMAT],
        depth: { format: DEPTH_FORMAT, depthWriteEnabled: false, depthCompare: 'greater-equal' },
        blend: PREMULTIPLIED,
        inputs: inputLayout,
      });
      if (!inputs || inputsVersion !== texturesVersion) {
        inputsVersion = texturesVersion;
        const entries = [
          { binding: 0, resource: view(shadow) },
          { binding: 1, resource: sampler },
        ];
        inputs = device.createBindGroup({ label: 'blend', layout: inputLayout, entries });
      }
      const pass = beginRenderPass([light], depth);
      scene.drawBlended(pass, pipelines, inputs);
      pass.end();
    },
  };
};
