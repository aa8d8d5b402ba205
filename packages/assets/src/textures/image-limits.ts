/** Largest image: 16,384 pixels a side, what common GPUs take. */
export const MAX_IMAGE_SIDE = 16_384;
/** Most pixels that are decoded, all layers together: 8,192 × 8,192, which take 256 MiB. */
export const MAX_IMAGE_PIXELS: number = 2 ** 26;
