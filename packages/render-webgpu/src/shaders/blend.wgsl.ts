/** Surfaces that what is behind shines through. After FRAME_WGSL, MESH_WGSL, MATERIAL_WGSL, SKY_WGSL; before SHADING_WGSL. */
export const BLEND_WGSL: string = /* wgsl */ `
@group(2) @binding(0) var shadowTexture: texture_depth_2d;
@group(2) @binding(1) var shadowSampler: sampler_comparison;

@vertex fn blendVertex(vertex: Vertex) -> Surface {
  return surface(vertex, frame.viewProjection);
}

@fragment fn blendFragment(in: Surface, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  let made = madeOf(in, front);
  let point = Point(
    in.world,
    made.normal,
    made.color.rgb,
    made.metallic,
    made.roughness,
    made.occlusion,
    made.reflectance,
  );
  let alpha = saturate(made.color.a);
  return vec4f((shade(point) + made.emissive) * alpha, alpha);
}
`;
