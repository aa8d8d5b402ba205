import { EclipticError } from '@ecliptic/core';
import { convertIndexedToRgb, decode as decodePng, type DecodedPng } from 'fast-png';
import jpeg from 'jpeg-js';
import type { ImageDecoder } from '../materials/decode-image.js';

/**
 * Decodes PNG and JPEG files, at once.
 *
 * @throws EclipticError `render-webgpu/image-format` for other formats; what the decoder says about a broken file
 */
export function nodeDecoder(): ImageDecoder {
  return ({ mime, bytes }) => {
    if (mime === 'image/png') return fromPng(decodePng(bytes));
    if (mime === 'image/jpeg') {
      const { width, height, data } = jpeg.decode(bytes, { useTArray: true, formatAsRGBA: true });
      return { width, height, pixels: Uint8Array.from(data) };
    }
    throw new EclipticError('render-webgpu/image-format', `There is no decoder for ${mime}`, {
      subjects: { mime },
      fix: 'Save it as PNG or JPEG.',
    });
  };
}

/** Any kind of PNG as 8-bit red, green, blue, alpha. */
function fromPng(png: DecodedPng): {
  width: number;
  height: number;
  pixels: Uint8Array<ArrayBuffer>;
} {
  const { width, height } = png;
  const data = png.palette ? convertIndexedToRgb(png) : png.data;
  const channels = data.length / (width * height);
  const divisor = png.palette ? 1 : (2 ** png.depth - 1) / 255;
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const at = (channel: number): number => (data[i * channels + channel] ?? 0) / divisor;
    const gray = channels < 3;
    pixels[i * 4] = at(0);
    pixels[i * 4 + 1] = gray ? at(0) : at(1);
    pixels[i * 4 + 2] = gray ? at(0) : at(2);
    pixels[i * 4 + 3] = channels % 2 === 0 ? at(channels - 1) : 255;
  }
  return { width, height, pixels };
}
