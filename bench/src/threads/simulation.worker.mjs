import { measure } from './simulation.mjs';

const WORKERS = {
  bare: () => new Worker(new URL('./bare.worker.mjs', import.meta.url), { type: 'module' }),
  systems: () => new Worker(new URL('./systems.worker.mjs', import.meta.url), { type: 'module' }),
};
const create = (name) => WORKERS[name]();
create.path = () => new URL('./woven.worker.mjs', import.meta.url).href;

await measure(create, (row) => self.postMessage(row));
self.postMessage('done');
