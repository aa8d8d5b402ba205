// The stress test of @ecliptic/scheduler, on the packed packages: its modules lie in ./stress, compiled.
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { runStress, STRESS_HASHES } from './stress/stress.js';

const create = () => new Worker(new URL('./stress/stress.worker.js', import.meta.url));
console.log('random schedules on 0, 1 and 3 workers in Node', process.version);
assert.deepEqual(await runStress(create, console.log), STRESS_HASHES);
