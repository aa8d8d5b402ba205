/** The times of a frame. Nanoseconds of the engine's clock where they are times. */
export interface FrameTimes {
  /** Fixed steps run so far. */
  readonly tick: number;
  /** When the last of them ended. */
  readonly tickTime: number;
  /** Length of a step; 0 shows the last step as it is. */
  readonly stepDuration: number;
  /** Between the last step and the next, 0 to 1. */
  readonly alpha: number;
  /** When `alpha` was right: the time that this frame began. */
  readonly frameTime: number;
  /** Speed of simulated time; 0 when paused. Default 1. */
  readonly timeScale?: number;
}
