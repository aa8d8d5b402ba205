import { DwaLight, halfOfBits } from './dwa-light.js';
import type { DwaStreams } from './exr-dwa-streams.js';
import { inverseDct } from './inverse-dct.js';

/** Where the values of a channel go. */
export interface DwaPlane {
  readonly type: 'half' | 'float';
  /** Byte of the first of them. */
  readonly start: number;
  /** Whether what is stored are the values themselves, and not how they are perceived. */
  readonly isLinear: boolean;
}

/** Ends a block; others that start with the same byte are runs of so many zeros. */
const END = 0xff00;
/** Place of each coefficient of a block in its rows, from low frequencies to high ones. */
const ZIGZAG = zigzag();

/** Undoes the lossy part of DWAA: blocks of 8 × 8 values as discrete cosine transforms, in half floats. */
export class DwaBlocks {
  readonly #light = new DwaLight();
  readonly #floats = new Uint32Array(this.#light.values.buffer);
  readonly #values = [0, 1, 2].map(() => new Float32Array(64));
  readonly #bits = this.#values.map(({ buffer }) => new Uint32Array(buffer));
  #first = 0;
  #other = 0;

  /**
   * Writes the values of all lossy channels.
   *
   * @param groups - three or one, in the order of the streams
   * @param stride - bytes from a row of values to the next
   * @returns whether the streams held just what was needed
   */
  decode(
    streams: DwaStreams,
    groups: readonly (readonly DwaPlane[])[],
    width: number,
    rows: number,
    target: DataView,
    stride: number,
  ): boolean {
    this.#first = 0;
    this.#other = 0;
    const blocks = Math.ceil(width / 8) * Math.ceil(rows / 8);
    for (const planes of groups) {
      let block = 0;
      for (let y = 0; y < rows; y += 8) {
        for (let x = 0; x < width; x += 8, block++) {
          for (let i = 0; i < planes.length; i++) {
            const first = streams.first[this.#first + i * blocks + block] ?? 0;
            if (!this.#readBlock(i, first, streams.others)) return false;
          }
          if (planes.length === 3) this.#toRgb();
          const across = Math.min(8, width - x);
          const down = Math.min(8, rows - y);
          for (let i = 0; i < planes.length; i++) {
            const plane = planes[i];
            if (plane) this.#write(i, plane, x, y, across, down, target, stride);
          }
        }
      }
      this.#first += planes.length * blocks;
    }
    return this.#other === streams.others.length;
  }

  /** @returns `false` where the coefficients end inside the block */
  #readBlock(index: number, first: number, others: Uint16Array): boolean {
    const block = this.#values[index] ?? new Float32Array(0);
    const { values } = this.#light;
    block.fill(0);
    block[0] = values[first] ?? 0;
    let last = 0;
    for (let place = 1; place < 64;) {
      if (this.#other >= others.length) return false;
      const coefficient = others[this.#other++] ?? 0;
      if (coefficient === END) break;
      if (coefficient > END) {
        place += coefficient - END;
        continue;
      }
      const at = ZIGZAG[place++] ?? 0;
      block[at] = values[coefficient] ?? 0;
      if (at > last) last = at;
    }
    if (last === 0) block.fill((block[0] ?? 0) / 8);
    else inverseDct(block, (last >> 3) + 1);
    return true;
  }

  /** From luma and two differences of colour, with the coefficients of Rec. 709. */
  #toRgb(): void {
    const [red, green, blue] = this.#values;
    if (!red || !green || !blue) return;
    for (let i = 0; i < 64; i++) {
      const luma = red[i] ?? 0;
      const cb = green[i] ?? 0;
      const cr = blue[i] ?? 0;
      red[i] = luma + 1.5747 * cr;
      green[i] = luma - 0.1873 * cb - 0.4682 * cr;
      blue[i] = luma + 1.8556 * cb;
    }
  }

  #write(
    index: number,
    { type, start, isLinear }: DwaPlane,
    left: number,
    top: number,
    width: number,
    rows: number,
    target: DataView,
    stride: number,
  ): void {
    const bits = this.#bits[index] ?? new Uint32Array(0);
    const { linear } = this.#light;
    const bytes = type === 'half' ? 2 : 4;
    for (let y = 0; y < rows; y++) {
      let to = start + (top + y) * stride + left * bytes;
      for (let x = 0; x < width; x++, to += bytes) {
        const stored = halfOfBits(bits[y * 8 + x] ?? 0);
        const half = isLinear ? stored : (linear[stored] ?? 0);
        if (bytes === 2) target.setUint16(to, half, true);
        else target.setUint32(to, this.#floats[half] ?? 0, true);
      }
    }
  }
}

/** Along the diagonals, to and fro. */
function zigzag(): Uint8Array {
  const places = new Uint8Array(64);
  let count = 0;
  for (let sum = 0; sum <= 14; sum++) {
    for (let step = 0; step <= sum; step++) {
      const row = sum % 2 === 0 ? sum - step : step;
      const column = sum - row;
      if (row < 8 && column < 8) places[count++] = row * 8 + column;
    }
  }
  return places;
}
