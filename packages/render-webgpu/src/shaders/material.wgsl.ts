/** What a surface is made of at a pixel, by its material and its textures. After FRAME_WGSL and MESH_WGSL. */
export const MATERIAL_WGSL: string = /* wgsl */ `
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

struct MadeOf {
  // Not premultiplied.
  color: vec4f,
  emissive: vec3f,
  normal: vec3f,
  metallic: f32,
  roughness: f32,
  occlusion: f32,
  reflectance: f32,
}

// Discards what is cut out.
fn madeOf(in: Surface, front: bool) -> MadeOf {
  let color = baseColor(in);
  let metallicRoughness = textureSample(metallicRoughnessTexture, metallicRoughnessSampler, slotUv(1u, in.uv)).bg;
  let normalUv = slotUv(2u, in.uv);
  let bump = textureSample(normalTexture, normalSampler, normalUv).xyz * 2.0 - 1.0;
  let occlusion = textureSample(occlusionTexture, occlusionSampler, slotUv(3u, in.uv)).r;
  let emission = textureSample(emissiveTexture, emissiveSampler, slotUv(4u, in.uv)).rgb;
  var normal = safeNormalize(in.normal, vec3f(0.0, 1.0, 0.0));
  let derived = derivedTangent(in.world, normalUv, normal);
  if (color.a < material.alphaCutoff) {
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
  return MadeOf(
    color,
    material.emissive * emission,
    normal,
    material.metallic * metallicRoughness.x,
    clamp(material.roughness * metallicRoughness.y, 0.045, 1.0),
    mix(1.0, occlusion, material.occlusionStrength),
    material.reflectance,
  );
}
`;
