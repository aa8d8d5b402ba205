import { DEFLATE_RATIO } from '@ecliptic/vfs';
import { unzlibSync } from 'fflate';

/** Undoes ZIP and ZIPS, two of the compressions of OpenEXR. @returns `undefined` where the data is damaged */
export function undoZip(data: Uint8Array, size: number): Uint8Array | undefined {
  return unpredict(inflate(data, size), size);
}

/** Inflates data with a zlib header. @returns `undefined` where it is damaged, or less than `size` bytes */
export function inflate(data: Uint8Array, size: number): Uint8Array | undefined {
  if (size > data.byteLength * DEFLATE_RATIO) return undefined;
  try {
    // Never more than asked for, whatever the data would become.
    const result = unzlibSync(data, { out: new Uint8Array(size) });
    return result.byteLength === size ? result : undefined;
  } catch {
    // The caller says which block is damaged.
    return undefined;
  }
}

/** Bytes are stored as differences, first those at even places, then those at odd ones. */
export function unpredict(data: Uint8Array | undefined, size: number): Uint8Array | undefined {
  if (data?.byteLength !== size) return undefined;
  for (let i = 1; i < size; i++) data[i] = (data[i - 1] ?? 0) + (data[i] ?? 0) - 128;
  const result = new Uint8Array(size);
  const half = (size + 1) >> 1;
  for (let i = 0; i < size; i++) result[i] = data[i & 1 ? half + (i >> 1) : i >> 1] ?? 0;
  return result;
}
