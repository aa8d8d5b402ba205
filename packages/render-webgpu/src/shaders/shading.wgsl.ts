/**
 * What a point of a surface sends to the camera of the light that reaches it. After FRAME_WGSL, SKY_WGSL, and a `shadowTexture` with its
 * `shadowSampler`.
 */
export const SHADING_WGSL: string = /* wgsl */ `
const PI = 3.14159265;

override shadows: bool = true;

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

struct Point {
  world: vec3f,
  normal: vec3f,
  color: vec3f,
  metallic: f32,
  roughness: f32,
  occlusion: f32,
  // Of what is no metal, seen from straight ahead.
  reflectance: f32,
}

fn lightOfSky(point: Point, toEye: vec3f, nv: f32, f0: vec3f, f90: f32) -> vec3f {
  let matt = point.color * (1.0 - point.metallic);
  let around = skyAround(point.normal) + frame.ambient;
  if (skyKind() == 3u) {
    let ends = textureSampleLevel(brdfTexture, environmentSampler, vec2f(nv, point.roughness), 0.0).xy;
    let mirrored = f0 * ends.x + f90 * ends.y;
    let reflection = environmentLight(reflect(-toEye, point.normal), point.roughness);
    return (1.0 - mirrored) * matt * around + mirrored * reflection;
  }
  let mirrored = skyLight(reflect(-toEye, point.normal)) + frame.ambient;
  let glance = f0 + (max(vec3f(f90 - point.roughness), f0) - f0) * pow(1.0 - nv, 5.0);
  return matt * around + glance * mix(mirrored, around, point.roughness);
}

fn shade(point: Point) -> vec3f {
  let toEye = normalize(frame.cameraPosition - point.world);
  let nv = max(dot(point.normal, toEye), 1e-4);
  let f0 = mix(vec3f(point.reflectance), point.color, point.metallic);
  // Nothing real mirrors less than 2 %: what does, mirrors nothing at all.
  let f90 = saturate(50.0 * max(f0.r, max(f0.g, f0.b)));
  let diffuse = point.color * (1.0 - point.metallic) / PI;
  let alpha = point.roughness * point.roughness;
  let alpha2 = alpha * alpha;
  var color = vec3f(0.0);
  for (var i = 0u; i < frame.lightCount; i++) {
    let arriving = incoming(lights[i], point.world);
    let nl = dot(point.normal, arriving.direction);
    if (nl <= 0.0) {
      continue;
    }
    let half = normalize(arriving.direction + toEye);
    let nh = saturate(dot(point.normal, half));
    let lh = saturate(dot(arriving.direction, half));
    let spread = nh * nh * (alpha2 - 1.0) + 1.0;
    let distribution = alpha2 / (PI * spread * spread);
    let visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - alpha2) + alpha2) + nv * sqrt(nl * nl * (1.0 - alpha2) + alpha2));
    let fresnel = f0 + (f90 - f0) * pow(1.0 - lh, 5.0);
    var lit = 1.0;
    if (shadows && i == frame.shadowLight) {
      lit = shadow(point.world, point.normal);
    }
    color += ((1.0 - fresnel) * diffuse + fresnel * distribution * visibility) * arriving.color * nl * lit;
  }
  return color + point.occlusion * lightOfSky(point, toEye, nv, f0, f90);
}
`;
