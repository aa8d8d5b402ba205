/**
 * What the simulation may ask about a rendered image. Coordinates are physical pixels, whole numbers, from the top left
 * corner.
 */
export type ReadBackRequest =
  /** Which instance is seen there. */
  | { readonly kind: 'pick'; readonly x: number; readonly y: number }
  /** The colour there. */
  | { readonly kind: 'pixel'; readonly x: number; readonly y: number }
  /** The whole image. */
  | { readonly kind: 'screenshot' };

/** An image, as it was shown. */
export interface Screenshot {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha a pixel, 0 to 255, sRGB, rows from the top. */
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/** What a backend finds out, by kind of the request. */
export type ReadBackResult =
  /** Id of the instance; `undefined` for the sky. */
  | { readonly kind: 'pick'; readonly instance: number | undefined }
  /** Red, green, blue, alpha, 0 to 255, sRGB. */
  | { readonly kind: 'pixel'; readonly color: readonly [number, number, number, number] }
  | ({ readonly kind: 'screenshot' } & Screenshot);

/** What comes back for a request. */
export type ReadBackAnswer = { readonly id: number } & (
  | { readonly result: ReadBackResult }
  /** Why there is none. */
  | { readonly problem: string }
);
