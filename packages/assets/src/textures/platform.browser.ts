import type { BasisModule } from './basis-module.js';
import type { RgbaImage } from './mip-chain.js';
import type { TexturePlatform } from './texture-platform.js';

/** What the package exports in browsers; types are resolved as in Node. */
interface BrowserBasis {
  readonly BrowserBasisEncoder: new () => { init(): Promise<BasisModule> };
}

export const platform: TexturePlatform = {
  async decodeImage(bytes, mime) {
    // A copy: a blob can't be made of shared memory.
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: mime }), {
      colorSpaceConversion: 'none',
      premultiplyAlpha: 'none',
      imageOrientation: 'none' as ImageOrientation, // TypeScript knows its new name only
    });
    try {
      return readByWebGl(bitmap) ?? readByCanvas(bitmap);
    } finally {
      bitmap.close();
    }
  },
  async loadBasis() {
    const { BrowserBasisEncoder } = (await import('ktx2-encoder')) as unknown as BrowserBasis;
    return new BrowserBasisEncoder().init();
  },
};

/** The very pixels, or `undefined` where there is no WebGL or it takes no image as large as that. */
function readByWebGl(bitmap: ImageBitmap): RgbaImage | undefined {
  const { width, height } = bitmap;
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl || Math.max(width, height) > Number(gl.getParameter(gl.MAX_TEXTURE_SIZE))) {
    return undefined;
  }
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const isRead = gl.getError() === gl.NO_ERROR;
  // Browsers keep few contexts.
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return isRead ? { width, height, pixels } : undefined;
}

/** A canvas loses the colours of transparent pixels. */
function readByCanvas(bitmap: ImageBitmap): RgbaImage {
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  if (!canvas) throw new Error('The browser has no canvas');
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  return { width, height, pixels: new Uint8Array(data.buffer) };
}
