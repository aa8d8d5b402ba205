/** Lines in the world; what something is in front of is faint. After FRAME_WGSL and SRGB_WGSL. */
export const DEBUG_LINES_WGSL: string = /* wgsl */ `
struct Line {
  @location(0) start: vec3f,
  @location(1) end: vec3f,
  @location(2) color: vec4f,
}

struct LinePoint {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) color: vec4f,
}

@group(1) @binding(0) var depthTexture: texture_depth_2d;

const HIDDEN_STRENGTH = 0.25;
// So that lines on a surface are in front of it.
const NEARER = 1.001;

@vertex fn debugVertex(line: Line, @builtin(vertex_index) index: u32) -> LinePoint {
  let world = select(line.start, line.end, index == 1u);
  return LinePoint(frame.viewProjection * vec4f(world, 1.0), line.color);
}

@fragment fn debugFragment(in: LinePoint) -> @location(0) vec4f {
  let depth = textureLoad(depthTexture, vec2i(in.position.xy), 0);
  let alpha = in.color.a * select(1.0, HIDDEN_STRENGTH, in.position.z * NEARER < depth);
  return vec4f(forTarget(in.color.rgb) * alpha, alpha);
}
`;
