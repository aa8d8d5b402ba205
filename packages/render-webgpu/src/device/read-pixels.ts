import { EclipticError } from '@ecliptic/core';
import { BUFFER_USAGE, MAP_READ } from './gpu-flags.js';

/** A picture in memory. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha; rows from the top, without gaps. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A part of a picture, in pixels from the top left. */
export interface PixelRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rows of a copy start at multiples of this. */
const ROW_ALIGNMENT = 256;

/**
 * Reads a texture back, as it is after what was submitted so far.
 *
 * @param region - what of it; default: all
 * @throws EclipticError `render-webgpu/unreadable-format` for a format that isn't `rgba8unorm`, `bgra8unorm` or their sRGB forms
 */
export async function readPixels(
  device: GPUDevice,
  texture: GPUTexture,
  region?: PixelRegion,
): Promise<Pixels> {
  const { format } = texture;
  const { x, y, width, height } = region ?? {
    x: 0,
    y: 0,
    width: texture.width,
    height: texture.height,
  };
  if (!/^(rgba|bgra)8unorm(-srgb)?$/.test(format)) {
    throw new EclipticError(
      'render-webgpu/unreadable-format',
      `Pixels of ${format} can't be read`,
      {
        subjects: { format },
        fix: 'Draw to a target of rgba8unorm.',
      },
    );
  }
  const bytesPerRow = Math.ceil((width * 4) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
  const buffer = device.createBuffer({
    label: 'read back',
    size: bytesPerRow * height,
    usage: BUFFER_USAGE.copyDestination | BUFFER_USAGE.mapRead,
  });
  try {
    const encoder = device.createCommandEncoder({ label: 'read back' });
    encoder.copyTextureToBuffer({ texture, origin: [x, y] }, { buffer, bytesPerRow }, [
      width,
      height,
    ]);
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(MAP_READ);
    const mapped = new Uint8Array(buffer.getMappedRange());
    const data = new Uint8Array(width * height * 4);
    for (let row = 0; row < height; row++) {
      const from = row * bytesPerRow;
      data.set(mapped.subarray(from, from + width * 4), row * width * 4);
    }
    if (format.startsWith('bgra')) swapRedAndBlue(data);
    return { width, height, data };
  } finally {
    buffer.destroy();
  }
}

function swapRedAndBlue(data: Uint8Array): void {
  for (let i = 0; i < data.length; i += 4) {
    const blue = data[i] as number;
    data[i] = data[i + 2] as number;
    data[i + 2] = blue;
  }
}
