// Imports a project as the command line does, and prints what it took as JSON; a process of its own for each measurement.
//   node bench/run-import.ts <project> <cache> <workers>
import { readFileSync } from 'node:fs';
import { CliProject } from '../src/node/cli-project.js';

const [, , root = '', cache = '', workers = '0'] = process.argv;
const start = performance.now();
const counts: Record<string, number> = {};
const project = await CliProject.open({
  root,
  cache,
  workers: Number(workers),
  timeout: 60,
  onReport: ({ status }) => (counts[status] = (counts[status] ?? 0) + 1),
});
const scan = await project.scan();
await project.import(scan, [], false, new AbortController().signal);
await project.close();
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    ms: Math.round(performance.now() - start),
    cpu: Math.round((user + system) / 1_000),
    peakMiB: peakMiB(),
    counts,
  }),
);

/** The most memory that was resident. Linux only: elsewhere what counts may be the parent's, which starts a process as a copy of itself. */
function peakMiB(): number {
  const [, kibibytes = 'NaN'] =
    /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}
