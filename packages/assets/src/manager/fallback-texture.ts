import type { TextureData } from '../data/texture-data.js';
import { decodeBase64 } from '../images/base64.js';

/** A PNG of 4 × 4 pixels, each (255, 0, 150). */
const HOT_PINK =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEUlEQVR42mP4zzANjhiI4wAAmQIZUWbJ/gcAAAAASUVORK5CYII=';

/** What is shown where a texture is missing or not there yet: 4 × 4 pixels of a pink that no artist chooses. */
export function fallbackTexture(): TextureData {
  return {
    name: 'fallback',
    mime: 'image/png',
    width: 4,
    height: 4,
    colorSpace: 'srgb',
    bytes: decodeBase64(HOT_PINK) ?? new Uint8Array(0),
  };
}
