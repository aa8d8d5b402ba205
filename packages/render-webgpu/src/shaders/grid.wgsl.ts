/** Lines on the ground, a metre apart, ten metres stronger. After FRAME_WGSL and FULL_SCREEN_WGSL. */
export const GRID_WGSL: string = /* wgsl */ `
@group(1) @binding(0) var depthTexture: texture_depth_2d;

fn unproject(ndc: vec2f, depth: f32) -> vec3f {
  let p = frame.inverseViewProjection * vec4f(ndc, depth, 1.0);
  return p.xyz / p.w;
}

fn lines(at: vec2f, width: vec2f) -> f32 {
  let near = abs(fract(at - 0.5) - 0.5) / max(width, vec2f(1e-6));
  // Lines closer than pixels fade to their mean.
  return (1.0 - min(min(near.x, near.y), 1.0)) * saturate(1.0 - max(width.x, width.y) * 1.5);
}

@fragment fn gridFragment(in: FullScreen) -> @location(0) vec4f {
  let ndc = in.uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
  let near = unproject(ndc, 1.0);
  let far = unproject(ndc, 0.0001);
  let along = near.y / (near.y - far.y);
  let hit = near + (far - near) * along;
  let width = fwidth(hit.xz);
  let clip = frame.viewProjection * vec4f(hit, 1.0);
  let hidden = clip.z / clip.w < textureLoad(depthTexture, vec2i(in.position.xy), 0);
  if (along <= 0.0 || hidden) {
    discard;
  }
  let fade = exp(-distance(hit, frame.cameraPosition) / 60.0);
  let strength = max(lines(hit.xz, width) * 0.35, lines(hit.xz / 10.0, width / 10.0) * 0.7) * fade;
  return vec4f(vec3f(0.55) * strength, strength);
}
`;
