import type { RenderFrameState } from '../frame-state/frame-state.js';

/**
 * Where a renderer is between `previous` and `current` of a state at time `now`: the publisher's alpha,
 * carried on by the time that has passed since, at the speed of simulated time. In [0, 1]: a state that
 * is late is held at its end, never extrapolated.
 *
 * @param now - nanoseconds of the engine's clock
 */
export function interpolationAlpha(state: RenderFrameState, now: number): number {
  const { stepDuration } = state;
  if (!(stepDuration > 0)) return 1;
  const elapsed = Math.max(0, now - state.frameTime) * state.timeScale;
  return clampAlpha(state.alpha + elapsed / stepDuration);
}

/** Into [0, 1]; what is no number shows the last step as it is. */
export function clampAlpha(alpha: number): number {
  return Number.isNaN(alpha) ? 1 : Math.min(1, Math.max(0, alpha));
}
