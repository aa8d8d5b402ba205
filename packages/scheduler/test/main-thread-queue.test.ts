import { EventLog, ManualClock, type EclipticError } from '@ecliptic/core';
import fc from 'fast-check';
import { once } from 'node:events';
import { Worker, type Transferable } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { connectMainThreadQueue, MainThreadQueue, yieldToEventLoop } from '../src/index.js';
import { SlotRing } from '../src/queue/slot-ring.js';

describe('The main-thread queue (50)', () => {
  it('runs posts in order, once, in drain', () => {
    const queue = new MainThreadQueue();
    const ran: number[] = [];
    for (let i = 0; i < 5; i++) queue.post(() => ran.push(i));
    expect(ran).toEqual([]);
    expect(queue.pending).toBe(5);
    expect(queue.drain()).toBe(5);
    expect(queue.drain()).toBe(0);
    expect(ran).toEqual([0, 1, 2, 3, 4]);
  });

  it('is bounded at 512: a full queue tells the poster', () => {
    const queue = new MainThreadQueue();
    const poster = connectMainThreadQueue(queue.connect().endpoint);
    for (let i = 0; i < 512; i++) expect(queue.post(() => undefined)).toBe(true);
    expect(queue.post(() => undefined)).toBe(false);
    expect(poster.post('any')).toBe(false);
    expect(queue.drain()).toBe(512);
    expect(poster.post('any')).toBe(true);
  });

  it('a callback that throws or rejects does not lose those behind it, and is reported', async () => {
    const errors: EclipticError[] = [];
    const queue = new MainThreadQueue({ onError: (error) => errors.push(error) });
    const ran: string[] = [];
    queue.on('bad', () => {
      throw new Error('in a handler');
    });
    queue.post(() => {
      throw new Error('in a callback');
    });
    queue.post('bad');
    queue.post(() => Promise.reject(new Error('later')));
    queue.post(() => ran.push('behind'));
    expect(queue.drain()).toBe(4);
    await yieldToEventLoop();
    expect(ran).toEqual(['behind']);
    expect(errors.map((error) => [error.code, error.subjects, error.cause])).toEqual([
      ['scheduler/main-thread-callback', { topic: undefined }, new Error('in a callback')],
      ['scheduler/main-thread-callback', { topic: 'bad' }, new Error('in a handler')],
      ['scheduler/main-thread-callback', { topic: undefined }, new Error('later')],
    ]);
  });

  it('what a callback posts runs in the next drain, so a drain ends', () => {
    const queue = new MainThreadQueue({ capacity: 4 });
    let ran = 0;
    const again = (): void => {
      ran++;
      queue.post(again);
    };
    queue.post(again);
    expect([queue.drain(), queue.drain(), ran]).toEqual([1, 1, 2]);
  });

  it('carries JSON data and bytes through shared memory', () => {
    const queue = new MainThreadQueue();
    const poster = connectMainThreadQueue(structuredClone(queue.connect().endpoint));
    const seen: unknown[] = [];
    queue.on('topic·é', (payload) => seen.push(payload));
    const payloads = [undefined, null, 0, 'né', [1, { a: true }], new Uint8Array([1, 2, 255])];
    for (const payload of payloads) expect(poster.post('topic·é', payload)).toBe(true);
    queue.drain();
    expect(seen).toEqual(payloads);
    poster.close();
  });

  it('gives what was posted, in order, for any mix of posts and drains', () => {
    const step = fc.oneof(
      fc.record({ post: fc.json({ maxDepth: 2 }), from: fc.constantFrom('here', 'worker') }),
      fc.record({ drain: fc.nat({ max: 6 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const queue = new MainThreadQueue({ capacity: 8 });
        const poster = connectMainThreadQueue(queue.connect().endpoint);
        const seen: unknown[] = [];
        queue.on('it', (payload) => seen.push(payload));
        const waiting: unknown[] = [];
        const expected: unknown[] = [];
        const answers: unknown[] = [];
        const expectedAnswers: unknown[] = [];
        for (const each of steps) {
          if ('drain' in each) {
            answers.push(queue.drain(each.drain));
            expectedAnswers.push(Math.min(each.drain, waiting.length));
            expected.push(...waiting.splice(0, each.drain));
          } else {
            const payload = JSON.parse(each.post);
            const from = each.from === 'here' ? queue : poster;
            answers.push(from.post('it', payload));
            expectedAnswers.push(waiting.length < 8);
            if (waiting.length < 8) waiting.push(payload);
          }
        }
        expect(answers).toEqual(expectedAnswers);
        expect(seen).toEqual(expected);
        expect(queue.pending).toBe(waiting.length);
      }),
    );
  });

  it.each(['shared', 'port'] as const)(
    'takes posts from several workers at once through %s, in the order of each, none lost',
    async (transport) => {
      const queue = new MainThreadQueue();
      const count = 5_000;
      const seen: number[][] = [[], [], []];
      queue.on('work', (payload) => {
        const { producer, sequence } = payload as { producer: number; sequence: number };
        seen[producer]?.push(sequence);
      });
      const workers = seen.map((_, producer) => {
        const { endpoint, transfer } = queue.connect({ transport, window: 16 });
        return new Worker(new URL('./workers/queue-poster.ts', import.meta.url), {
          workerData: { endpoint, producer, count },
          transferList: transfer as unknown as Transferable[],
        });
      });
      const reports = Promise.all(workers.map((worker) => once(worker, 'message')));
      let total = 0;
      while (total < 3 * count) {
        expect(queue.pending).toBeLessThanOrEqual(512);
        total += queue.drain();
        await yieldToEventLoop();
      }
      await reports;
      for (const worker of workers) worker.postMessage('done');
      await Promise.all(workers.map((worker) => worker.terminate()));
      const inOrder = Array.from({ length: count }, (_, i) => i);
      expect(seen).toEqual([inOrder, inOrder, inOrder]);
      expect(queue.pending).toBe(0);
    },
  );

  it('a port has a window of its own, which drains give back', async () => {
    const queue = new MainThreadQueue({ capacity: 8 });
    const { endpoint } = queue.connect({ transport: 'port', window: 3 });
    const poster = connectMainThreadQueue(endpoint);
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await yieldToEventLoop();
    };
    expect([1, 2, 3, 4].map(() => poster.post('any'))).toEqual([true, true, true, false]);
    // This thread has the other five slots to itself.
    const here = Array.from({ length: 6 }, () => queue.post(() => undefined));
    expect(here).toEqual([true, true, true, true, true, false]);
    await settle();
    expect(queue.pending).toBe(8);
    expect(queue.drain()).toBe(8);
    await settle();
    expect([1, 2, 3, 4].map(() => poster.post('any'))).toEqual([true, true, true, false]);
    queue.close();
    await settle();
    expect(poster.post('any')).toBe(false);
    poster.close();
  });

  it('positions wrap around', () => {
    const ring = SlotRing.allocate(4, 16, false);
    const words = new Int32Array(ring.memory.buffer);
    const start = 0x7fff_fffe;
    words[0] = words[1] = start;
    for (let i = 0; i < 4; i++) words[4 + ((start + i) & 3)] = (start + i) | 0;
    for (let i = 0; i < 20; i++) {
      const positions = [1, 2, 3, 4, 5].map(() => ring.claim());
      expect(positions[4]).toBeUndefined();
      for (const position of positions.slice(0, 4)) {
        expect(ring.publish(position ?? 0, new Uint8Array([i]))).toBe(true);
      }
      for (let k = 0; k < 4; k++) {
        expect(ring.ready).toBe(true);
        expect(ring.read()).toEqual(new Uint8Array([i]));
        ring.release();
      }
      expect(ring.pending).toBe(0);
    }
  });

  it('a worker that dies while it posts does not block the queue for ever', () => {
    const clock = new ManualClock();
    const queue = new MainThreadQueue({ clock });
    const { endpoint } = queue.connect();
    if (endpoint.transport !== 'shared') throw new Error('no shared memory');
    const dying = new SlotRing(endpoint.memory);
    const position = dying.claim();
    let ran = false;
    queue.post(() => (ran = true));
    expect(queue.drain()).toBe(0);
    clock.advance(999_999_999);
    expect(queue.drain()).toBe(0);
    clock.advance(1);
    expect(queue.drain()).toBe(1);
    expect(ran).toBe(true);
    expect(dying.publish(position ?? 0)).toBe(false);
  });

  it('close forgets what is pending, counts it, and turns posts away', () => {
    const queue = new MainThreadQueue();
    const poster = connectMainThreadQueue(queue.connect().endpoint);
    let ran = 0;
    queue.post(() => ran++);
    poster.post('any');
    expect(queue.close()).toBe(2);
    expect(queue.close()).toBe(0);
    expect(queue.post(() => ran++)).toBe(false);
    expect(poster.post('any')).toBe(false);
    expect([queue.drain(), ran]).toEqual([0, 0]);
  });

  it('bad input is a coded error', () => {
    const queue = new MainThreadQueue({ slotBytes: 64, capacity: 4 });
    const poster = connectMainThreadQueue(queue.connect().endpoint);
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    expect(() => poster.post('big', 'x'.repeat(65))).toThrow(
      expect.objectContaining({ code: 'scheduler/message-too-large' }),
    );
    expect(() => poster.post('loop', loop as never)).toThrow(
      expect.objectContaining({ code: 'scheduler/message-not-serializable' }),
    );
    expect(() => poster.post('function', (() => 1) as never)).toThrow(
      expect.objectContaining({ code: 'scheduler/message-not-serializable' }),
    );
    expect(queue.pending).toBe(0);
    const remove = queue.on('topic', () => undefined);
    expect(() => queue.on('topic', () => undefined)).toThrow(
      expect.objectContaining({ code: 'scheduler/duplicate-topic' }),
    );
    remove();
    queue.on('topic', () => undefined);
    expect(() => queue.connect({ transport: 'port', window: 4 })).toThrow(
      expect.objectContaining({ code: 'scheduler/queue-window' }),
    );
    for (const capacity of [0, 3, 1 << 17, Number.NaN]) {
      expect(() => new MainThreadQueue({ capacity })).toThrow(
        expect.objectContaining({ code: 'scheduler/invalid-queue-size' }),
      );
    }
  });

  it('a topic without a handler warns once and is dropped', () => {
    const warnings: unknown[] = [];
    class RecordingLog extends EventLog {
      override warn(event: string, properties: object = {}): void {
        warnings.push({ event, ...properties });
      }
    }
    const queue = new MainThreadQueue({ log: new RecordingLog('scheduler') });
    queue.post('nobody');
    queue.post('nobody');
    expect(queue.drain()).toBe(2);
    expect(warnings).toEqual([{ event: 'unhandled_topic', subject: 'nobody' }]);
  });
});
