/** What the user did since the last frame, for an {@link Overlay}. */
export interface OverlayInput {
  /** Where the pointer is, in logical pixels from the top left corner; `undefined` when it is elsewhere. */
  readonly pointer?: { readonly x: number; readonly y: number } | undefined;
  /** Whether the main button, or the finger, is down. */
  readonly isDown?: boolean;
  /** Names of keys that went down, in order, as browsers have them in `event.key`. */
  readonly keys?: readonly string[];
  /** Whether Shift is held: Tab goes backwards. */
  readonly isShift?: boolean;
}
