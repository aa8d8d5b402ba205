// Posts `count` messages on 'work', each as soon as the queue takes it, then reports and leaves.
import { parentPort, workerData } from 'node:worker_threads';
import { connectMainThreadQueue } from '../../src/queue/main-thread-poster.js';
import { yieldToEventLoop } from '../../src/time/yield-to-event-loop.js';

const { endpoint, producer, count } = workerData;
const queue = connectMainThreadQueue(endpoint);
let refused = 0;
for (let sequence = 0; sequence < count;) {
  if (queue.post('work', { producer, sequence })) {
    sequence++;
    continue;
  }
  refused++;
  await yieldToEventLoop();
}
parentPort?.postMessage({ producer, refused });
// A port delivers what was posted only while its thread lives.
if (endpoint.transport === 'port') parentPort?.once('message', () => queue.close());
