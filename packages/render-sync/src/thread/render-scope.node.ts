import { parentPort } from 'node:worker_threads';
import type { RenderScope } from './render-scope.js';

export const scope: RenderScope = {
  isWorker: parentPort !== null,
  onMessage(listener) {
    parentPort?.on('message', listener);
  },
  post(message) {
    parentPort?.postMessage(message);
  },
  nextFrame(callback, delay) {
    if (delay <= 0) setImmediate(callback);
    else setTimeout(callback, delay);
  },
  close() {
    parentPort?.close();
  },
};
