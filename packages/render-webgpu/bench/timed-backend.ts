import { OffscreenBackend } from '../src/node.js';

/** Milliseconds of a frame on the thread that draws. */
export interface FrameTimes {
  /** JavaScript from acquiring the image to the frame's end, and its parts. */
  readonly frame: number;
  readonly scene: number;
  readonly graph: number;
  /** The driver's part, not counted in the others: in a browser another process does that. */
  readonly submit: number;
}

/** A backend that says how long its frames took. */
export class TimedBackend extends OffscreenBackend {
  times: FrameTimes = { frame: 0, scene: 0, graph: 0, submit: 0 };
  #began = 0;
  #scene = 0;
  #graph = 0;
  #submit = 0;
  #watched: GPUQueue | undefined;

  override acquire(): boolean {
    this.#watchSubmit();
    this.#submit = 0;
    this.#began = performance.now();
    return super.acquire();
  }

  override renderScene(...view: Parameters<OffscreenBackend['renderScene']>): void {
    const start = performance.now();
    super.renderScene(...view);
    this.#scene = performance.now() - start;
  }

  override executeGraph(...overlay: Parameters<OffscreenBackend['executeGraph']>): void {
    const start = performance.now();
    super.executeGraph(...overlay);
    this.#graph = performance.now() - start - this.#submit;
  }

  override endFrame(): void {
    super.endFrame();
    this.times = {
      frame: performance.now() - this.#began - this.#submit,
      scene: this.#scene,
      graph: this.#graph,
      submit: this.#submit,
    };
  }

  #watchSubmit(): void {
    const queue = this.device?.queue;
    if (!queue || queue === this.#watched) return;
    this.#watched = queue;
    const submit = queue.submit.bind(queue);
    queue.submit = (commands) => {
      const start = performance.now();
      submit(commands);
      this.#submit += performance.now() - start;
    };
  }
}
