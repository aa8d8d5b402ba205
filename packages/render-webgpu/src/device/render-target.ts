import { EclipticError } from '@ecliptic/core';
import { TEXTURE_USAGE } from './gpu-flags.js';

/** What a backend draws to. */
export interface RenderTarget {
  readonly format: GPUTextureFormat;
  /** Physical pixels, at least 1 each. */
  resize(width: number, height: number): void;
  /** The image of this frame; `undefined`: there is none, nothing is drawn. */
  acquire(): GPUTexture | undefined;
  dispose(): void;
}

/** Makes a target on a device; again for another one after a loss. */
export type RenderTargetFactory = (device: GPUDevice) => RenderTarget;

/** A canvas, or `OffscreenCanvas`, as far as it is used. */
export interface CanvasLike {
  width: number;
  height: number;
  /** Gives a `GPUCanvasContext`; for `OffscreenCanvas` TypeScript's types don't say so. */
  getContext(kind: 'webgpu'): object | null;
}

/**
 * Draws to a canvas.
 *
 * @param format - as `navigator.gpu.getPreferredCanvasFormat()` says
 * @throws EclipticError `render-webgpu/no-canvas-context` when the target is made, if the canvas has another kind of context
 */
export function canvasTarget(canvas: CanvasLike, format: GPUTextureFormat): RenderTargetFactory {
  return (device) => {
    const context = canvas.getContext('webgpu') as GPUCanvasContext | null;
    if (context === null) {
      throw new EclipticError(
        'render-webgpu/no-canvas-context',
        'The canvas gives no WebGPU context',
        {
          fix: 'Use a canvas that no other context was taken from, in a browser with WebGPU.',
        },
      );
    }
    // Its images can be read back.
    const usage = TEXTURE_USAGE.attachment | TEXTURE_USAGE.copySource;
    context.configure({ device, format, usage, alphaMode: 'opaque' });
    return {
      format,
      resize(width, height) {
        canvas.width = width;
        canvas.height = height;
      },
      acquire: () => context.getCurrentTexture(),
      dispose: () => context.unconfigure(),
    };
  };
}

/** A target that is a texture of its own, for pictures without a window. */
export interface TextureTarget extends RenderTarget {
  /** What was drawn last; `undefined` before the first {@link RenderTarget.resize}. */
  readonly texture: GPUTexture | undefined;
}

/** Draws to a texture that can be sampled and copied from. */
export function textureTarget(
  device: GPUDevice,
  format: GPUTextureFormat = 'rgba8unorm',
): TextureTarget {
  let texture: GPUTexture | undefined;
  return {
    format,
    get texture() {
      return texture;
    },
    resize(width, height) {
      texture?.destroy();
      texture = device.createTexture({
        label: 'target',
        format,
        size: [width, height],
        usage: TEXTURE_USAGE.attachment | TEXTURE_USAGE.copySource | TEXTURE_USAGE.sampled,
      });
    },
    acquire: () => texture,
    dispose: () => texture?.destroy(),
  };
}
