import type { ExrChannel } from './exr-channels.js';
import { DwaBlocks, type DwaPlane } from './exr-dwa-blocks.js';
import { readDwaStreams } from './exr-dwa-streams.js';

/**
 * Undoes DWAA and DWAB, two of the compressions of OpenEXR, which differ in how many rows a block has: colours are stored as JPEG does, by
 * the frequencies of 8 × 8 pixels, alpha as runs of bytes, and other channels as they are. One serves a whole picture: its tables take time.
 *
 * Floats that are stored by their frequencies have the precision of half floats. Source: ImfDwaCompressor, OpenEXR's own writer, describes the
 * format in its comments.
 */
export class DwaDecoder {
  readonly #blocks = new DwaBlocks();

  /**
   * @param size - bytes of the pixels
   * @returns each row channel after channel; `undefined` where the data is damaged
   */
  decode(
    data: Uint8Array,
    size: number,
    width: number,
    rows: number,
    channels: readonly ExrChannel[],
  ): Uint8Array | undefined {
    const streams = readDwaStreams(data, width, rows, channels);
    if (!streams) return undefined;
    const { layout, runs, plain } = streams;
    const starts: number[] = [];
    let stride = 0;
    for (const { bytes } of channels) {
      starts.push(stride);
      stride += bytes * width;
    }
    const result = new Uint8Array(size);
    const planes = layout.lossy.map((group) =>
      group.map((index): DwaPlane => {
        const channel = channels[index];
        return {
          type: channel?.type === 'half' ? 'half' : 'float',
          start: starts[index] ?? 0,
          isLinear: group.length === 1 && channel?.isPerceivedLinearly === true,
        };
      }),
    );
    const view = new DataView(result.buffer);
    if (!this.#blocks.decode(streams, planes, width, rows, view, stride)) return undefined;
    let from = 0;
    for (const index of layout.plain) {
      const length = (channels[index]?.bytes ?? 0) * width;
      for (let y = 0; y < rows; y++, from += length) {
        result.set(plain.subarray(from, from + length), y * stride + (starts[index] ?? 0));
      }
    }
    from = 0;
    for (const index of layout.runs) {
      const bytes = channels[index]?.bytes ?? 0;
      for (let byte = 0; byte < bytes; byte++) {
        for (let y = 0; y < rows; y++) {
          let to = y * stride + (starts[index] ?? 0) + byte;
          for (let x = 0; x < width; x++, to += bytes) result[to] = runs[from++] ?? 0;
        }
      }
    }
    return result;
  }
}
