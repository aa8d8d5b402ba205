/** Depth alone, from the camera or from the shadow-casting light. After FRAME_WGSL and MESH_WGSL. */
export const DEPTH_WGSL: string = /* wgsl */ `
override fromLight: bool = false;

@vertex fn depthVertex(vertex: Vertex) -> Surface {
  if (fromLight) {
    return surface(vertex, frame.shadowViewProjection);
  }
  return surface(vertex, frame.viewProjection);
}

@fragment fn depthMasked(in: Surface) {
  if (isCut(baseColor(in).a, in.clip.xy)) {
    discard;
  }
}
`;
