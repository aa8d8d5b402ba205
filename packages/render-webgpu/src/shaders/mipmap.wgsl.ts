/** The next smaller level of a texture. After FULL_SCREEN_WGSL. */
export const MIPMAP_WGSL: string = /* wgsl */ `
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;

@fragment fn halve(in: FullScreen) -> @location(0) vec4f {
  return textureSampleLevel(source, linear, in.uv, 0.0);
}
`;
