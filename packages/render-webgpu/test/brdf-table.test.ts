import { describe, expect, test } from 'vitest';
import { BRDF_TABLE_SIZE, brdfTable } from '../src/environment/brdf-table.js';

const table = brdfTable();
const middle = (step: number): number => (step + 0.5) / BRDF_TABLE_SIZE;
const entry = (row: number, column: number): { scale: number; offset: number } => {
  const at = (row * BRDF_TABLE_SIZE + column) * 2;
  return { scale: table[at] ?? NaN, offset: table[at + 1] ?? NaN };
};

describe('what a surface reflects of an environment', () => {
  test('a mirror reflects by the Fresnel term alone', () => {
    for (let column = 0; column < BRDF_TABLE_SIZE; column++) {
      const glance = (1 - middle(column)) ** 5;
      expect(entry(0, column).scale).toBeCloseTo(1 - glance, 1);
      expect(entry(0, column).offset).toBeCloseTo(glance, 1);
    }
  });

  test.each([
    [12, 8],
    [16, 31],
    [20, 12],
    [31, 4],
    [31, 31],
  ])(
    'roughness step %i, cosine step %i: what the reflection sums up to over all light',
    (row, column) => {
      const wanted = overAllLight(middle(column), middle(row));
      expect(Math.abs(entry(row, column).scale - wanted.scale)).toBeLessThan(0.03);
      expect(Math.abs(entry(row, column).offset - wanted.offset)).toBeLessThan(0.02);
    },
  );
});

/** The integral of the reflection itself over the hemisphere of light directions, in equal steps. */
function overAllLight(cosView: number, roughness: number): { scale: number; offset: number } {
  const steps = 400;
  const alpha2 = roughness ** 4;
  const view = [Math.sqrt(1 - cosView ** 2), 0, cosView] as const;
  let scale = 0;
  let offset = 0;
  for (let i = 0; i < steps; i++) {
    const z = (i + 0.5) / steps;
    for (let j = 0; j < steps; j++) {
      const turn = ((j + 0.5) / steps) * 2 * Math.PI;
      const ring = Math.sqrt(1 - z * z);
      const light = [ring * Math.cos(turn), ring * Math.sin(turn), z] as const;
      const sum = [view[0] + light[0], view[1] + light[1], view[2] + light[2]] as const;
      const length = Math.hypot(...sum);
      const nh = sum[2] / length;
      const vh = (sum[0] * view[0] + sum[1] * view[1] + sum[2] * view[2]) / length;
      const distribution = alpha2 / (Math.PI * (nh * nh * (alpha2 - 1) + 1) ** 2);
      const visibility =
        0.5 /
        (z * Math.sqrt(cosView ** 2 * (1 - alpha2) + alpha2) +
          cosView * Math.sqrt(z * z * (1 - alpha2) + alpha2));
      const reflected = distribution * visibility * z * ((2 * Math.PI) / (steps * steps));
      scale += (1 - (1 - vh) ** 5) * reflected;
      offset += (1 - vh) ** 5 * reflected;
    }
  }
  return { scale, offset };
}
