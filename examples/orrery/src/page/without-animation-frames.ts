/**
 * Browsers have `requestAnimationFrame` in every worker, but in one that another worker made it only throws. There it is taken
 * away, so that whoever asks for it paces itself by the clock.
 */
export function withoutAnimationFrames(): void {
  try {
    cancelAnimationFrame(requestAnimationFrame(() => {}));
  } catch {
    Object.defineProperty(globalThis, 'requestAnimationFrame', { value: undefined });
  }
}
