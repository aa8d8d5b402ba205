/** Depth alone, from the camera or from the shadow-casting light. After FRAME_WGSL and MESH_WGSL. */
export const DEPTH_WGSL: string = /* wgsl */ `
override fromLight: bool = false;

struct Place {
  @location(0) position: vec3f,
  @location(6) instance: u32,
}

struct Depth {
  @invariant @builtin(position) clip: vec4f,
}

fn viewProjection() -> mat4x4f {
  if (fromLight) {
    return frame.shadowViewProjection;
  }
  return frame.viewProjection;
}

// Where nothing is cut out, a place is all it takes.
@vertex fn depthVertex(vertex: Place) -> Depth {
  return Depth(viewProjection() * vec4f(toWorld(vertex.instance, vertex.position), 1.0));
}

@vertex fn depthMaskedVertex(vertex: Vertex) -> Surface {
  return surface(vertex, viewProjection());
}

@fragment fn depthMasked(in: Surface) {
  if (isCut(baseColor(in).a, in.clip.xy)) {
    discard;
  }
}
`;
