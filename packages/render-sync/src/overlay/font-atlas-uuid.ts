/** Uuid of the texture that overlays take their glyphs from: `fontAtlas` of `@ecliptic/render-sync/overlay`, or your own. */
export const FONT_ATLAS_UUID = 'b0a1c8de-6f4e-4a7b-9d5b-0f3f0e7c2a61';
