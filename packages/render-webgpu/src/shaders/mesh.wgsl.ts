/** Vertices of instances, and the materials on them. After FRAME_WGSL. */
export const MESH_WGSL: string = /* wgsl */ `
struct Vertex {
  @location(0) position: vec3f,
  @location(1) normal: vec3f,
  @location(2) tangent: vec4f,
  @location(3) uv0: vec2f,
  @location(4) uv1: vec2f,
  @location(5) color: vec4f,
  @location(6) instance: u32,
}

struct Surface {
  @invariant @builtin(position) clip: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) tangent: vec4f,
  @location(3) uv: vec4f,
  @location(4) color: vec4f,
}

fn toWorld(instance: u32, position: vec3f) -> vec3f {
  let at = instance * 3u;
  let p = vec4f(position, 1.0);
  return vec3f(dot(transforms[at], p), dot(transforms[at + 1u], p), dot(transforms[at + 2u], p));
}

fn surface(vertex: Vertex, viewProjection: mat4x4f) -> Surface {
  let at = vertex.instance * 3u;
  let x = transforms[at].xyz;
  let y = transforms[at + 1u].xyz;
  let z = transforms[at + 2u].xyz;
  // Cofactors: right for normals under any scale, mirrored ones too.
  let cx = cross(y, z);
  let n = vertex.normal;
  let mirrored = sign(dot(x, cx));
  var out: Surface;
  out.world = toWorld(vertex.instance, vertex.position);
  out.clip = viewProjection * vec4f(out.world, 1.0);
  out.normal = mirrored * vec3f(dot(cx, n), dot(cross(z, x), n), dot(cross(x, y), n));
  let t = vertex.tangent.xyz;
  out.tangent = vec4f(dot(x, t), dot(y, t), dot(z, t), vertex.tangent.w * mirrored);
  out.uv = vec4f(vertex.uv0, vertex.uv1);
  out.color = vertex.color;
  return out;
}

struct Slot {
  // Rows of the texture transform.
  u: vec3f,
  // 0 or 1; below 0: no texture.
  texCoord: f32,
  v: vec3f,
  unused: f32,
}

struct Material {
  baseColor: vec4f,
  emissive: vec3f,
  normalScale: f32,
  metallic: f32,
  roughness: f32,
  occlusionStrength: f32,
  alphaCutoff: f32,
  // Of what is no metal, seen from straight ahead.
  reflectance: f32,
  slots: array<Slot, 5>,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var baseColorTexture: texture_2d<f32>;
@group(1) @binding(2) var baseColorSampler: sampler;
@group(1) @binding(3) var metallicRoughnessTexture: texture_2d<f32>;
@group(1) @binding(4) var metallicRoughnessSampler: sampler;
@group(1) @binding(5) var normalTexture: texture_2d<f32>;
@group(1) @binding(6) var normalSampler: sampler;
@group(1) @binding(7) var occlusionTexture: texture_2d<f32>;
@group(1) @binding(8) var occlusionSampler: sampler;
@group(1) @binding(9) var emissiveTexture: texture_2d<f32>;
@group(1) @binding(10) var emissiveSampler: sampler;

fn slotUv(slot: u32, uv: vec4f) -> vec2f {
  let s = material.slots[slot];
  let own = vec3f(select(uv.xy, uv.zw, s.texCoord > 0.5), 1.0);
  return vec2f(dot(s.u, own), dot(s.v, own));
}

fn baseColor(in: Surface) -> vec4f {
  return material.baseColor * in.color * textureSample(baseColorTexture, baseColorSampler, slotUv(0u, in.uv));
}

// Interleaved gradient noise: a pattern that the shadows of blending materials are dithered with.
fn dither(pixel: vec2f) -> f32 {
  return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

// alphaCutoff: 0 or more for masks; -1 for opaque; -2 for blending, whose shadow is cut.
fn isCut(alpha: f32, pixel: vec2f) -> bool {
  let cutoff = select(material.alphaCutoff, max(dither(pixel), 0.004), material.alphaCutoff < -1.5);
  return material.alphaCutoff != -1.0 && alpha < cutoff;
}
`;
