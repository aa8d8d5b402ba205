import type { EnvironmentLevel } from '../data/environment-data.js';
import { toHalf } from './float-image.js';
import type { Panorama, Rgb } from './panorama.js';

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
  const lobe = roughness === 0 ? undefined : ggxLobe(roughness, size);
  const sum: Rgb = [0, 0, 0];
  let at = 0;
  for (let face = 0; face < 6; face++) {
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const u = ((column + 0.5) / size) * 2 - 1;
        const v = ((row + 0.5) / size) * 2 - 1;
        const normal = direction(face, u, v);
        sum.fill(0);
        if (lobe) gather(panorama, normal, lobe, sum);
        else {
          const [x, y, z] = normal;
          panorama.add(x, y, z, (4 * Math.PI) / (6 * size * size), 1, sum);
        }
        for (let c = 0; c < 3; c++) faces[at++] = toHalf(sum[c] ?? 0);
        faces[at++] = 0x3c00; // 1
      }
    }
  }
  return faces;
}

/** Unit direction of a place on a face, `u` to the right and `v` down, as graphics APIs have it. */
export function direction(face: number, u: number, v: number): Rgb {
  const table: readonly Rgb[] = [
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

interface LobeSample {
  /** Direction around +Z. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** All weights add up to 1. */
  readonly weight: number;
  readonly solidAngle: number;
}

/** Where light comes from that a surface of some roughness reflects straight on. */
function ggxLobe(roughness: number, size: number): LobeSample[] {
  const alpha = roughness * roughness;
  const smallest = (4 * Math.PI) / (6 * size * size);
  const samples: LobeSample[] = [];
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
    samples.push({
      x: 2 * cosine * sine * Math.cos(turn),
      y: 2 * cosine * sine * Math.sin(turn),
      z,
      weight: z,
      solidAngle: Math.max(smallest, 1 / (SAMPLES * Math.max(density, 1e-6))),
    });
  }
  const total = samples.reduce((sum, sample) => sum + sample.weight, 0);
  return samples.map((sample) => ({ ...sample, weight: sample.weight / total }));
}

function gather(panorama: Panorama, normal: Rgb, lobe: readonly LobeSample[], sum: Rgb): void {
  const [nx, ny, nz] = normal;
  // Any two directions orthogonal to the normal and to each other.
  const [ax, az] = Math.abs(ny) < 0.99 ? [nz, -nx] : [1, 0];
  const length = Math.hypot(ax, az);
  const tx = ax / length;
  const tz = az / length;
  const bx = ny * tz;
  const by = nz * tx - nx * tz;
  const bz = -ny * tx;
  for (const { x, y, z, weight, solidAngle } of lobe) {
    panorama.add(
      tx * x + bx * y + nx * z,
      by * y + ny * z,
      tz * x + bz * y + nz * z,
      solidAngle,
      weight,
      sum,
    );
  }
}

/** Van der Corput: the bits of `i` mirrored at the point. */
function radicalInverse(i: number): number {
  let bits = i;
  let result = 0;
  for (let digit = 0.5; bits > 0; bits >>= 1, digit /= 2) if (bits & 1) result += digit;
  return result;
}
