/** The sky where nothing else was drawn. After FRAME_WGSL, FULL_SCREEN_WGSL and SKY_WGSL. */
export const SKY_PASS_WGSL: string = /* wgsl */ `
@fragment fn skyFragment(in: FullScreen) -> @location(0) vec4f {
  let clip = vec4f(in.uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.5, 1.0);
  let near = frame.inverseViewProjection * vec4f(clip.xy, 1.0, 1.0);
  let further = frame.inverseViewProjection * clip;
  let direction = normalize(further.xyz / further.w - near.xyz / near.w);
  return vec4f(skyLight(direction) + sunLight(direction), 1.0);
}
`;
