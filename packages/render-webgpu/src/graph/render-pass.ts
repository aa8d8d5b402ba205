import type { Gpu } from '../device/gpu.js';
import type { FrameScene } from '../scene/frame-scene.js';
import type { PassAccess } from './pass-order.js';
import type { TextureDescription } from './texture-description.js';

/** What a pass draws with, in one frame. */
export interface PassContext {
  readonly gpu: Gpu;
  readonly encoder: GPUCommandEncoder;
  /** Camera, lights, instances and overlay of the frame. */
  readonly scene: FrameScene;
  /** Size of the target in pixels. */
  readonly width: number;
  readonly height: number;
  /** Changes when the graph's textures were made anew: make bind groups with {@link PassContext.view} again then. */
  readonly texturesVersion: number;
  /**
   * A texture that the pass reads or writes.
   *
   * @throws EclipticError `render-webgpu/undeclared-access`
   */
  readonly view: (texture: string) => GPUTextureView;
  /**
   * Begins drawing to textures that the pass writes: cleared if no earlier pass of the frame drew to them, else kept. It is
   * timed under the pass's name where the device can.
   *
   * @param colors - in the order of the fragment shader's outputs
   * @param depth - a depth texture to test against; one that the pass only reads is not written to
   * @throws EclipticError `render-webgpu/undeclared-access`
   */
  readonly beginRenderPass: (colors: readonly string[], depth?: string) => GPURenderPassEncoder;
}

/**
 * A step of drawing a frame, made by a {@link RenderPassFactory} for one device; after a lost one it is made anew.
 *
 * @example
 * ```ts
 * const vignette: RenderPassFactory = (gpu) => {
 *   const pipeline = makePipeline(gpu);
 *   return {
 *     name: 'vignette',
 *     reads: [],
 *     writes: [TARGET],
 *     execute({ beginRenderPass }) {
 *       const pass = beginRenderPass([TARGET]);
 *       pass.setPipeline(pipeline);
 *       pass.draw(3);
 *       pass.end();
 *     },
 *   };
 * };
 * ```
 */
export interface RenderPass extends PassAccess {
  /** Textures that it brings into the graph. */
  readonly textures?: readonly TextureDescription[];
  /** Whether it has anything to do in this frame; the textures that it would draw to first are cleared anyway. Default: always. */
  isNeeded?(scene: FrameScene): boolean;
  /** Records its commands. Once a frame, on the render thread: what can be made once belongs into the factory. */
  execute(context: PassContext): void;
  /** Releases what the factory made. */
  dispose?(): void;
}

/** Makes a pass for a device. */
export type RenderPassFactory = (gpu: Gpu) => RenderPass;
