import {
  ADDITIVE,
  FRAME_TEXTURES,
  fullScreenPass,
  LIGHT_FORMAT,
  type RenderPassFactory,
} from '@ecliptic/render-webgpu';

const { depth, light } = FRAME_TEXTURES;

/** Stars: at most one in each cell of a grid around the viewer, of different brightness and colour. */
const STARS = /* wgsl */ `
// Three random numbers a cell: PCG-3D by Mark Jarzynski and Marc Olano.
fn hash(cell: vec3i) -> vec3f {
  var v = vec3u(cell + 40000) * 1664525u + 1013904223u;
  v += v.yzx * v.zxy;
  v ^= v >> vec3u(16u);
  v += v.yzx * v.zxy;
  return vec3f(v >> vec3u(8u)) / 16777216.0;
}

@fragment fn stars(in: FullScreen) -> @location(0) vec4f {
  let ndc = in.uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
  let near = frame.inverseViewProjection * vec4f(ndc, 1.0, 1.0);
  let further = frame.inverseViewProjection * vec4f(ndc, 0.5, 1.0);
  let direction = normalize(further.xyz / further.w - near.xyz / near.w);
  let at = direction * 120.0;
  let random = hash(vec3i(floor(at)));
  let star = normalize(floor(at) + 0.3 + 0.4 * random.zxy);
  // About a pixel wide, whatever the resolution.
  let width = 1.2 / frame.size.y;
  let closeness = 1.0 - smoothstep(0.2, 1.0, distance(direction, star) / width);
  let brightness = select(0.0, 0.03 + 0.9 * pow(random.x, 9.0), random.y > 0.93);
  let color = mix(vec3f(1.0, 0.78, 0.6), vec3f(0.72, 0.82, 1.0), random.z);
  return vec4f(color * closeness * brightness, 1.0);
}
`;

/** Stars where nothing else is. */
export const starPass: RenderPassFactory = (gpu) =>
  fullScreenPass(gpu, {
    name: 'stars',
    reads: [depth],
    writes: light,
    format: LIGHT_FORMAT,
    code: STARS,
    fragment: 'stars',
    blend: ADDITIVE,
    on: 'background',
    isNeeded: ({ hasCamera }) => hasCamera,
  });
