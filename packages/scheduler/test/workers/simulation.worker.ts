// A simulation that has a thread of its own, with workers of its own.
import { simulate } from './simulate.js';

const create = (): Worker =>
  new Worker(new URL('./stress.worker.ts', import.meta.url), { type: 'module' });

globalThis.addEventListener('message', ({ data }: MessageEvent<number>) => {
  void simulate(data, { create, count: 1, offload: 'always' }).then((result) => {
    (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(result);
  });
});
