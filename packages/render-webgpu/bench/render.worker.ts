// The render thread of end-to-end.bench.ts. Tells how long each frame took. Without a device when its worker data is `idle`.
import { parentPort, workerData } from 'node:worker_threads';
import { serveRender } from '@ecliptic/render-sync/worker';
import { openNodeGpu } from '../src/node.js';
import { TimedBackend, type FrameTimes } from './timed-backend.js';

/** What is told after each frame. */
export interface DrawnFrame {
  readonly kind: 'drawn';
  readonly times: FrameTimes;
  /** Milliseconds that the thread has used a processor for this frame. */
  readonly processor: number;
  readonly visible: number;
  /** Of the device, so far. */
  readonly errors: number;
}

serveRender(async () => {
  const gpu = workerData === 'idle' ? undefined : await openNodeGpu();
  class Telling extends TimedBackend {
    #used = process.threadCpuUsage();

    override acquire(): boolean {
      this.#used = process.threadCpuUsage();
      return super.acquire();
    }

    override endFrame(): void {
      super.endFrame();
      const { user, system } = process.threadCpuUsage(this.#used);
      const { visible, errors } = this.stats;
      parentPort?.postMessage({
        kind: 'drawn',
        times: this.times,
        processor: (user + system) / 1_000,
        visible,
        errors,
      } satisfies DrawnFrame);
    }

    override async dispose(): Promise<void> {
      const { device } = this;
      await super.dispose();
      // Dawn ends the process if its worker is gone before it could say this.
      if (gpu) await device?.lost;
      gpu?.close();
    }
  }
  return new Telling(gpu);
});
