import type { SystemScope } from './system-scope.js';

/** What is used of a dedicated worker's global scope. */
interface DedicatedScope {
  readonly DedicatedWorkerGlobalScope?: unknown;
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  close(): void;
}

const self = globalThis as unknown as DedicatedScope;

export const scope: SystemScope = {
  isWorker: self.DedicatedWorkerGlobalScope !== undefined,
  cores: navigator.hardwareConcurrency,
  onStart(listener) {
    self.addEventListener('message', ({ data }) => listener(data));
  },
  post(message) {
    self.postMessage(message);
  },
  close() {
    self.close();
  },
};
