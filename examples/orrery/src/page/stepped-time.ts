import type { EnginePlugin, GameTime } from '@ecliptic/engine';
import { TIME } from '@ecliptic/engine';

/** Pause, single steps, and speed. */
export class SteppedTime {
  #time: GameTime | undefined;
  #stepFrom = -1;

  /** Lets it control an engine. */
  plugin(): EnginePlugin {
    return {
      id: 'orrery.steppedTime',
      start: ({ get, frame }) => {
        const time = get(TIME);
        this.#time = time;
        frame.on('update', 'pause after a step', () => {
          if (this.#stepFrom < 0 || time.stepCount <= this.#stepFrom) return;
          this.#stepFrom = -1;
          time.pause();
        });
      },
    };
  }

  set paused(paused: boolean) {
    this.#stepFrom = -1;
    if (paused) this.#time?.pause();
    else this.#time?.resume();
  }

  /** Runs until the next fixed step is done. */
  step(): void {
    if (!this.#time?.paused) return;
    this.#stepFrom = this.#time.stepCount;
    this.#time.resume();
  }

  set scale(scale: number) {
    if (this.#time) this.#time.scale = scale;
  }
}
