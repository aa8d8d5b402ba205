/** Light on what the G-buffer holds, added to what glows by itself. After FRAME_WGSL, FULL_SCREEN_WGSL, SKY_WGSL; before SHADING_WGSL. */
export const LIGHTING_WGSL: string = /* wgsl */ `
@group(1) @binding(0) var albedoTexture: texture_2d<f32>;
@group(1) @binding(1) var surfaceTexture: texture_2d<f32>;
@group(1) @binding(2) var depthTexture: texture_depth_2d;
@group(1) @binding(3) var shadowTexture: texture_depth_2d;
@group(1) @binding(4) var shadowSampler: sampler_comparison;

fn decodeNormal(e: vec2f) -> vec3f {
  var n = vec3f(e, 1.0 - abs(e.x) - abs(e.y));
  if (n.z < 0.0) {
    let folded = (1.0 - abs(n.yx)) * select(vec2f(-1.0), vec2f(1.0), n.xy >= vec2f(0.0));
    n = vec3f(folded, n.z);
  }
  return normalize(n);
}

@fragment fn lightingFragment(in: FullScreen) -> @location(0) vec4f {
  let pixel = vec2i(in.position.xy);
  let depth = textureLoad(depthTexture, pixel, 0);
  let albedo = textureLoad(albedoTexture, pixel, 0);
  let packed = textureLoad(surfaceTexture, pixel, 0);
  let clip = vec4f(in.uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), depth, 1.0);
  let hit = frame.inverseViewProjection * clip;
  let normal = decodeNormal(packed.xy);
  let reflectance = select(USUAL_REFLECTANCE, -packed.z, packed.z < 0.0);
  let metallic = max(packed.z, 0.0);
  let world = hit.xyz / hit.w;
  return vec4f(shade(Point(world, normal, albedo.rgb, metallic, packed.w, albedo.a, reflectance)), 1.0);
}
`;
