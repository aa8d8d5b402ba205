import {
  ADDITIVE,
  FRAME_TEXTURES,
  fullScreenPass,
  LIGHT_FORMAT,
  type RenderPassFactory,
} from '@ecliptic/render-webgpu';

const { depth, light } = FRAME_TEXTURES;

/** A corona around each point light, hidden by what is in front of it. */
const GLOW = /* wgsl */ `
@group(1) @binding(0) var depthTexture: texture_depth_2d;

// Of the orrery's sun: what the project calls its radius is that of a sphere around its bounding box.
const RADIUS = 2.31;

fn place(ndc: vec2f, depth: f32) -> vec3f {
  let p = frame.inverseViewProjection * vec4f(ndc, depth, 1.0);
  return p.xyz / p.w;
}

@fragment fn glow(in: FullScreen) -> @location(0) vec4f {
  let ndc = in.uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
  let depth = textureLoad(depthTexture, vec2i(in.position.xy), 0);
  let hit = place(ndc, max(depth, 0.00001));
  let direction = normalize(hit - frame.cameraPosition);
  var color = vec3f(0.0);
  for (var i = 0u; i < frame.lightCount; i++) {
    let it = lights[i];
    if (it.kind != 1u) {
      continue;
    }
    let towards = it.position - frame.cameraPosition;
    let along = dot(towards, direction);
    let beside = distance(it.position, frame.cameraPosition + direction * along);
    let reached = depth == 0.0 || distance(hit, frame.cameraPosition) > along - RADIUS * 1.05;
    if (along <= 0.0 || !reached) {
      continue;
    }
    let tint = it.color / max(it.color.r, max(it.color.g, it.color.b));
    let rim = saturate((beside - RADIUS * 0.8) / RADIUS);
    // The disc itself is brighter in the middle; outside, the corona falls off.
    let disc = (1.0 - smoothstep(RADIUS * 0.9, RADIUS, beside)) * 0.3;
    let corona = exp(-rim * 2.2) * 0.55 / (1.0 + pow(beside / RADIUS, 3.0));
    color += tint * vec3f(1.0, 0.72, 0.36) * (disc + corona);
  }
  return vec4f(color, 1.0);
}
`;

/** The sun's glow. Its radius is that of the orrery's sun. */
export const sunGlowPass: RenderPassFactory = (gpu) =>
  fullScreenPass(gpu, {
    name: 'sun-glow',
    reads: [depth],
    writes: light,
    format: LIGHT_FORMAT,
    code: GLOW,
    fragment: 'glow',
    blend: ADDITIVE,
    isNeeded: ({ hasCamera }) => hasCamera,
  });
