/** What a surface is made of, for lighting it later. After FRAME_WGSL, MESH_WGSL and MATERIAL_WGSL. */
export const G_BUFFER_WGSL: string = /* wgsl */ `
struct GBuffer {
  // Base colour; occlusion.
  @location(0) albedo: vec4f,
  // Octahedral normal, metalness, roughness. Below 0 instead of a metalness: the reflectance of what is no metal, where it isn't
  // that of most things.
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

@fragment fn gBufferFragment(in: Surface, @builtin(front_facing) front: bool) -> GBuffer {
  let made = madeOf(in, front);
  let isUsual = made.reflectance == USUAL_REFLECTANCE || made.metallic >= 0.5;
  let kind = select(-max(made.reflectance, 1e-4), made.metallic, isUsual);
  return GBuffer(
    vec4f(made.color.rgb, made.occlusion),
    vec4f(encodeNormal(made.normal), kind, made.roughness),
    vec4f(made.emissive, 1.0),
  );
}
`;
