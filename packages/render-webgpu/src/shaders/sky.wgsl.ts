/** The sky, as a function of direction. After FRAME_WGSL. */
export const SKY_WGSL: string = /* wgsl */ `
struct SkyTints {
  zenith: vec3f,
  horizon: vec3f,
  ground: vec3f,
}

fn skyTints() -> SkyTints {
  let day = smoothstep(-0.15, 0.35, frame.sunDirection.y);
  return SkyTints(
    mix(vec3f(0.005, 0.008, 0.02), vec3f(0.13, 0.28, 0.62), day),
    mix(vec3f(0.02, 0.02, 0.035), vec3f(0.68, 0.76, 0.86), day),
    mix(vec3f(0.01), vec3f(0.18, 0.165, 0.15), day),
  );
}

// Light of the sky without its sun.
fn skyLight(direction: vec3f) -> vec3f {
  if (frame.skyKind == 1u) {
    return frame.skyColor;
  }
  if (frame.skyKind < 2u) {
    return vec3f(0.0);
  }
  let tints = skyTints();
  let up = direction.y;
  let above = mix(tints.horizon, tints.zenith, pow(saturate(up), 0.45));
  return frame.skyColor * mix(tints.ground, above, smoothstep(-0.04, 0.02, up));
}

// What a matt surface gets of it: the half of the sky that it faces.
fn skyAround(normal: vec3f) -> vec3f {
  if (frame.skyKind < 2u) {
    return skyLight(normal);
  }
  let tints = skyTints();
  let above = mix(tints.horizon, tints.zenith, 0.6);
  return frame.skyColor * mix(tints.ground, above, saturate(normal.y * 0.5 + 0.5));
}

fn sunLight(direction: vec3f) -> vec3f {
  if (frame.skyKind != 2u || direction.y < -0.02) {
    return vec3f(0.0);
  }
  let cosine = dot(direction, frame.sunDirection);
  let disc = smoothstep(0.99985, 0.99995, cosine) * 20.0;
  let haze = pow(saturate(cosine), 350.0) * 0.35;
  return frame.sunColor * (disc + haze);
}
`;
