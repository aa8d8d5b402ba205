/** Over how long a rate is taken, in milliseconds: a device of software may need a second for one frame. */
const SPAN = 2_000;

/** How fast a count of frames grows. */
export class FrameRate {
  #samples: { readonly frames: number; readonly at: number }[] = [];

  /**
   * Takes a sample.
   *
   * @param at - milliseconds, of a clock that only goes forward
   * @returns milliseconds a frame over the last two seconds; 0 while no frame was finished
   */
  sample(frames: number, at: number): number {
    this.#samples.push({ frames, at });
    while (at - (this.#samples[1]?.at ?? at) >= SPAN) this.#samples.shift();
    const [oldest = { frames, at }] = this.#samples;
    return frames > oldest.frames ? (at - oldest.at) / (frames - oldest.frames) : 0;
  }
}
