/**
 * One library, one workload, in a process of its own: `node measure.mjs <library> <workload> <crowd> <milliseconds>`.
 * Prints one line of JSON: `{ nanoseconds, samples }`, or exits with 1 and the reason on stderr.
 */
import { libraries } from './libraries.mjs';
import { VERIFY_RUNS, workloads } from './workloads.mjs';

const [name, workloadName, crowded, milliseconds] = process.argv.slice(2);
const workload = workloads[workloadName];
const library = (await libraries[name].load()).default;
const budget = Number(milliseconds);

/** A sample is at least this long, so that the clock's resolution is no part of it. */
const SAMPLE_MS = 2;
const MIN_SAMPLES = 7;

const crowd = crowded === 'crowd' ? await library.crowd() : undefined;
for (let i = 0; i < 300; i++) {
  const pending = crowd?.();
  if (pending !== undefined) await pending;
}

const instance = await library.workloads[workloadName]();

/** Milliseconds of processor time, of all threads: other work on a busy machine doesn't count. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

async function once() {
  if (instance.prepare !== undefined) await instance.prepare();
  const start = processorTime();
  const pending = instance.run();
  if (pending !== undefined) await pending;
  return processorTime() - start;
}

/** Milliseconds of one run, averaged over a batch where runs need no preparation. */
async function sample(batch) {
  const pending = crowd?.();
  if (pending !== undefined) await pending;
  if (instance.prepare !== undefined) return once();
  const start = processorTime();
  for (let i = 0; i < batch; i++) {
    const running = instance.run();
    if (running !== undefined) await running;
  }
  return (processorTime() - start) / batch;
}

for (let i = 0; i < VERIFY_RUNS; i++) await once();
const checksum = (await instance.checksum()).map(Number);
if (checksum.join() !== workload.expected.join()) {
  throw new Error(
    `${name}/${workloadName}: expected ${workload.expected.join()}, got ${checksum.join()}`,
  );
}

const warm = processorTime();
let fastest = Infinity;
for (let runs = 0; runs < 5 || processorTime() - warm < budget; runs++) {
  fastest = Math.min(fastest, await sample(1));
}
const batch = Math.max(1, Math.ceil(SAMPLE_MS / Math.max(fastest, 1e-3)));
const samples = [];
const begin = processorTime();
while (samples.length < MIN_SAMPLES || processorTime() - begin < budget)
  samples.push(await sample(batch));
samples.sort((a, b) => a - b);
await instance.dispose?.();

const median = samples[samples.length >> 1];
process.stdout.write(
  `${JSON.stringify({ nanoseconds: (median * 1e6) / workload.operations, samples: samples.length })}\n`,
);
process.exit(0);
