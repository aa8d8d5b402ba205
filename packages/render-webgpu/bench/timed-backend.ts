import { textureTarget } from '../src/device/render-target.js';
import { WebGpuBackend } from '../src/index.js';
import type { NodeGpu } from '../src/node.js';
import { idleDevice } from './idle-device.js';

/** Milliseconds of a frame on the thread that draws. */
export interface FrameTimes {
  /** JavaScript from acquiring the image to the frame's end, and its parts. */
  readonly frame: number;
  readonly scene: number;
  readonly graph: number;
  /** The driver's part, not counted in the others: in a browser another process does that. */
  readonly submit: number;
}

/** A backend that says how long its frames took; with a tiny target. */
export class TimedBackend extends WebGpuBackend {
  times: FrameTimes = { frame: 0, scene: 0, graph: 0, submit: 0 };
  #began = 0;
  #scene = 0;
  #graph = 0;
  #submit = 0;
  #watched: GPUQueue | undefined;

  /** @param gpu - a device that draws, or none: then nothing but JavaScript is measured */
  constructor(gpu: NodeGpu | undefined) {
    super({
      device: gpu ? gpu.requestDevice : () => Promise.resolve(idleDevice()),
      target: textureTarget,
      settings: { shadowMapSize: 0, bloom: 0 },
    });
  }

  override acquire(): boolean {
    this.#watchSubmit();
    this.#submit = 0;
    this.#began = performance.now();
    return super.acquire();
  }

  override renderScene(...view: Parameters<WebGpuBackend['renderScene']>): void {
    const start = performance.now();
    super.renderScene(...view);
    this.#scene = performance.now() - start;
  }

  override executeGraph(...overlay: Parameters<WebGpuBackend['executeGraph']>): void {
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
