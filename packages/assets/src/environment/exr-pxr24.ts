import type { ExrChannel } from './exr-channels.js';

/** Bytes of each value of a channel as PXR24 keeps it: of floats it drops the last. */
const KEPT: Readonly<Record<ExrChannel['type'], number>> = { half: 2, float: 3, uint: 4 };

/** How many bytes the deflated data of a block of PXR24 has. */
export function pxr24Bytes(width: number, rows: number, channels: readonly ExrChannel[]): number {
  return channels.reduce((sum, { type }) => sum + KEPT[type] * width * rows, 0);
}

/**
 * Undoes what PXR24 does before it deflates: in each row each channel is stored as differences of neighbours, first the highest
 * bytes of all of them, then the next.
 *
 * @param data - of {@link pxr24Bytes}
 * @returns the pixels row after row, channel after channel
 */
export function undoPxr24(
  data: Uint8Array,
  size: number,
  width: number,
  rows: number,
  channels: readonly ExrChannel[],
): Uint8Array {
  const result = new Uint8Array(size);
  const view = new DataView(result.buffer);
  let from = 0;
  let to = 0;
  for (let row = 0; row < rows; row++) {
    for (const { type, bytes } of channels) {
      const kept = KEPT[type];
      let value = 0;
      for (let x = 0; x < width; x++, to += bytes) {
        let difference = 0;
        for (let byte = 0; byte < kept; byte++) {
          difference |= (data[from + byte * width + x] ?? 0) << (8 * (bytes - 1 - byte));
        }
        value = (value + difference) | 0;
        if (bytes === 2) view.setUint16(to, value & 0xffff, true);
        else view.setInt32(to, value, true);
      }
      from += kept * width;
    }
  }
  return result;
}
