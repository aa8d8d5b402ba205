import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { FrameBlock } from '../src/workers/frame-block.js';
import { GrowingBuffer } from '../src/workers/growing-buffer.js';
import { FailureLog, failureLogBytes } from '../src/workers/failure-log.js';
import { JobBoard, type Job } from '../src/workers/job-board.js';
import { PartLayout } from '../src/workers/part-layout.js';
import { RowRuns } from '../src/workers/row-runs.js';
import { TouchLog } from '../src/workers/touch-log.js';
import { LocalFailures, WaveLogs } from '../src/workers/wave-logs.js';

const emptyJob = (): Job => ({ system: 0, part: 0, start: 0, end: 0 });

describe('JobBoard', () => {
  it('gives out each job once, whole, to any number of threads, over many waves and across the wrap-around', async () => {
    const workers = 3;
    const board = JobBoard.allocate(64, workers);
    // The counters of tickets are 32 bits wide: begin just before they wrap around.
    const words = new Int32Array(board.memory.buffer);
    words[0] = words[16] = words[32] = 0x7fff_fff0;
    const sums = new SharedArrayBuffer((workers + 1) * 16);
    const threads = Array.from(
      { length: workers },
      (_, index) =>
        new Worker(new URL('./workers/board-hammer.ts', import.meta.url), {
          workerData: { board: board.memory, sums, index },
        }),
    );
    await Promise.all(threads.map((thread) => once(thread, 'message')));
    let expected = 0;
    let jobs = 0;
    let own = 0;
    const job = emptyJob();
    for (let wave = 0; wave < 4_000; wave++) {
      const count = 1 + (wave % 64);
      for (let i = 0; i < count; i++) {
        board.write(i, wave % 5, i, wave + i, wave);
        expected += (wave + i) * 7 + wave;
      }
      jobs += count;
      board.publish(count);
      if (wave % 3 > 0) {
        while (board.claim(job)) {
          own += job.start * 7 + job.end;
          board.finish();
        }
      }
      while (!board.waveDone) board.waitForWave(1_000);
    }
    board.stop();
    await Promise.all(threads.map((thread) => once(thread, 'exit')));
    const totals = new Float64Array(sums);
    const theirs = [0, 2, 4].map((at) => totals[at] ?? 0);
    expect(theirs.reduce((sum, each) => sum + each, own)).toBe(expected);
    const counts = [1, 3, 5].map((at) => totals[at] ?? 0);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(jobs);
    expect(board.outstanding).toBe(0);
  });

  it('knows what each worker runs, and forgets the jobs of the dead', () => {
    const board = JobBoard.allocate(8, 2);
    expect([board.runningOn(0), board.runningOn(1)]).toEqual([-1, -1]);
    board.write(0, 4, 0, 0, 10);
    board.write(1, 4, 0, 10, 20);
    board.publish(2);
    const job = emptyJob();
    expect(board.claim(job)).toBe(true);
    board.report(1, job.system);
    expect([board.runningOn(0), board.runningOn(1)]).toEqual([-1, 4]);
    expect(board.claim(job)).toBe(true);
    board.finish();
    expect([board.waveDone, board.outstanding, board.allClaimed]).toEqual([false, 1, true]);
    expect(board.waitForWave(1)).toBe(false);
    board.abandonWave();
    expect([board.waveDone, board.claim(job)]).toEqual([true, false]);
  });
});

describe('FailureLog', () => {
  it('carries errors with name, code, message and stack, in order', () => {
    const log = new FailureLog(new SharedArrayBuffer(failureLogBytes(5)), 0, 5);
    const error = new TypeError('not a vector');
    expect(log.isEmpty).toBe(true);
    log.write({ system: 3, part: 1, start: 64, end: 96 }, error);
    log.write({ system: 4, part: 0, start: 0, end: 1 }, 'just text');
    expect(log.isEmpty).toBe(false);
    const [first, second] = log.drain();
    expect(first).toMatchObject({ system: 3, part: 1, start: 64 });
    expect(first?.error).toMatchObject({
      name: 'TypeError',
      message: 'not a vector',
      stack: error.stack,
    });
    expect(second?.error).toMatchObject({
      message: expect.stringContaining('just text') as string,
    });
    expect([log.isEmpty, log.drain()]).toEqual([true, []]);
  });

  it('shortens what does not fit, to nothing if need be, and leaves no system out', () => {
    const log = new FailureLog(new SharedArrayBuffer(failureLogBytes(64)), 0, 64);
    const error = new Error('x'.repeat(100_000));
    for (let i = 0; i < 64; i++) log.write({ system: i, part: 0, start: 7, end: 8 }, error);
    const failures = log.drain();
    expect(failures.map(({ system }) => system)).toEqual(Array.from({ length: 64 }, (_, i) => i));
    expect(failures[0]?.error).toMatchObject({ message: 'x'.repeat(500) });
    expect(failures[63]).toMatchObject({
      start: 7,
      error: { message: 'Too many systems failed on one worker for this one to say why' },
    });
  });

  it('keeps the first failure of each system, however many there are', () => {
    const log = new FailureLog(new SharedArrayBuffer(failureLogBytes(2)), 0, 2);
    for (let row = 0; row < 1_000; row++) {
      log.write({ system: 0, part: 0, start: row, end: row + 1 }, new Error(`row ${row}`));
    }
    log.write({ system: 1, part: 3, start: 0, end: 1 }, new Error('another'));
    const found = log.drain().map(({ system, error }) => [system, (error as Error).message]);
    expect(found).toEqual([
      [0, 'row 0'],
      [1, 'another'],
    ]);
  });
});

