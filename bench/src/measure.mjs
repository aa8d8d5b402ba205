/**
 * One library, one workload, in a process of its own: `node measure.mjs <library> <workload> <crowd> <milliseconds>`.
 * Prints one line of JSON: `{ nanoseconds }`, or exits with 1 and the reason on stderr.
 */
import { libraries } from './libraries.mjs';
import { medianOf, processorTime, sampleOf } from './processor-time.mjs';
import { VERIFY_RUNS, workloads } from './workloads.mjs';

const [name, workloadName, crowded, milliseconds] = process.argv.slice(2);
const workload = workloads[workloadName];
const library = (await libraries[name].load()).default;

/** Frames of the crowd before the workload is made. */
const CROWD_WARMUP = 300;

const crowd = crowded === 'crowd' ? await library.crowd() : undefined;
for (let i = 0; crowd !== undefined && i < CROWD_WARMUP; i++) await crowd();

const instance = await library.workloads[workloadName]();

async function once() {
  await instance.prepare?.();
  const start = processorTime();
  await instance.run();
  return processorTime() - start;
}

for (let i = 0; i < VERIFY_RUNS; i++) await once();
const checksum = (await instance.checksum()).map(Number);
if (checksum.join() !== workload.expected.join()) {
  throw new Error(
    `${name}/${workloadName}: expected ${workload.expected.join()}, got ${checksum.join()}`,
  );
}

const run = () => instance.run();
const median = await medianOf(run, Number(milliseconds), async (batch) => {
  await crowd?.();
  return instance.prepare === undefined ? sampleOf(run, batch) : once();
});
process.stdout.write(`${JSON.stringify({ nanoseconds: (median * 1e6) / workload.operations })}\n`);
process.exit(0);
