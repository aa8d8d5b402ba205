/** The sky, as a function of direction. After FRAME_WGSL. */
export const SKY_WGSL: string = /* wgsl */ `
// What the sky is, if that is known when the pipeline is made, so that the rest is left out of it; negative: what the frame says.
override knownSky: i32 = -1;

fn skyKind() -> u32 {
  return select(u32(knownSky), frame.skyKind, knownSky < 0);
}

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

// Into the environment map, which is turned about the y axis.
fn toEnvironment(direction: vec3f) -> vec3f {
  let s = sin(frame.skyRotation);
  let c = cos(frame.skyRotation);
  return vec3f(c * direction.x - s * direction.z, direction.y, s * direction.x + c * direction.z);
}

// The environment map as a surface of some roughness mirrors it; 0 to 1.
fn environmentLight(direction: vec3f, roughness: f32) -> vec3f {
  let level = roughness * f32(textureNumLevels(environmentTexture) - 1u);
  return frame.skyColor * textureSampleLevel(environmentTexture, environmentSampler, toEnvironment(direction), level).rgb;
}

// Light of the sky without its sun.
fn skyLight(direction: vec3f) -> vec3f {
  if (skyKind() == 1u) {
    return frame.skyColor;
  }
  if (skyKind() == 3u) {
    return environmentLight(direction, 0.0);
  }
  if (skyKind() < 2u) {
    return vec3f(0.0);
  }
  let tints = skyTints();
  let up = direction.y;
  let above = mix(tints.horizon, tints.zenith, pow(saturate(up), 0.45));
  return frame.skyColor * mix(tints.ground, above, smoothstep(-0.04, 0.02, up));
}

// What a matt surface gets of it: the half of the sky that it faces.
fn skyAround(normal: vec3f) -> vec3f {
  if (skyKind() < 2u) {
    return skyLight(normal);
  }
  if (skyKind() == 3u) {
    let n = toEnvironment(normal);
    let h = frame.irradiance;
    let around = h[0].rgb * 0.282094792
      + (h[1].rgb * n.y + h[2].rgb * n.z + h[3].rgb * n.x) * 0.488602512
      + (h[4].rgb * n.x * n.y + h[5].rgb * n.y * n.z + h[7].rgb * n.x * n.z) * 1.092548431
      + h[6].rgb * 0.315391565 * (3.0 * n.z * n.z - 1.0)
      + h[8].rgb * 0.546274215 * (n.x * n.x - n.y * n.y);
    return frame.skyColor * max(around, vec3f(0.0));
  }
  let tints = skyTints();
  let above = mix(tints.horizon, tints.zenith, 0.6);
  return frame.skyColor * mix(tints.ground, above, saturate(normal.y * 0.5 + 0.5));
}

fn sunLight(direction: vec3f) -> vec3f {
  if (skyKind() != 2u || direction.y < -0.02) {
    return vec3f(0.0);
  }
  let cosine = dot(direction, frame.sunDirection);
  let disc = smoothstep(0.99985, 0.99995, cosine) * 20.0;
  let haze = pow(saturate(cosine), 350.0) * 0.35;
  return frame.sunColor * (disc + haze);
}
`;
