import { readdirSync, readFileSync } from 'node:fs';
import { play } from './game.mjs';
import { openProject } from './project.mjs';

/** Loads every entry point of every package. */
async function loadAll(folder) {
  for (const name of readdirSync(folder)) {
    const manifest = readFileSync(new URL(`${name}/package.json`, folder), 'utf8');
    for (const entry of Object.keys(JSON.parse(manifest).exports)) {
      if (!/[*]|[.]json$/.test(entry)) await import(`@ecliptic/${name}${entry.slice(1)}`);
    }
  }
}

await loadAll(new URL('node_modules/@ecliptic/', import.meta.url));
await play(new URL('./tasks.worker.js', import.meta.url));
await openProject();
console.log('a small engine and a project from the tarballs ran in Node', process.version);
