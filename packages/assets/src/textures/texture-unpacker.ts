import type { TexelFormat, TextureData } from '../data/texture-data.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { BasisCodec } from './basis-codec.js';

/**
 * Makes texels of textures that are KTX2 files, in a format that the device reads. For renderers.
 *
 * @example
 * ```ts
 * const unpacker = new TextureUnpacker();
 * const ready = await unpacker.unpack(texture, new Set(['bc7-rgba-unorm']));
 * for (const level of textureLevels(ready.texels, ready)) upload(ready.bytes, level);
 * ```
 */
export class TextureUnpacker {
  readonly #basis = new BasisCodec();

  /**
   * @param texture - with `image/ktx2` as its MIME type and no texels
   * @param formats - what the device reads; Basis Universal data becomes the best of them for it, or `rgba8unorm`
   * @throws ImportError as an import of the file
   */
  async unpack(
    texture: TextureData,
    formats: ReadonlySet<TexelFormat>,
  ): Promise<TextureData & Required<Pick<TextureData, 'texels'>>> {
    // Loaded with the first KTX2 file: its decompressors are large.
    const { readKtx2 } = await import('./read-ktx2.js');
    const content = await readKtx2(texture.bytes, new DiagnosticReport(texture.name));
    const { texels, bytes } =
      content.kind === 'texels'
        ? content
        : await this.#basis.transcode(texture.bytes, content.picture, formats);
    return { ...texture, texels, bytes };
  }
}
