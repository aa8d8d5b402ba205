import { halve, type FloatImage } from './float-image.js';

/** A colour of linear light. */
export type Rgb = [number, number, number];

/**
 * An equirectangular picture of everything around, with smaller copies of itself for looking up wide cones. The middle of
 * the picture is −Z, its top +Y.
 */
export class Panorama {
  readonly #levels: readonly FloatImage[];

  constructor(image: FloatImage) {
    const levels = [image];
    for (let last = image; last.width > 4 && last.height > 2;) {
      last = halve(last);
      levels.push(last);
    }
    this.#levels = levels;
  }

  /** The copy of at most `width` pixels across. */
  atMost(width: number): FloatImage {
    const found = this.#levels.find((level) => level.width <= width);
    return found ?? (this.#levels.at(-1) as FloatImage);
  }

  /**
   * Adds to `sum` the light from a unit direction, times `weight`.
   *
   * @param solidAngle - of the cone to take the mean of, in steradians
   */
  add(x: number, y: number, z: number, solidAngle: number, weight: number, sum: Rgb): void {
    const [base] = this.#levels;
    if (!base) return;
    const texel = (4 * Math.PI) / (base.width * base.height);
    const wanted = Math.max(0, 0.5 * Math.log2(solidAngle / texel));
    const level = Math.min(this.#levels.length - 1, Math.round(wanted));
    const image = this.#levels[level] ?? base;
    const { width, height, data } = image;
    const u = (0.5 + Math.atan2(x, -z) / (2 * Math.PI)) * width - 0.5;
    const v = (Math.acos(Math.min(1, Math.max(-1, y))) / Math.PI) * height - 0.5;
    const left = Math.floor(u);
    const top = Math.floor(v);
    const fx = u - left;
    const fy = v - top;
    const x0 = wrap(left, width);
    const x1 = wrap(left + 1, width);
    const y0 = Math.min(height - 1, Math.max(0, top));
    const y1 = Math.min(height - 1, Math.max(0, top + 1));
    for (let c = 0; c < 3; c++) {
      const upper =
        (data[(y0 * width + x0) * 3 + c] ?? 0) * (1 - fx) +
        (data[(y0 * width + x1) * 3 + c] ?? 0) * fx;
      const lower =
        (data[(y1 * width + x0) * 3 + c] ?? 0) * (1 - fx) +
        (data[(y1 * width + x1) * 3 + c] ?? 0) * fx;
      sum[c] = (sum[c] ?? 0) + (upper * (1 - fy) + lower * fy) * weight;
    }
  }
}

function wrap(value: number, size: number): number {
  return ((value % size) + size) % size;
}
