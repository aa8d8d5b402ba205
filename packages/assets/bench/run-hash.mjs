// Reads and hashes every file of a project, and nothing else: what a start over an unchanged project can't do without.
//   node bench/run-hash.mjs <project>
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const [, , root = ''] = process.argv;
const loaded = performance.now();
const entries = await readdir(root, { recursive: true, withFileTypes: true });
const paths = entries.filter((entry) => entry.isFile()).map((at) => join(at.parentPath, at.name));
let bytes = 0;
let next = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (next < paths.length) {
      const content = await readFile(/** @type {string} */ (paths[next++]));
      createHash('sha256').update(content).digest('hex');
      bytes += content.byteLength;
    }
  }),
);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    ms: Math.round(performance.now()),
    loadMs: Math.round(loaded),
    importMs: Math.round(performance.now() - loaded),
    cpu: Math.round((user + system) / 1_000),
    counts: { files: paths.length, KiB: Math.round(bytes / 1024) },
  }),
);
