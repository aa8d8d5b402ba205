import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryLinks, portLink, ReliableReceiver, ReliableSender } from '../src/index.js';
import { detachingLinks } from './fixtures/detaching-links.js';

function queue(capacity?: number) {
  const { ends, settle } = detachingLinks();
  const sender = new ReliableSender<number>(ends[0], capacity);
  const receiver = new ReliableReceiver<number>(ends[1]);
  return { sender, receiver, settle };
}

describe('the reliable queue', () => {
  test('holds 1,024 unprocessed messages, then tells the sender, who may go on after a drain', async () => {
    const { sender, receiver, settle } = queue();
    for (let n = 0; n < 1_024; n++) expect(sender.tryPost(n)).toBe(true);
    expect(sender.tryPost(1_024)).toBe(false);
    expect(() => sender.post(1_024)).toThrow(
      expect.objectContaining({ code: 'render-sync/queue-full', subjects: { capacity: 1_024 } }),
    );
    expect([sender.pending, sender.refused]).toEqual([1_024, 2]);

    let ready = false;
    const waiting = sender.ready().then(() => (ready = true));
    settle();
    await Promise.resolve();
    expect(ready).toBe(false); // arrived is not processed
    expect(receiver.waiting).toBe(1_024);
    const got: number[] = [];
    expect(receiver.drain((n) => got.push(n))).toBe(1_024);
    settle();
    await waiting;
    expect(got).toEqual(Array.from({ length: 1_024 }, (_, n) => n));
    expect([sender.pending, sender.sent, receiver.processed]).toEqual([0, 1_024, 1_024]);
    expect(sender.tryPost(1_024)).toBe(true);
  });

  test('loses nothing and keeps the order, whatever the two ends do when', () => {
    const action = fc.constantFrom('post', 'post', 'settle', 'drain');
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 200 }),
        fc.integer({ min: 1, max: 8 }),
        (all, capacity) => {
          const { sender, receiver, settle } = queue(capacity);
          const got: number[] = [];
          let next = 0;
          for (const step of [...all, 'settle', 'drain'] as const) {
            if (step === 'post' && sender.tryPost(next)) next++;
            if (step === 'settle') settle();
            if (step === 'drain') receiver.drain((n) => got.push(n));
            expect(sender.pending).toBeLessThanOrEqual(capacity);
            expect(receiver.waiting).toBeLessThanOrEqual(capacity);
          }
          expect(got).toEqual(Array.from({ length: next }, (_, n) => n));
        },
      ),
    );
  });

  test('a handler that throws does not lose the messages behind it', () => {
    const { sender, receiver, settle } = queue();
    for (let n = 0; n < 4; n++) sender.post(n);
    settle();
    const got: number[] = [];
    const handle = (n: number): void => {
      got.push(n);
      if (n % 2 === 1) throw new Error(`no ${n}`);
    };
    expect(() => receiver.drain(handle)).toThrow(AggregateError);
    settle();
    expect(got).toEqual([0, 1, 2, 3]);
    expect(sender.pending).toBe(0);
  });

  test('a message posted by a handler waits for the next drain', () => {
    const [a, b] = memoryLinks();
    const sender = new ReliableSender<number>(a);
    const receiver = new ReliableReceiver<number>(b);
    sender.post(1);
    expect(receiver.drain(() => sender.post(2))).toBe(1);
    expect(receiver.drain(() => {})).toBe(1);
  });

  test('waiting for room ends with an abort or with the queue', async () => {
    const { sender } = queue(1);
    sender.post(1);
    const abort = new AbortController();
    const aborted = sender.ready(abort.signal);
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const closed = sender.ready();
    sender.dispose();
    await expect(closed).rejects.toMatchObject({ code: 'render-sync/queue-closed' });
    expect(() => sender.tryPost(2)).toThrow(/closed/);
  });

  test('moves buffers across a real port, and leaves them alone when it refuses', async () => {
    const { port1, port2 } = new MessageChannel();
    const sender = new ReliableSender<Float32Array<ArrayBuffer>>(portLink(port1), 1);
    const receiver = new ReliableReceiver<Float32Array<ArrayBuffer>>(portLink(port2));
    const first = new Float32Array([1, 2]);
    const second = new Float32Array([3]);
    expect(sender.tryPost(first, [first.buffer])).toBe(true);
    expect(sender.tryPost(second, [second.buffer])).toBe(false);
    expect([first.length, second.length]).toEqual([0, 1]);
    const got: number[] = [];
    while (receiver.drain((array) => got.push(...array)) === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(got).toEqual([1, 2]);
    await sender.ready();
    sender.dispose();
    receiver.dispose();
  });
});
