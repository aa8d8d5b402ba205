/** A triangle that covers the target; `draw(3)`. */
export const FULL_SCREEN_WGSL: string = /* wgsl */ `
struct FullScreen {
  @builtin(position) position: vec4f,
  // From the top left corner, 0 to 1.
  @location(0) uv: vec2f,
}

@vertex fn fullScreen(@builtin(vertex_index) index: u32) -> FullScreen {
  let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
  return FullScreen(vec4f(corner * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), corner);
}
`;
