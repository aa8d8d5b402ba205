import { availableParallelism } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { SystemScope } from './system-scope.js';

export const scope: SystemScope = {
  isWorker: parentPort !== null,
  cores: availableParallelism(),
  onStart(listener) {
    parentPort?.on('message', listener);
  },
  post(message) {
    parentPort?.postMessage(message);
  },
  close() {
    parentPort?.close();
  },
};
