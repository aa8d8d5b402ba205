import { play } from './game.mjs';

await play(new URL('./tasks.worker.js', import.meta.url));
console.log('a small engine from the tarballs ran in Node', process.version);
