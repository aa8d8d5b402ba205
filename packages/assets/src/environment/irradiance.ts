import type { FloatImage } from './float-image.js';

/** How much of each band a white diffuse surface reflects. */
const BANDS = [1, 2 / 3, 2 / 3, 2 / 3, 1 / 4, 1 / 4, 1 / 4, 1 / 4, 1 / 4];

/** The nine real spherical harmonics up to band 2, in a unit direction. */
export function harmonics(x: number, y: number, z: number): number[] {
  return [
    0.282_094_792,
    0.488_602_512 * y,
    0.488_602_512 * z,
    0.488_602_512 * x,
    1.092_548_431 * x * y,
    1.092_548_431 * y * z,
    0.315_391_565 * (3 * z * z - 1),
    1.092_548_431 * x * z,
    0.546_274_215 * (x * x - y * y),
  ];
}

/**
 * What a white diffuse surface reflects of a panorama, as 9 spherical harmonics × RGB.
 *
 * O(pixels): give it a small copy, it has no detail anyway.
 */
export function projectIrradiance({ width, height, data }: FloatImage): Float32Array {
  const sums = new Float64Array(27);
  let total = 0;
  for (let row = 0; row < height; row++) {
    const polar = ((row + 0.5) / height) * Math.PI;
    const y = Math.cos(polar);
    const ring = Math.sin(polar);
    for (let column = 0; column < width; column++) {
      const azimuth = ((column + 0.5) / width - 0.5) * 2 * Math.PI;
      const basis = harmonics(Math.sin(azimuth) * ring, y, -Math.cos(azimuth) * ring);
      total += ring;
      for (let i = 0; i < 9; i++) {
        for (let c = 0; c < 3; c++) {
          const light = data[(row * width + column) * 3 + c] ?? 0;
          sums[i * 3 + c] = (sums[i * 3 + c] ?? 0) + light * (basis[i] ?? 0) * ring;
        }
      }
    }
  }
  const result = new Float32Array(27);
  for (let i = 0; i < 27; i++) {
    result[i] = ((sums[i] ?? 0) * 4 * Math.PI * (BANDS[Math.floor(i / 3)] ?? 0)) / total;
  }
  return result;
}
