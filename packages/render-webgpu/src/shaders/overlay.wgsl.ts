/** Boxes and glyphs over everything; see `QUAD` of render-sync. After SRGB_WGSL. */
export const OVERLAY_WGSL: string = /* wgsl */ `
struct Quad {
  @location(0) rectangle: vec4f,
  @location(1) clip: vec4f,
  @location(2) color: vec4f,
  // Part of the font atlas, for a glyph; all 0 for a box.
  @location(3) atlas: vec4f,
  // Corner radius, border width, distance range.
  @location(4) shape: vec4f,
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) pixel: vec2f,
  @location(1) @interpolate(flat) rectangle: vec4f,
  @location(2) @interpolate(flat) clip: vec4f,
  @location(3) @interpolate(flat) color: vec4f,
  @location(4) @interpolate(flat) shape: vec4f,
  @location(5) texel: vec2f,
  @location(6) @interpolate(flat) isGlyph: u32,
}

@group(0) @binding(0) var<uniform> size: vec4f;
// Signed distances to the outlines of glyphs: 0.5 is on them.
@group(0) @binding(1) var atlas: texture_2d<f32>;
@group(0) @binding(2) var linear: sampler;

@vertex fn overlayVertex(quad: Quad, @builtin(vertex_index) index: u32) -> Corner {
  let corner = vec2f(f32(index & 1u), f32(index >> 1u));
  let pixel = quad.rectangle.xy + quad.rectangle.zw * corner;
  let ndc = pixel / size.xy * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
  return Corner(
    vec4f(ndc, 0.0, 1.0),
    pixel,
    quad.rectangle,
    quad.clip,
    quad.color,
    quad.shape,
    quad.atlas.xy + quad.atlas.zw * corner,
    select(0u, 1u, quad.atlas.z > 0.0),
  );
}

// Distance to the edge of a rounded box; below 0 inside.
fn edge(at: vec2f, half: vec2f, radius: f32) -> f32 {
  let q = abs(at) - half + radius;
  return length(max(q, vec2f(0.0))) + min(max(q.x, q.y), 0.0) - radius;
}

// Part of the pixel that is inside the outline.
fn glyphCover(in: Corner) -> f32 {
  let uv = in.texel / vec2f(textureDimensions(atlas));
  let distance = textureSampleLevel(atlas, linear, uv, 0.0).r - 0.5;
  return saturate(distance * max(in.shape.z, 1.0) + 0.5);
}

fn boxCover(in: Corner) -> f32 {
  let half = in.rectangle.zw / 2.0;
  let outside = edge(in.pixel - in.rectangle.xy - half, half, min(in.shape.x, min(half.x, half.y)));
  let cover = saturate(0.5 - outside);
  return select(cover, min(cover, saturate(0.5 + outside + in.shape.y)), in.shape.y > 0.0);
}

@fragment fn overlayFragment(in: Corner) -> @location(0) vec4f {
  let end = in.clip.xy + in.clip.zw;
  if (any(in.pixel < in.clip.xy) || any(in.pixel > end)) {
    discard;
  }
  var cover = 0.0;
  if (in.isGlyph == 1u) {
    cover = glyphCover(in);
  } else {
    cover = boxCover(in);
  }
  let alpha = saturate(in.color.a) * cover;
  let color = saturate(in.color.rgb);
  return vec4f(forTarget(color) * alpha, alpha);
}
`;
