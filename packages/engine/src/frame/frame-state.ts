import { MutableTimeStep, type TimeStep } from '@ecliptic/scheduler';
import type { PlatformEvent } from '../platform/platform-event.js';

/** The surface that is drawn on. */
export interface Surface {
  /** CSS pixels; 0 where there is none. */
  readonly width: number;
  readonly height: number;
  /** Device pixels for each CSS pixel. */
  readonly pixelRatio: number;
  /** Whether it can be seen: not minimised, not in a hidden tab, not of size 0. `true` where there is none. */
  readonly visible: boolean;
}

/** What a frame's hooks are told. One object for all frames: read it, don't keep it. Times are in seconds. */
export interface FrameState {
  /** Frames before this one. */
  readonly frame: number;
  /** When it began, nanoseconds of the engine's clock. */
  readonly now: number;
  /** Time since the last frame, clamped to the longest frame of the configuration (0.25 s); 0 in the first. */
  readonly rawDelta: number;
  /** Mean of the last 8, for display. */
  readonly smoothedDelta: number;
  /** Fixed steps that ran in this frame so far. */
  readonly steps: number;
  /** Where between the last fixed step and the next this frame is, 0 to 1; for drawing only. */
  readonly alpha: number;
  /** The fixed step that runs; at `systems` to `snapshot`. */
  readonly step: TimeStep;
  /** This frame, as systems of the kind `frame` see it. */
  readonly time: TimeStep;
  /** What the platform told at the start of this frame. */
  readonly events: readonly PlatformEvent[];
  readonly surface: Surface;
}

/** The {@link FrameState} that the loop fills in. */
export class MutableFrameState implements FrameState {
  frame = 0;
  now = 0;
  rawDelta = 0;
  smoothedDelta = 0;
  steps = 0;
  alpha = 0;
  readonly step: MutableTimeStep = new MutableTimeStep();
  readonly time: MutableTimeStep = new MutableTimeStep();
  readonly events: PlatformEvent[] = [];
  readonly surface: { -readonly [K in keyof Surface]: Surface[K] } = {
    width: 0,
    height: 0,
    pixelRatio: 1,
    visible: true,
  };
}
