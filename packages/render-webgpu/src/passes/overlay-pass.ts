import { QUAD_FLOATS } from '@ecliptic/render-sync';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import type { RenderPassFactory } from '../graph/render-pass.js';
import { TARGET } from '../graph/texture-description.js';
import { OVERLAY_WGSL } from '../shaders/overlay.wgsl.js';
import { SRGB_WGSL } from '../shaders/srgb.wgsl.js';
import { PREMULTIPLIED } from './full-screen-pass.js';

const QUAD_LAYOUT: GPUVertexBufferLayout = {
  arrayStride: QUAD_FLOATS * 4,
  stepMode: 'instance',
  attributes: [0, 1, 2, 3, 4].map((shaderLocation) => {
    return { shaderLocation, offset: shaderLocation * 16, format: 'float32x4' };
  }),
};

/** The quads of the overlay, in order: boxes with round corners and borders, and glyphs. Without the font's texture there is no text. */
export const overlayPass: RenderPassFactory = ({ device, targetFormat }) => {
  let made: GPURenderPipeline | undefined;
  const size = device.createBuffer({
    label: 'overlay size',
    size: 16,
    usage: BUFFER_USAGE.uniform | BUFFER_USAGE.copyDestination,
  });
  const linear = device.createSampler({ minFilter: 'linear', magFilter: 'linear' });
  let group: GPUBindGroup | undefined;
  let atlas: GPUTextureView | undefined;
  return {
    name: 'overlay',
    reads: [],
    writes: [TARGET],
    isNeeded: ({ overlay }) => overlay.count > 0,
    execute({ beginRenderPass, scene, width, height }) {
      const pipeline = (made ??= makePipeline(device, targetFormat));
      device.queue.writeBuffer(size, 0, new Float32Array([width, height, 0, 0]));
      if (!group || atlas !== scene.overlay.atlas) {
        atlas = scene.overlay.atlas;
        group = device.createBindGroup({
          label: 'overlay',
          layout: pipeline.getBindGroupLayout(0),
          entries: [
            { binding: 0, resource: { buffer: size } },
            { binding: 1, resource: atlas },
            { binding: 2, resource: linear },
          ],
        });
      }
      const pass = beginRenderPass([TARGET]);
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.setVertexBuffer(0, scene.overlay.buffer);
      pass.draw(4, scene.overlay.count);
      pass.end();
      scene.drawCalls++;
    },
    dispose: () => size.destroy(),
  };
};

function makePipeline(device: GPUDevice, format: GPUTextureFormat): GPURenderPipeline {
  const module = device.createShaderModule({ label: 'overlay', code: SRGB_WGSL + OVERLAY_WGSL });
  return device.createRenderPipeline({
    label: 'overlay',
    layout: 'auto',
    vertex: { module, entryPoint: 'overlayVertex', buffers: [QUAD_LAYOUT] },
    fragment: {
      module,
      entryPoint: 'overlayFragment',
      constants: { encode: format.endsWith('-srgb') ? 0 : 1 },
      targets: [{ format, blend: PREMULTIPLIED }],
    },
    primitive: { topology: 'triangle-strip' },
  });
}
