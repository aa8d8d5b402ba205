/** Linear colours as the target holds them. */
export const SRGB_WGSL: string = /* wgsl */ `
// False where the target's format encodes by itself.
override encode: bool = true;

fn toSrgb(linear: vec3f) -> vec3f {
  let low = linear * 12.92;
  let high = 1.055 * pow(linear, vec3f(1.0 / 2.4)) - 0.055;
  return select(high, low, linear <= vec3f(0.0031308));
}

fn forTarget(linear: vec3f) -> vec3f {
  return select(linear, toSrgb(linear), encode);
}
`;
