import { DwaLight } from './dwa-light.js';
import { halfOfBits } from './half-of-bits.js';
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
  /** Of each channel of a block, how many rows of coefficients it has. */
  readonly #waves = [0, 0, 0];
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
          let isFlat = true;
          for (let i = 0; i < planes.length; i++) {
            const first = streams.first[this.#first + i * blocks + block] ?? 0;
            const read = this.#readBlock(i, first, streams.others);
            if (read === undefined) return false;
            this.#waves[i] = read;
            if (read > 0) isFlat = false;
          }
          const count = isFlat ? 1 : 64;
          for (let i = 0; i < planes.length; i++) this.#transform(i, count);
          if (planes.length === 3) this.#toRgb(count);
          const across = Math.min(8, width - x);
          const down = Math.min(8, rows - y);
          for (let i = 0; i < planes.length; i++) {
            const plane = planes[i];
            if (plane) this.#write(i, plane, isFlat, x, y, across, down, target, stride);
          }
        }
      }
      this.#first += planes.length * blocks;
    }
    return this.#other === streams.others.length;
  }

  /** @returns how many rows hold coefficients, 0 where only the first one is there; `undefined` where they end inside the block */
  #readBlock(index: number, first: number, others: Uint16Array): number | undefined {
    const block = this.#values[index] ?? new Float32Array(0);
    const { values } = this.#light;
    block.fill(0);
    block[0] = values[first] ?? 0;
    let last = 0;
    for (let place = 1; place < 64;) {
      if (this.#other >= others.length) return undefined;
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
    return last === 0 ? 0 : (last >> 3) + 1;
  }

  /** Makes the first `count` values of a block of its coefficients: all, or one, which is that of all. */
  #transform(index: number, count: number): void {
    const block = this.#values[index];
    const rows = this.#waves[index] ?? 0;
    if (!block) return;
    if (rows === 0) block.fill((block[0] ?? 0) / 8, 0, count);
    else inverseDct(block, rows);
  }

  /** From luma and two differences of colour, with the coefficients of Rec. 709. */
  #toRgb(count: number): void {
    const [red, green, blue] = this.#values;
    if (!red || !green || !blue) return;
    for (let i = 0; i < count; i++) {
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
    isFlat: boolean,
    left: number,
    top: number,
    width: number,
    rows: number,
    target: DataView,
    stride: number,
  ): void {
    const bits = this.#bits[index] ?? new Uint32Array(0);
    const bytes = type === 'half' ? 2 : 4;
    let half = this.#halfOf(bits[0] ?? 0, isLinear);
    for (let y = 0; y < rows; y++) {
      let to = start + (top + y) * stride + left * bytes;
      for (let x = 0; x < width; x++, to += bytes) {
        if (!isFlat) half = this.#halfOf(bits[y * 8 + x] ?? 0, isLinear);
        if (bytes === 2) target.setUint16(to, half, true);
        else target.setUint32(to, this.#floats[half] ?? 0, true);
      }
    }
  }

  #halfOf(bits: number, isLinear: boolean): number {
    const stored = halfOfBits(bits);
    return isLinear ? stored : (this.#light.linear[stored] ?? 0);
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
