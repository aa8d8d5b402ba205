/** Which instance is seen. After FRAME_WGSL and MESH_WGSL. */
export const PICK_WGSL: string = /* wgsl */ `
struct Picked {
  @builtin(position) clip: vec4f,
  @location(0) uv: vec4f,
  @location(1) color: vec4f,
  // From 1: 0 is nothing.
  @location(2) @interpolate(flat) instance: u32,
}

@vertex fn pickVertex(vertex: Vertex) -> Picked {
  let made = surface(vertex, frame.viewProjection);
  return Picked(made.clip, made.uv, made.color, vertex.instance + 1u);
}

@fragment fn pickFragment(in: Picked) -> @location(0) u32 {
  let texel = textureSample(baseColorTexture, baseColorSampler, slotUv(0u, in.uv));
  let alpha = material.baseColor.a * in.color.a * texel.a;
  // Of what blends, all but what can't be seen.
  if (alpha < select(material.alphaCutoff, 0.004, material.alphaCutoff < -1.5)) {
    discard;
  }
  return in.instance;
}
`;
