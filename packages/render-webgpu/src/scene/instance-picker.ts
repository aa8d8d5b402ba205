import { BUFFER_USAGE, MAP_READ, TEXTURE_USAGE } from '../device/gpu-flags.js';
import type { Gpu } from '../device/gpu.js';
import { FRAME_WGSL } from '../shaders/frame.wgsl.js';
import { MESH_WGSL } from '../shaders/mesh.wgsl.js';
import { PICK_WGSL } from '../shaders/pick.wgsl.js';
import type { FrameScene } from './frame-scene.js';
import { MeshPipelines } from './mesh-pipelines.js';

const NUMBER_FORMAT = 'r32uint';
const DEPTH_FORMAT = 'depth32float';
const BYTES = 4;

/** Finds out which instance is seen at a pixel: draws the frame's meshes once more, as numbers, where that pixel is. */
export class InstancePicker {
  readonly #gpu: Gpu;
  #pipelines: MeshPipelines | undefined;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /**
   * Submits at once, so it is about the frame that `scene` holds now. Of what blends, the foremost counts.
   *
   * @param x - physical pixels from the left
   * @param y - physical pixels from the top
   * @returns id of the instance; `undefined` where there is none
   */
  async pick(
    scene: FrameScene,
    x: number,
    y: number,
    width: number,
    height: number,
  ): Promise<number | undefined> {
    if (!scene.hasCamera) return undefined;
    const { device } = this.#gpu;
    const { ids } = scene.instances;
    const size = [width, height];
    const { attachment, copySource } = TEXTURE_USAGE;
    const numbers = device.createTexture({
      label: 'pick',
      format: NUMBER_FORMAT,
      size,
      usage: attachment | copySource,
    });
    const depth = device.createTexture({
      label: 'pick depth',
      format: DEPTH_FORMAT,
      size,
      usage: attachment,
    });
    const answer = device.createBuffer({
      label: 'pick',
      size: BYTES,
      usage: BUFFER_USAGE.copyDestination | BUFFER_USAGE.mapRead,
    });
    try {
      const encoder = device.createCommandEncoder({ label: 'pick' });
      const pass = encoder.beginRenderPass({
        label: 'pick',
        colorAttachments: [{ view: numbers.createView(), loadOp: 'clear', storeOp: 'store' }],
        depthStencilAttachment: {
          view: depth.createView(),
          depthLoadOp: 'clear',
          depthStoreOp: 'discard',
          depthClearValue: 0,
        },
      });
      pass.setScissorRect(x, y, 1, 1);
      scene.drawMeshes(pass, 'camera', (this.#pipelines ??= this.#makePipelines()));
      pass.end();
      encoder.copyTextureToBuffer({ texture: numbers, origin: [x, y] }, { buffer: answer }, [1, 1]);
      device.queue.submit([encoder.finish()]);
      await answer.mapAsync(MAP_READ);
      const [number = 0] = new Uint32Array(answer.getMappedRange());
      return number === 0 ? undefined : ids[number - 1];
    } finally {
      numbers.destroy();
      depth.destroy();
      answer.destroy();
    }
  }

  #makePipelines(): MeshPipelines {
    return new MeshPipelines(this.#gpu, {
      label: 'pick',
      code: FRAME_WGSL + MESH_WGSL + PICK_WGSL,
      vertex: () => 'pickVertex',
      fragment: () => 'pickFragment',
      colors: [NUMBER_FORMAT],
      depth: { format: DEPTH_FORMAT, depthWriteEnabled: true, depthCompare: 'greater' },
    });
  }
}
