import type { EnvironmentLevel } from '../data/environment-data.js';
import { toHalf, type FloatImage } from './float-image.js';
import { gatherLight, type Lobe } from './gather-light.js';
import type { Panorama } from './panorama.js';

/** A unit vector. */
export type Direction = readonly [x: number, y: number, z: number];

/** Directions a pixel is the mean of, at roughness above 0. */
const SAMPLES = 64;

/**
 * A cube map of a panorama, prefiltered for GGX reflections: level 0 is the mirror image, the last one roughness 1.
 *
 * @param size - pixels a side of level 0, a power of two, at least 8
 */
export function prefilter(panorama: Panorama, size: number): EnvironmentLevel[] {
  // Smaller than 4 pixels a side there is nothing left to tell apart.
  const count = Math.log2(size) - 1;
  return Array.from({ length: count }, (_, i): EnvironmentLevel => {
    const roughness = count === 1 ? 0 : i / (count - 1);
    const side = size >> i;
    return { size: side, roughness, faces: filterLevel(panorama, side, roughness) };
  });
}

function filterLevel(panorama: Panorama, size: number, roughness: number): Uint16Array {
  const faces = new Uint16Array(6 * size * size * 4);
  const lobe = roughness === 0 ? mirrorLobe(panorama, size) : ggxLobe(panorama, roughness, size);
  const light = new Float64Array(3);
  let at = 0;
  for (let face = 0; face < 6; face++) {
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const u = ((column + 0.5) / size) * 2 - 1;
        const v = ((row + 0.5) / size) * 2 - 1;
        const [x, y, z] = direction(face, u, v);
        gatherLight(lobe, x, y, z, light);
        for (let c = 0; c < 3; c++) faces[at++] = toHalf(light[c] as number);
        faces[at++] = 0x3c00; // 1
      }
    }
  }
  return faces;
}

/** Unit direction of a place on a face, `u` to the right and `v` down, as graphics APIs have it. */
export function direction(face: number, u: number, v: number): Direction {
  const table: readonly Direction[] = [
    [1, -v, -u],
    [-1, -v, u],
    [u, 1, v],
    [u, -1, -v],
    [u, -v, 1],
    [-u, -v, -1],
  ];
  const [x, y, z] = table[face] ?? [0, 0, 1];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function mirrorLobe(panorama: Panorama, size: number): Lobe {
  return { samples: Float64Array.of(0, 0, 1, 1), images: [panorama.forCone(pixelAngle(size))] };
}

/** Where light comes from that a surface of some roughness reflects straight on. */
function ggxLobe(panorama: Panorama, roughness: number, size: number): Lobe {
  const alpha = roughness * roughness;
  const samples: number[] = [];
  const images: FloatImage[] = [];
  let total = 0;
  for (let i = 0; i < SAMPLES; i++) {
    const turn = 2 * Math.PI * radicalInverse(i);
    const share = (i + 0.5) / SAMPLES;
    const cosine = Math.sqrt((1 - share) / (1 + (alpha * alpha - 1) * share));
    const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
    // The half vector, and the direction that it reflects +Z to.
    const z = 2 * cosine * cosine - 1;
    if (z <= 0) continue;
    const d = cosine * cosine * (alpha * alpha - 1) + 1;
    const density = (alpha * alpha) / (Math.PI * d * d) / 4;
    const solidAngle = 1 / (SAMPLES * Math.max(density, 1e-6));
    samples.push(2 * cosine * sine * Math.cos(turn), 2 * cosine * sine * Math.sin(turn), z, z);
    images.push(panorama.forCone(Math.max(pixelAngle(size), solidAngle)));
    total += z;
  }
  return {
    samples: Float64Array.from(samples, (value, i) => (i % 4 === 3 ? value / total : value)),
    images,
  };
}

/** Solid angle of a pixel of a cube map, in steradians. */
function pixelAngle(size: number): number {
  return (4 * Math.PI) / (6 * size * size);
}

/** Van der Corput: the bits of `i` mirrored at the point. */
function radicalInverse(i: number): number {
  let bits = i;
  let result = 0;
  for (let digit = 0.5; bits > 0; bits >>= 1, digit /= 2) if (bits & 1) result += digit;
  return result;
}
