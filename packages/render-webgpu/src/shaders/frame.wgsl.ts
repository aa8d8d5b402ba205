/** Group 0 of every pipeline. The layout of `Frame` is that of `FrameUniforms`. */
export const FRAME_WGSL: string = /* wgsl */ `
// Of most things that are no metal: an index of refraction of 1.5.
const USUAL_REFLECTANCE = 0.04;

struct Frame {
  viewProjection: mat4x4f,
  inverseViewProjection: mat4x4f,
  shadowViewProjection: mat4x4f,
  cameraPosition: vec3f,
  exposure: f32,
  size: vec2f,
  ambient: f32,
  skyRotation: f32,
  skyColor: vec3f,
  skyKind: u32,
  // Towards the light that the sky shows as a sun; 0 for none.
  sunDirection: vec3f,
  lightCount: u32,
  sunColor: vec3f,
  // Index of the light with a shadow map; lightCount or more for none.
  shadowLight: u32,
  bloom: f32,
  // Spherical harmonics of what a white surface reflects of the environment map.
  irradiance: array<vec4f, 9>,
}

struct Light {
  position: vec3f,
  // 0 directional, 1 point, 2 spot
  kind: u32,
  // Times intensity.
  color: vec3f,
  range: f32,
  // Towards where it comes from, along its axis.
  direction: vec3f,
  cosOuter: f32,
  cosInner: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> transforms: array<vec4f>;
@group(0) @binding(2) var<storage, read> lights: array<Light>;
// From a mirror image to roughness 1, level by level.
@group(0) @binding(3) var environmentTexture: texture_cube<f32>;
// Scale and offset of F0, by cosine and roughness.
@group(0) @binding(4) var brdfTexture: texture_2d<f32>;
@group(0) @binding(5) var environmentSampler: sampler;
`;
