/**
 * What a platform can move to another thread instead of copying: `ArrayBuffer`, `MessagePort`,
 * `ImageBitmap`, …
 */
export type TransferList = readonly object[];

/** A result whose buffers are moved to the caller; made by {@link transfer}. */
export class TransferredResult<T> {
  /** The result. */
  readonly value: T;
  /** What of it is moved. */
  readonly list: TransferList;

  constructor(value: T, list: TransferList) {
    this.value = value;
    this.list = list;
  }
}

/**
 * Wraps what a task returns, so that the things in `list` are moved to the caller instead of being
 * copied. They can't be used in the worker afterwards. Not for inputs: what of them is moved is an option of `run`.
 *
 * @example
 * ```ts
 * const pixels = decode(bytes);
 * return transfer({ width: 4, height: 4, pixels }, [pixels.buffer]);
 * ```
 */
export function transfer<T>(value: T, list: TransferList): TransferredResult<T> {
  return new TransferredResult(value, list);
}
