// Imports a project as the built command line does, and prints what it took as JSON. A process of its own for each measurement, and
// no TypeScript, so that a start costs here what it costs a user.
//   node bench/run-import.mjs <project> <cache> <workers> [rounds]
// Each round after the first empties the cache and imports everything again with the same workers, as in a session that goes on.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { enableCompileCache } from '../dist/node/compile-cache.js';

enableCompileCache();
const { CliProject } = await import('../dist/node/cli-project.js');

const [, , root = '', cache = '', workers = '0', rounds = '1'] = process.argv;
const loaded = performance.now();
/** @type {Record<string, number>} */
const counts = {};
const project = await CliProject.open({
  root,
  cache,
  workers: Number(workers),
  timeout: 60,
  onReport: ({ status }) => (counts[status] = (counts[status] ?? 0) + 1),
});
const scan = await project.scan();
const scanned = performance.now();
const { signal } = new AbortController();
await project.import(scan, [], false, signal);
const imported = performance.now();
const warm = [];
for (let round = 1; round < Number(rounds); round++) {
  for (const folder of ['artifacts', 'imports']) rmSync(join(cache, folder), { recursive: true });
  const began = performance.now();
  await project.import(scan, [], true, signal);
  warm.push(performance.now() - began);
}
const closing = performance.now();
await project.close();
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    // From the start of the process to its end, without the rounds after the first.
    ms: Math.round(imported + performance.now() - closing),
    loadMs: Math.round(loaded),
    scanMs: Math.round(scanned - loaded),
    importMs: Math.round(imported - scanned),
    ...(warm.length > 0 ? { warmMs: Math.round(Math.min(...warm)) } : {}),
    cpu: Math.round((user + system) / 1_000),
    peakMiB: peakMiB(),
    counts,
  }),
);

/** The most memory that was resident. Linux only: elsewhere what counts may be the parent's, which starts a process as a copy of itself. */
function peakMiB() {
  const [, kibibytes = 'NaN'] =
    /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}
