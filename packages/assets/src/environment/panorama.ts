import { halve, type FloatImage } from './float-image.js';

/**
 * An equirectangular picture of everything around, with smaller copies of itself for looking up wide cones. The middle of
 * the picture is −Z, its top +Y.
 */
export class Panorama {
  readonly #base: FloatImage;
  readonly #levels: readonly FloatImage[];

  constructor(image: FloatImage) {
    const levels = [image];
    for (let last = image; last.width > 4 && last.height > 2;) {
      last = halve(last);
      levels.push(last);
    }
    this.#base = image;
    this.#levels = levels;
  }

  /** The copy of at most `width` pixels across. */
  atMost(width: number): FloatImage {
    const found = this.#levels.find((level) => level.width <= width);
    return found ?? this.#levels.at(-1) ?? this.#base;
  }

  /**
   * The copy of which one pixel is about as large as a cone.
   *
   * @param solidAngle - of the cone, in steradians
   */
  forCone(solidAngle: number): FloatImage {
    const texel = (4 * Math.PI) / (this.#base.width * this.#base.height);
    const wanted = Math.round(Math.max(0, 0.5 * Math.log2(solidAngle / texel)));
    return this.#levels[Math.min(this.#levels.length - 1, wanted)] ?? this.#base;
  }
}
