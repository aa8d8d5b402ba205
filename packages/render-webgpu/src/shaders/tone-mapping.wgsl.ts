/** From light to the target's colours. After FRAME_WGSL, FULL_SCREEN_WGSL and SRGB_WGSL. */
export const TONE_MAPPING_WGSL: string = /* wgsl */ `
@group(1) @binding(0) var source: texture_2d<f32>;
@group(1) @binding(1) var glow: texture_2d<f32>;
@group(1) @binding(2) var linear: sampler;

// Rational fit of the ACES film curve by Krzysztof Narkowicz.
fn film(x: vec3f) -> vec3f {
  return saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
}

@fragment fn toneMap(in: FullScreen) -> @location(0) vec4f {
  let hdr = textureLoad(source, vec2i(in.position.xy), 0).rgb * frame.exposure;
  let shine = textureSampleLevel(glow, linear, in.uv, 0.0).rgb * frame.bloom;
  let color = film((hdr + shine) * 0.9);
  return vec4f(forTarget(color), 1.0);
}
`;
