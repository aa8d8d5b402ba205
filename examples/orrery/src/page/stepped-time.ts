import { TIME, type EnginePlugin, type GameTime } from '@ecliptic/engine';

/** Pause, single steps, and speed, from when there is an engine. */
export class SteppedTime {
  #time: GameTime | undefined;

  /** Lets it control an engine. */
  plugin(): EnginePlugin {
    return {
      id: 'orrery.steppedTime',
      start: ({ get }) => {
        this.#time = get(TIME);
      },
    };
  }

  set paused(paused: boolean) {
    if (paused) this.#time?.pause();
    else this.#time?.resume();
  }

  /** While paused: runs one fixed step, in the next frame. */
  step(): void {
    this.#time?.step();
  }

  set scale(scale: number) {
    if (this.#time) this.#time.scale = scale;
  }
}
