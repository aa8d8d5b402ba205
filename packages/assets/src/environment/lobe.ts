import type { FloatImage } from './float-image.js';
import type { Panorama } from './panorama.js';

/** Directions around a normal that light is taken from. */
export interface Lobe {
  /** Of each its direction around +Z, and its weight: four numbers. The weights sum to 1. */
  readonly samples: Float32Array;
  /** For each the copy of the panorama to look in. */
  readonly images: readonly FloatImage[];
}

/** Most directions of a lobe. */
const SAMPLES = 64;

/** What a mirror shows, of which each pixel is one of a cube map of `size` pixels a side. */
export function mirrorLobe(panorama: Panorama, size: number): Lobe {
  return { samples: Float32Array.of(0, 0, 1, 1), images: [panorama.forCone(pixelAngle(size))] };
}

/** Where light comes from that a surface of some roughness reflects straight on. */
export function ggxLobe(panorama: Panorama, roughness: number, size: number): Lobe {
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
    samples: Float32Array.from(samples, (value, i) => (i % 4 === 3 ? value / total : value)),
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
