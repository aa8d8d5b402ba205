/** Light on what the G-buffer holds, added to what glows by itself. After FRAME_WGSL, FULL_SCREEN_WGSL and SKY_WGSL. */
export const LIGHTING_WGSL: string = /* wgsl */ `
@group(1) @binding(0) var albedoTexture: texture_2d<f32>;
@group(1) @binding(1) var surfaceTexture: texture_2d<f32>;
@group(1) @binding(2) var depthTexture: texture_depth_2d;
@group(1) @binding(3) var shadowTexture: texture_depth_2d;
@group(1) @binding(4) var shadowSampler: sampler_comparison;

const PI = 3.14159265;

fn decodeNormal(e: vec2f) -> vec3f {
  var n = vec3f(e, 1.0 - abs(e.x) - abs(e.y));
  if (n.z < 0.0) {
    let folded = (1.0 - abs(n.yx)) * select(vec2f(-1.0), vec2f(1.0), n.xy >= vec2f(0.0));
    n = vec3f(folded, n.z);
  }
  return normalize(n);
}

// Part of the light that isn't held up, over 3 × 3 samples.
fn shadow(world: vec3f, normal: vec3f) -> f32 {
  let size = vec2f(textureDimensions(shadowTexture));
  let clip = frame.shadowViewProjection * vec4f(world + normal * 0.02, 1.0);
  let at = clip.xyz / clip.w;
  let uv = at.xy * vec2f(0.5, -0.5) + 0.5;
  if (any(uv < vec2f(0.0)) || any(uv > vec2f(1.0)) || at.z < 0.0 || at.z > 1.0 || clip.w <= 0.0) {
    return 1.0;
  }
  var lit = 0.0;
  for (var y = -1; y <= 1; y++) {
    for (var x = -1; x <= 1; x++) {
      let offset = vec2f(f32(x), f32(y)) / size;
      lit += textureSampleCompareLevel(shadowTexture, shadowSampler, uv + offset, at.z + 0.0008);
    }
  }
  return lit / 9.0;
}

// Light that arrives, and from where.
struct Incoming {
  direction: vec3f,
  color: vec3f,
}

fn incoming(light: Light, world: vec3f) -> Incoming {
  if (light.kind == 0u) {
    return Incoming(light.direction, light.color);
  }
  let way = light.position - world;
  let square = max(dot(way, way), 1e-4);
  let direction = way * inverseSqrt(square);
  // Falls with the square of the distance, and ends at the range.
  var reach = 1.0;
  if (light.range > 0.0) {
    let part = square / (light.range * light.range);
    let window = saturate(1.0 - part * part);
    reach = window * window;
  }
  var strength = reach / square;
  if (light.kind == 2u) {
    let cosine = dot(direction, light.direction);
    let cone = saturate((cosine - light.cosOuter) / max(light.cosInner - light.cosOuter, 1e-4));
    strength *= cone * cone;
  }
  return Incoming(direction, light.color * strength);
}

@fragment fn lightingFragment(in: FullScreen) -> @location(0) vec4f {
  let pixel = vec2i(in.position.xy);
  let depth = textureLoad(depthTexture, pixel, 0);
  if (depth == 0.0) {
    discard;
  }
  let albedo = textureLoad(albedoTexture, pixel, 0);
  let packed = textureLoad(surfaceTexture, pixel, 0);
  let normal = decodeNormal(packed.xy);
  let metallic = packed.z;
  let roughness = packed.w;
  let clip = vec4f(in.uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), depth, 1.0);
  let hit = frame.inverseViewProjection * clip;
  let world = hit.xyz / hit.w;
  let toEye = normalize(frame.cameraPosition - world);
  let nv = max(dot(normal, toEye), 1e-4);
  let f0 = mix(vec3f(0.04), albedo.rgb, metallic);
  let diffuse = albedo.rgb * (1.0 - metallic) / PI;
  let alpha = roughness * roughness;
  let alpha2 = alpha * alpha;
  var color = vec3f(0.0);
  for (var i = 0u; i < frame.lightCount; i++) {
    let arriving = incoming(lights[i], world);
    let nl = dot(normal, arriving.direction);
    if (nl <= 0.0) {
      continue;
    }
    let half = normalize(arriving.direction + toEye);
    let nh = saturate(dot(normal, half));
    let lh = saturate(dot(arriving.direction, half));
    let spread = nh * nh * (alpha2 - 1.0) + 1.0;
    let distribution = alpha2 / (PI * spread * spread);
    let visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - alpha2) + alpha2) + nv * sqrt(nl * nl * (1.0 - alpha2) + alpha2));
    let fresnel = f0 + (1.0 - f0) * pow(1.0 - lh, 5.0);
    var lit = 1.0;
    if (i == frame.shadowLight) {
      lit = shadow(world, normal);
    }
    color += ((1.0 - fresnel) * diffuse + fresnel * distribution * visibility) * arriving.color * nl * lit;
  }
  let around = skyAround(normal) + frame.ambient;
  let mirrored = skyLight(reflect(-toEye, normal)) + frame.ambient;
  let glance = f0 + (max(vec3f(1.0 - roughness), f0) - f0) * pow(1.0 - nv, 5.0);
  color += albedo.a * (albedo.rgb * (1.0 - metallic) * around + glance * mix(mirrored, around, roughness));
  return vec4f(color, 1.0);
}
`;
