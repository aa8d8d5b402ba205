/** What a surface is made of, for lighting it later. After FRAME_WGSL and MESH_WGSL. */
export const G_BUFFER_WGSL: string = /* wgsl */ `
struct GBuffer {
  // Base colour; occlusion.
  @location(0) albedo: vec4f,
  // Octahedral normal, metalness, roughness.
  @location(1) surface: vec4f,
  @location(2) emissive: vec4f,
}

@vertex fn gBufferVertex(vertex: Vertex) -> Surface {
  return surface(vertex, frame.viewProjection);
}

fn encodeNormal(n: vec3f) -> vec2f {
  let p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  let folded = (1.0 - abs(p.yx)) * select(vec2f(-1.0), vec2f(1.0), p >= vec2f(0.0));
  return select(p, folded, n.z < 0.0);
}

// Tangent frame where the mesh has none: from how position and texture coordinate change between pixels.
fn derivedTangent(world: vec3f, uv: vec2f, normal: vec3f) -> vec4f {
  let px = dpdx(world);
  let py = dpdy(world);
  let ux = dpdx(uv);
  let uy = dpdy(uv);
  let t = cross(py, normal) * ux.x + cross(normal, px) * uy.x;
  let b = cross(py, normal) * ux.y + cross(normal, px) * uy.y;
  return vec4f(t, select(-1.0, 1.0, dot(cross(normal, t), b) >= 0.0));
}

fn safeNormalize(v: vec3f, otherwise: vec3f) -> vec3f {
  let square = dot(v, v);
  return select(otherwise, v * inverseSqrt(max(square, 1e-30)), square > 1e-30);
}

@fragment fn gBufferFragment(in: Surface, @builtin(front_facing) front: bool) -> GBuffer {
  let color = baseColor(in);
  let metallicRoughness = textureSample(metallicRoughnessTexture, metallicRoughnessSampler, slotUv(1u, in.uv)).bg;
  let normalUv = slotUv(2u, in.uv);
  let bump = textureSample(normalTexture, normalSampler, normalUv).xyz * 2.0 - 1.0;
  let occlusion = textureSample(occlusionTexture, occlusionSampler, slotUv(3u, in.uv)).r;
  let emission = textureSample(emissiveTexture, emissiveSampler, slotUv(4u, in.uv)).rgb;
  var normal = safeNormalize(in.normal, vec3f(0.0, 1.0, 0.0));
  let derived = derivedTangent(in.world, normalUv, normal);
  if (isCut(color.a, in.clip.xy)) {
    discard;
  }
  let side = select(-1.0, 1.0, front);
  normal *= side;
  if (material.slots[2].texCoord >= 0.0) {
    let given = select(derived, in.tangent, in.tangent.w != 0.0);
    let tangent = safeNormalize(given.xyz - normal * dot(normal, given.xyz), vec3f(0.0));
    let bitangent = cross(normal, tangent) * given.w * side;
    let scaled = vec3f(bump.xy * material.normalScale, bump.z);
    normal = safeNormalize(tangent * scaled.x + bitangent * scaled.y + normal * scaled.z, normal);
  }
  let roughness = clamp(material.roughness * metallicRoughness.y, 0.045, 1.0);
  return GBuffer(
    vec4f(color.rgb, mix(1.0, occlusion, material.occlusionStrength)),
    vec4f(encodeNormal(normal), material.metallic * metallicRoughness.x, roughness),
    vec4f(material.emissive * emission, 1.0),
  );
}
`;
