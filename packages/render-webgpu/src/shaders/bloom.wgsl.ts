/** Glow of what is brighter than white. After FRAME_WGSL and FULL_SCREEN_WGSL. */
export const BLOOM_WGSL: string = /* wgsl */ `
@group(1) @binding(0) var source: texture_2d<f32>;
@group(1) @binding(1) var linear: sampler;

@fragment fn bright(in: FullScreen) -> @location(0) vec4f {
  let texel = 1.0 / vec2f(textureDimensions(source));
  var color = vec3f(0.0);
  for (var y = -1; y <= 1; y += 2) {
    for (var x = -1; x <= 1; x += 2) {
      let tap = textureSampleLevel(source, linear, in.uv + vec2f(f32(x), f32(y)) * texel, 0.0).rgb;
      // One very bright pixel must not flicker over its neighbours.
      color += min(max(tap * frame.exposure - 1.0, vec3f(0.0)), vec3f(16.0));
    }
  }
  return vec4f(color / 4.0, 1.0);
}

override horizontal: bool = true;

@fragment fn blur(in: FullScreen) -> @location(0) vec4f {
  let texel = 1.0 / vec2f(textureDimensions(source));
  let step = select(vec2f(0.0, texel.y), vec2f(texel.x, 0.0), horizontal);
  var color = vec3f(0.0);
  var total = 0.0;
  for (var i = -8; i <= 8; i++) {
    let weight = exp(-f32(i * i) / 24.0);
    color += weight * textureSampleLevel(source, linear, in.uv + step * f32(i), 0.0).rgb;
    total += weight;
  }
  return vec4f(color / total, 1.0);
}
`;
