/** Bends the vertices of one instance: morph targets first, then joints. The layout of `Deform` is that of `DeformedVertices`. */
export const DEFORM_WGSL: string = /* wgsl */ `
const VERTEX_WORDS = 15u;
const DELTA_FLOATS = 9u;

struct Deform {
  vertexCount: u32,
  // Where its vertices go.
  firstVertex: u32,
  firstJoint: u32,
  // Joints that a vertex follows at most; 0: none.
  influenceCount: u32,
  firstWeight: u32,
  targetCount: u32,
}

@group(0) @binding(0) var<uniform> deform: Deform;
// Three rows each.
@group(0) @binding(1) var<storage, read> joints: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> deformed: array<u32>;
@group(1) @binding(0) var<storage, read> rest: array<u32>;
// Joint and weight.
@group(1) @binding(1) var<storage, read> influences: array<vec2f>;
@group(1) @binding(2) var<storage, read> deltas: array<f32>;

fn restVector(at: u32) -> vec3f {
  return vec3f(bitcast<f32>(rest[at]), bitcast<f32>(rest[at + 1u]), bitcast<f32>(rest[at + 2u]));
}

fn delta(at: u32) -> vec3f {
  return vec3f(deltas[at], deltas[at + 1u], deltas[at + 2u]);
}

fn write(at: u32, v: vec3f) {
  deformed[at] = bitcast<u32>(v.x);
  deformed[at + 1u] = bitcast<u32>(v.y);
  deformed[at + 2u] = bitcast<u32>(v.z);
}

@compute @workgroup_size(64) fn deformVertices(@builtin(global_invocation_id) id: vec3u) {
  let vertex = id.x;
  if (vertex >= deform.vertexCount) {
    return;
  }
  let source = vertex * VERTEX_WORDS;
  var position = restVector(source);
  var normal = restVector(source + 3u);
  var tangent = restVector(source + 6u);
  var side = bitcast<f32>(rest[source + 9u]);
  for (var morph = 0u; morph < deform.targetCount; morph++) {
    let weight = weights[deform.firstWeight + morph];
    if (weight != 0.0) {
      let at = (morph * deform.vertexCount + vertex) * DELTA_FLOATS;
      position += weight * delta(at);
      normal += weight * delta(at + 3u);
      tangent += weight * delta(at + 6u);
    }
  }
  if (deform.influenceCount > 0u) {
    var x = vec4f(0.0);
    var y = vec4f(0.0);
    var z = vec4f(0.0);
    for (var i = 0u; i < deform.influenceCount; i++) {
      let influence = influences[vertex * deform.influenceCount + i];
      let joint = (deform.firstJoint + u32(influence.x)) * 3u;
      x += influence.y * joints[joint];
      y += influence.y * joints[joint + 1u];
      z += influence.y * joints[joint + 2u];
    }
    let p = vec4f(position, 1.0);
    position = vec3f(dot(x, p), dot(y, p), dot(z, p));
    tangent = vec3f(dot(x.xyz, tangent), dot(y.xyz, tangent), dot(z.xyz, tangent));
    // Cofactors, as in surface().
    let cx = cross(y.xyz, z.xyz);
    let mirrored = sign(dot(x.xyz, cx));
    normal = mirrored * vec3f(
      dot(cx, normal), dot(cross(z.xyz, x.xyz), normal), dot(cross(x.xyz, y.xyz), normal));
    side *= mirrored;
  }
  let square = dot(normal, normal);
  normal *= select(0.0, inverseSqrt(max(square, 1e-30)), square > 1e-30);
  let out = (deform.firstVertex + vertex) * VERTEX_WORDS;
  write(out, position);
  write(out + 3u, normal);
  write(out + 6u, tangent);
  deformed[out + 9u] = bitcast<u32>(side);
  for (var word = 10u; word < VERTEX_WORDS; word++) {
    deformed[out + word] = rest[source + word];
  }
}
`;
