import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { FloatImage } from './float-image.js';

/**
 * A picture of all directions, made of six faces below one another as OpenEXR has them: +X, −X, +Y, −Y, +Z, −Z. Its directions are
 * half a turn from ours, since the middle of its panoramas is +Z.
 *
 * @throws ImportError `assets/exr-size` where the picture is not six squares
 */
export function panoramaOfCube(cube: FloatImage, report: DiagnosticReport): FloatImage {
  const size = cube.width;
  if (cube.height !== size * 6) {
    report.fail('assets/exr-size', `${size} × ${cube.height} pixels are not six faces of a cube`);
  }
  const width = size * 4;
  const height = size * 2;
  const data = new Float32Array(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row++) {
    const polar = ((row + 0.5) / height) * Math.PI;
    const ring = Math.sin(polar);
    for (let column = 0; column < width; column++, at += 3) {
      const azimuth = ((column + 0.5) / width - 0.5) * 2 * Math.PI;
      const [face, u, v] = place(
        -Math.sin(azimuth) * ring,
        Math.cos(polar),
        Math.cos(azimuth) * ring,
      );
      sample(cube, face, u, v, data, at);
    }
  }
  return { width, height, data };
}

/** Face of a direction, and where on it: from −1 to 1, to the right and down. */
function place(x: number, y: number, z: number): [face: number, u: number, v: number] {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  if (ax >= ay && ax >= az) return x > 0 ? [0, z / ax, -y / ax] : [1, -z / ax, -y / ax];
  if (ay >= az) return y > 0 ? [2, x / ay, -z / ay] : [3, x / ay, z / ay];
  return z > 0 ? [4, -x / az, -y / az] : [5, x / az, -y / az];
}

/** Between pixels, without crossing the edge of a face. */
function sample(
  cube: FloatImage,
  face: number,
  u: number,
  v: number,
  target: Float32Array,
  to: number,
): void {
  const size = cube.width;
  const clamp = (value: number): number => Math.min(size - 1, Math.max(0, value));
  const x = clamp(((u + 1) / 2) * size - 0.5);
  const y = clamp(((v + 1) / 2) * size - 0.5);
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = clamp(left + 1);
  const bottom = clamp(top + 1);
  const at = (row: number, column: number, channel: number): number =>
    cube.data[((face * size + row) * size + column) * 3 + channel] ?? 0;
  for (let channel = 0; channel < 3; channel++) {
    const upper = at(top, left, channel) * (1 - x + left) + at(top, right, channel) * (x - left);
    const lower =
      at(bottom, left, channel) * (1 - x + left) + at(bottom, right, channel) * (x - left);
    target[to + channel] = upper * (1 - y + top) + lower * (y - top);
  }
}
