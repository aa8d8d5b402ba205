import type { RenderScope } from './render-scope.js';

/** What is used of a dedicated worker's global scope. */
interface DedicatedScope {
  readonly DedicatedWorkerGlobalScope?: unknown;
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  requestAnimationFrame?(callback: () => void): number;
  cancelAnimationFrame?(frame: number): void;
  close(): void;
}

const self = globalThis as unknown as DedicatedScope;

/** Every worker has `requestAnimationFrame`, but in one that another worker made it only throws. */
function hasAnimationFrames(): boolean {
  try {
    const frame = self.requestAnimationFrame?.(() => undefined);
    if (frame === undefined) return false;
    self.cancelAnimationFrame?.(frame);
    return true;
  } catch {
    return false;
  }
}

let animationFrames: boolean | undefined;

export const scope: RenderScope = {
  isWorker: self.DedicatedWorkerGlobalScope !== undefined,
  onMessage(listener) {
    self.addEventListener('message', ({ data }) => listener(data));
  },
  post(message) {
    self.postMessage(message);
  },
  nextFrame(callback, delay) {
    animationFrames ??= hasAnimationFrames();
    if (animationFrames) self.requestAnimationFrame?.(callback);
    else setTimeout(callback, Math.max(0, delay));
  },
  close() {
    self.close();
  },
};
