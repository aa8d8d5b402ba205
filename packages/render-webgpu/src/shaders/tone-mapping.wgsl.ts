/** From light to the target's colours. After FRAME_WGSL and FULL_SCREEN_WGSL. */
export const TONE_MAPPING_WGSL: string = /* wgsl */ `
@group(1) @binding(0) var source: texture_2d<f32>;
@group(1) @binding(1) var glow: texture_2d<f32>;
@group(1) @binding(2) var linear: sampler;

// False where the target's format encodes by itself.
override encode: bool = true;

// Rational fit of the ACES film curve by Krzysztof Narkowicz.
fn film(x: vec3f) -> vec3f {
  return saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
}

fn toSrgb(linear: vec3f) -> vec3f {
  let low = linear * 12.92;
  let high = 1.055 * pow(linear, vec3f(1.0 / 2.4)) - 0.055;
  return select(high, low, linear <= vec3f(0.0031308));
}

@fragment fn toneMap(in: FullScreen) -> @location(0) vec4f {
  let hdr = textureLoad(source, vec2i(in.position.xy), 0).rgb * frame.exposure;
  let shine = textureSampleLevel(glow, linear, in.uv, 0.0).rgb * frame.bloom;
  let color = film((hdr + shine) * 0.9);
  return vec4f(select(color, toSrgb(color), encode), 1.0);
}
`;
