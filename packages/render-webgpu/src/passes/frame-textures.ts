/** Textures between the built-in passes, for passes that read or add to them. */
export const FRAME_TEXTURES = {
  /** Depth of the scene, reversed: 1 near, 0 where nothing is. */
  depth: 'depth',
  /** Base colour, and occlusion. */
  albedo: 'albedo',
  /** Octahedral normal, metalness, roughness. */
  surface: 'surface',
  /** Light that reaches the camera, linear, before tone mapping. */
  light: 'light',
  /** Depth from the light that casts shadows. */
  shadow: 'shadow-depth',
  /** Glow of what is brighter than white, a quarter of the size. */
  glow: 'glow',
} as const;

/** Of {@link FRAME_TEXTURES} `albedo`. */
export const ALBEDO_FORMAT = 'rgba8unorm-srgb';
/** Of {@link FRAME_TEXTURES} `depth` and `shadow`. */
export const DEPTH_FORMAT = 'depth32float';
/** Of {@link FRAME_TEXTURES} `light`, `surface` and `glow`. */
export const LIGHT_FORMAT = 'rgba16float';
