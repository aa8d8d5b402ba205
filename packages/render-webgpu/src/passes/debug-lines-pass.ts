import { DEBUG_LINE_FLOATS } from '@ecliptic/render-sync';
import { SHADER_STAGE } from '../device/gpu-flags.js';
import type { RenderPassFactory } from '../graph/render-pass.js';
import { TARGET } from '../graph/texture-description.js';
import { DEBUG_LINES_WGSL } from '../shaders/debug-lines.wgsl.js';
import { FRAME_WGSL } from '../shaders/frame.wgsl.js';
import { SRGB_WGSL } from '../shaders/srgb.wgsl.js';
import { FRAME_TEXTURES } from './frame-textures.js';
import { PREMULTIPLIED } from './full-screen-pass.js';

const { depth } = FRAME_TEXTURES;

const ENDS_LAYOUT: GPUVertexBufferLayout = {
  arrayStride: DEBUG_LINE_FLOATS * 4,
  stepMode: 'instance',
  attributes: [
    { shaderLocation: 0, offset: 0, format: 'float32x3' },
    { shaderLocation: 1, offset: 12, format: 'float32x3' },
  ],
};
const COLOR_LAYOUT: GPUVertexBufferLayout = {
  arrayStride: 4,
  stepMode: 'instance',
  attributes: [{ shaderLocation: 2, offset: 0, format: 'unorm8x4' }],
};

/** Lines of debug drawing, a pixel wide: at full strength in front of everything, faint where something hides them. */
export const debugLinesPass: RenderPassFactory = ({ device, frameLayout, targetFormat }) => {
  const inputLayout = device.createBindGroupLayout({
    label: 'debug lines',
    entries: [{ binding: 0, visibility: SHADER_STAGE.fragment, texture: { sampleType: 'depth' } }],
  });
  let pipeline: GPURenderPipeline | undefined;
  let inputs: GPUBindGroup | undefined;
  let inputsVersion = -1;
  const makePipeline = (): GPURenderPipeline => {
    const code = FRAME_WGSL + SRGB_WGSL + DEBUG_LINES_WGSL;
    const module = device.createShaderModule({ label: 'debug lines', code });
    return device.createRenderPipeline({
      label: 'debug lines',
      layout: device.createPipelineLayout({ bindGroupLayouts: [frameLayout, inputLayout] }),
      vertex: { module, entryPoint: 'debugVertex', buffers: [ENDS_LAYOUT, COLOR_LAYOUT] },
      fragment: {
        module,
        entryPoint: 'debugFragment',
        constants: { encode: targetFormat.endsWith('-srgb') ? 0 : 1 },
        targets: [{ format: targetFormat, blend: PREMULTIPLIED }],
      },
      primitive: { topology: 'line-list' },
    });
  };
  return {
    name: 'debug-lines',
    reads: [depth],
    writes: [TARGET],
    isNeeded: ({ debugLines, hasCamera }) => hasCamera && debugLines.count > 0,
    execute({ beginRenderPass, view, scene, texturesVersion }) {
      if (!inputs || inputsVersion !== texturesVersion) {
        inputsVersion = texturesVersion;
        const entries = [{ binding: 0, resource: view(depth) }];
        inputs = device.createBindGroup({ label: 'debug lines', layout: inputLayout, entries });
      }
      const [ends, colors] = scene.debugLines.buffers;
      const pass = beginRenderPass([TARGET]);
      pass.setPipeline((pipeline ??= makePipeline()));
      pass.setBindGroup(0, scene.bindGroup);
      pass.setBindGroup(1, inputs);
      pass.setVertexBuffer(0, ends);
      pass.setVertexBuffer(1, colors);
      pass.draw(2, scene.debugLines.count);
      pass.end();
      scene.drawCalls++;
    },
  };
};
