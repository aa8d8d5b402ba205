/** Milliseconds of processor time, of all threads: other work on a busy machine doesn't count. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** A sample is at least this long, so that the clock's resolution is no part of it. */
const SAMPLE_MS = 2;
const MIN_SAMPLES = 7;

/**
 * Median processor time of one `run`, in milliseconds, once it is warm.
 *
 * @param {() => unknown} run - may return a promise
 * @param {number} milliseconds - to warm up, and then to measure
 * @param {(batch: number) => Promise<number>} [sample] - runs a batch and gives the time of one run
 */
export async function medianOf(run, milliseconds, sample = (batch) => sampleOf(run, batch)) {
  const warm = processorTime();
  let fastest = Infinity;
  for (let runs = 0; runs < 5 || processorTime() - warm < milliseconds; runs++) {
    fastest = Math.min(fastest, await sample(1));
  }
  const batch = Math.max(1, Math.ceil(SAMPLE_MS / Math.max(fastest, 1e-3)));
  const samples = [];
  const begin = processorTime();
  while (samples.length < MIN_SAMPLES || processorTime() - begin < milliseconds)
    samples.push(await sample(batch));
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1];
}

/** Time of one run, averaged over a batch. */
export async function sampleOf(run, batch) {
  const start = processorTime();
  for (let i = 0; i < batch; i++) {
    const pending = run();
    if (pending instanceof Promise) await pending;
  }
  return (processorTime() - start) / batch;
}
