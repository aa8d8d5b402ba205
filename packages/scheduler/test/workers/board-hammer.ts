// Takes jobs from a board and adds their numbers up, until the board is stopped.
import { parentPort, workerData } from 'node:worker_threads';
import { JobBoard } from '../../src/workers/job-board.js';

const board = new JobBoard(workerData.board);
const sums = new Float64Array(workerData.sums);
const job = { system: 0, part: 0, start: 0, end: 0 };
parentPort?.postMessage('ready');
while (!board.stopped) {
  const { signal } = board;
  while (board.claim(job)) {
    const at = workerData.index * 2;
    sums[at] = (sums[at] ?? 0) + job.start * 7 + job.end;
    sums[at + 1] = (sums[at + 1] ?? 0) + 1;
    board.finish();
  }
  if (board.allClaimed) board.sleep(signal);
}
