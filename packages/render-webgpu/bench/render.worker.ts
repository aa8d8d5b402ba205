// The render thread of end-to-end.bench.ts. Tells how long each frame took.
import { parentPort } from 'node:worker_threads';
import { serveRender } from '@ecliptic/render-sync/worker';
import { openNodeGpu } from '../src/node.js';
import { TimedBackend, type FrameTimes } from './timed-backend.js';

/** What is told after each frame. */
export interface DrawnFrame {
  readonly kind: 'drawn';
  readonly times: FrameTimes;
  readonly visible: number;
  /** Of the device, so far. */
  readonly errors: number;
}

serveRender(async () => {
  const gpu = await openNodeGpu();
  class Telling extends TimedBackend {
    override endFrame(): void {
      super.endFrame();
      const { visible, errors } = this.stats;
      parentPort?.postMessage({
        kind: 'drawn',
        times: this.times,
        visible,
        errors,
      } satisfies DrawnFrame);
    }

    override async dispose(): Promise<void> {
      const { device } = this;
      await super.dispose();
      // Dawn ends the process if its worker is gone before it could say this.
      await device?.lost;
      gpu.close();
    }
  }
  return new Telling({ gpu, settings: { shadowMapSize: 0, bloom: 0 } });
});
