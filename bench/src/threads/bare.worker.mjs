/** Half of the rows, whenever the other thread says so: two threads without any library, spinning all the time. */
import { DT, kernels } from './kernels.mjs';

async function serve({ control, columns, kernel, begin, end }) {
  const words = new Int32Array(control);
  const arrays = Object.fromEntries(
    Object.entries(columns).map(([name, buffer]) => [name, new Float32Array(buffer)]),
  );
  let seen = 0;
  Atomics.store(words, 1, -1); // ready
  for (;;) {
    const asked = Atomics.load(words, 0);
    if (asked === seen) continue;
    if (asked < 0) return;
    seen = asked;
    kernels[kernel](arrays, begin, end, DT);
    Atomics.store(words, 1, asked);
  }
}

if (typeof self === 'undefined') {
  const { parentPort } = await import('node:worker_threads');
  parentPort.once('message', (data) => void serve(data));
} else self.onmessage = ({ data }) => void serve(data);