describe('PartLayout', () => {
  it('gives back the columns it was given, over another mapping of the memory', () => {
    const arena = new SharedArrayBuffer(4_096);
    const layout = PartLayout.allocate([3, 2], [false, true], 4);
    const columns = [
      new Int32Array(arena, 64, 10),
      new Float32Array(arena, 128, 30),
      undefined,
    ] as const;
    layout.setParts(1, 1);
    layout.setRows(1, 0, 9);
    layout.setColumns(1, 0, [new Uint8Array(arena, 5, 7), new Float64Array(arena, 512, 2)]);
    layout.setColumns(0, 3, columns);
    const other = new PartLayout(structuredClone(layout.memory));
    expect(other.columnsOf(0, 3, arena)).toEqual(columns);
    expect(other.columnsOf(1, 0, arena)[0]).toMatchObject({ byteOffset: 5, length: 7 });
    expect([other.partsOf(0), other.partsOf(1), other.rowsOf(1, 0)]).toEqual([0, 1, 9]);
    expect(other.versionOf(0, 3)).toBe(1);
    layout.setColumns(0, 3, columns);
    expect(other.versionOf(0, 3)).toBe(2);
  });
});

describe('RowRuns', () => {
  it('are found by row, also when their memory has grown on another thread', () => {
    const memory = GrowingBuffer.allocate();
    const owner = new RowRuns(memory);
    const job = new RowRuns(memory);
    for (let i = 0; i < 20_000; i++) owner.add(10 * i, 10 * i + 5);
    job.refresh();
    expect([job.from(19_999), job.to(19_999)]).toEqual([199_990, 199_995]);
    const found = [0, 4, 5, 12, 150_004, 150_005, 300_000].map((row) => job.search(0, 20_000, row));
    expect(found).toEqual([0, 0, 1, 1, 15_000, 15_001, 20_000]);
    expect(job.search(7, 7, 0)).toBe(7);
  });
});

describe('TouchLog', () => {
  it('joins neighbouring rows, and says when it is full and can not grow', () => {
    const log = new TouchLog(new SharedArrayBuffer(4 * (1 + 5 * 3)));
    for (const row of [4, 5, 6, 9]) log.write(1, 0, 0, row);
    log.write(1, 1, 0, 10);
    expect(() => log.write(1, 1, 1, 11)).toThrow(
      expect.objectContaining({ code: 'scheduler/touch-log-full' }),
    );
    expect(log.drain()).toEqual([
      { system: 1, part: 0, component: 0, from: 4, to: 7 },
      { system: 1, part: 0, component: 0, from: 9, to: 10 },
      { system: 1, part: 1, component: 0, from: 10, to: 11 },
    ]);
    expect(log.isEmpty).toBe(true);
  });

  it('grows; the owner sees it', () => {
    const memory = GrowingBuffer.allocate();
    const owner = new TouchLog(memory);
    const worker = new TouchLog(memory);
    for (let i = 0; i < 20_000; i++) worker.write(3, 0, 0, 2 * i);
    const records = owner.drain();
    expect(records).toHaveLength(20_000);
    expect(records.at(-1)).toMatchObject({ system: 3, from: 39_998, to: 39_999 });
    expect(worker.isEmpty).toBe(true);
  });

  it('the logs of all threads are taken together, also many times more records than a call has arguments', () => {
    const touches = [0, 1].map(() => new TouchLog(GrowingBuffer.allocate()));
    for (let i = 0; i < 300_000; i++) touches[i % 2]?.write(0, 0, 0, 4 * i);
    const frame = FrameBlock.allocate(1, 1, 1);
    const unknown = (): never => {
      throw new Error('no commands here');
    };
    const logs = new WaveLogs(
      touches.map((each, thread) => ({
        commands: frame.commandsOf(thread, unknown, false),
        touches: each,
        failures: new LocalFailures(),
      })),
    );
    expect(logs.takeTouches()).toHaveLength(300_000);
    expect(logs.takeTouches()).toEqual([]);
    expect(logs.takeFailures()).toEqual([]);
    expect(logs.takeCommands()).toEqual([]);
  });
});
