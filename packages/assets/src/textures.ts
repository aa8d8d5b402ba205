/**
 * Textures as devices want them: where their mip levels lie, and KTX2 files in a format that one device reads. For
 * renderers; needs no importer.
 *
 * @packageDocumentation
 */
export {
  TEXEL_BLOCKS,
  textureLevels,
  type TexelBlock,
  type TextureLevel,
} from './textures/texel-formats.js';
export { TextureUnpacker } from './textures/texture-unpacker.js';
