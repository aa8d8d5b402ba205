import { play } from './game.mjs';

try {
  await play(() => new Worker(new URL('./tasks.worker.js', import.meta.url), { type: 'module' }));
  document.title = `ok, ${crossOriginIsolated ? 'isolated' : 'not isolated'}`;
} catch (error) {
  document.title = `error ${error.message}`;
}
