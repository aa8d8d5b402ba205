import type { RenderScope } from './render-scope.js';

/** What is used of a dedicated worker's global scope. */
interface DedicatedScope {
  readonly DedicatedWorkerGlobalScope?: unknown;
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  requestAnimationFrame?(callback: () => void): number;
  close(): void;
}

const self = globalThis as unknown as DedicatedScope;

export const scope: RenderScope = {
  isWorker: self.DedicatedWorkerGlobalScope !== undefined,
  onMessage(listener) {
    self.addEventListener('message', ({ data }) => listener(data));
  },
  post(message) {
    self.postMessage(message);
  },
  nextFrame(callback, delay) {
    if (self.requestAnimationFrame) self.requestAnimationFrame(callback);
    else setTimeout(callback, Math.max(0, delay));
  },
  close() {
    self.close();
  },
};
