import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMailbox,
  createSharedMailbox,
  openMailbox,
  SharedMailboxReader,
  SharedMailboxWriter,
  sharedSlotStates,
  TransferMailboxReader,
  TransferMailboxWriter,
  type MailboxReader,
  type MailboxWriter,
} from '../src/index.js';
import { detachingLinks } from './fixtures/detaching-links.js';
import { numbersFormat } from './fixtures/numbers-format.js';

interface Ends {
  readonly writer: MailboxWriter<Float64Array>;
  readonly reader: MailboxReader<Float64Array>;
  /** Delivers what is on its way. */
  readonly settle: () => void;
}

const WORDS = 8;

/** What every mailbox must do, whatever carries it. */
function conformance(name: string, make: () => Ends): void {
  const publish = ({ writer, settle }: Ends, value: number): number => {
    writer.begin().fill(value);
    const number = writer.publish();
    settle();
    return number;
  };

  describe(`a ${name} mailbox`, () => {
    test('has nothing to take before the first publication', () => {
      const { reader } = make();
      expect(reader.take()).toBeUndefined();
      expect(reader.latest).toBeUndefined();
    });

    test('gives the newest state once, and retains it', () => {
      const ends = make();
      for (let value = 1; value <= 9; value++) expect(publish(ends, value)).toBe(value);
      expect(ends.reader.take()?.[0]).toBe(9);
      expect(ends.reader.take()).toBeUndefined();
      expect(ends.reader.latest?.[0]).toBe(9);
      ends.settle();
      expect(ends.writer.stats).toEqual({ published: 9, taken: 1, replaced: 8 });
    });

    test('never writes to the state that the reader holds', () => {
      const ends = make();
      publish(ends, 1);
      const held = ends.reader.take();
      for (let value = 2; value < 50; value++) publish(ends, value);
      expect(held?.every((word) => word === 1)).toBe(true);
    });

    test('shows who has which slot', () => {
      const ends = make();
      const count = (state: string): number =>
        ends.writer.slotStates().filter((s) => s === state).length;
      expect(new Set(ends.writer.slotStates())).toEqual(new Set(['free']));
      ends.writer.begin();
      expect(count('writing')).toBe(1);
      ends.writer.publish();
      expect(count('ready')).toBe(1);
      ends.settle();
      ends.reader.take();
      ends.settle();
      expect([count('ready'), count('reading')]).toEqual([0, 1]);
      publish(ends, 2);
      ends.writer.begin();
      expect([count('writing'), count('ready'), count('reading')]).toEqual([1, 1, 1]);
    });

    test('publishing without begin is an error, cancelling gives the slot back', () => {
      const { writer } = make();
      expect(() => writer.publish()).toThrow(
        expect.objectContaining({ code: 'render-sync/mailbox-not-begun' }),
      );
      writer.begin();
      writer.cancel();
      expect(writer.slotStates()).not.toContain('writing');
      expect(() => writer.publish()).toThrow(/begin/);
    });

    test('begin twice is the same slot', () => {
      const { writer } = make();
      expect(writer.begin()).toBe(writer.begin());
    });

    test('whatever order the two ends move in: whole, newest, never backwards, no slot lost', () => {
      const step = fc.constantFrom('begin', 'publish', 'cancel', 'take', 'settle');
      fc.assert(
        fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
          const ends = make();
          let written = 0;
          let begun = false;
          let seen = 0;
          const faults: string[] = [];
          for (const action of steps) {
            if (action === 'begin') {
              ends.writer.begin().fill(written + 1);
              begun = true;
            } else if (action === 'publish' && begun) {
              if (ends.writer.publish() !== ++written) faults.push('misnumbered');
              begun = false;
            } else if (action === 'cancel') {
              ends.writer.cancel();
              begun = false;
            } else if (action === 'settle') {
              ends.settle();
            } else if (action === 'take') {
              const state = ends.reader.take();
              if (state === undefined) continue;
              const number = state[0] ?? 0;
              if (new Set(state).size !== 1) faults.push('torn');
              if (number <= seen) faults.push('backwards');
              seen = number;
            }
          }
          expect(faults).toEqual([]);
          ends.writer.cancel();
          ends.settle();
          expect(ends.reader.take()?.[0]).toBe(written > seen ? written : undefined);
          ends.settle();
          const states = ends.writer.slotStates();
          expect(states.filter((s) => s === 'reading')).toHaveLength(written > 0 ? 1 : 0);
          expect(states.filter((s) => s === 'free')).toHaveLength(
            states.length - (written > 0 ? 1 : 0),
          );
        }),
      );
    });
  });
}

const format = numbersFormat(WORDS);

conformance('shared-memory', () => {
  const handle = createSharedMailbox(format);
  return {
    writer: new SharedMailboxWriter(handle, format),
    reader: new SharedMailboxReader(handle, format),
    settle: () => {},
  };
});

conformance('transferring', () => {
  const { ends, settle } = detachingLinks();
  return {
    writer: new TransferMailboxWriter(ends[0], format),
    reader: new TransferMailboxReader(ends[1], format),
    settle,
  };
});

describe('a mailbox', () => {
  test('is in shared memory by default, and its slots are visible from either end', () => {
    const { writer, handle, transfer } = createMailbox(format);
    if (handle.kind !== 'shared') throw new Error('expected shared memory');
    expect(transfer).toEqual([]);
    writer.begin();
    expect([...sharedSlotStates(handle)].sort()).toEqual(['free', 'free', 'writing']);
  });

  test('a format of another size is refused, by either kind', async () => {
    const shared = createMailbox(format);
    expect(() => openMailbox(shared.handle, numbersFormat(9))).toThrow(
      expect.objectContaining({ code: 'render-sync/mailbox-format' }),
    );
    const { ends, settle } = detachingLinks();
    const writer = new TransferMailboxWriter(ends[0], format);
    const reader = new TransferMailboxReader(ends[1], numbersFormat(9));
    writer.begin();
    writer.publish();
    settle();
    expect(() => reader.take()).toThrow(/72 bytes/);
  });

  test('numbers what is published where the format has a place for it, by any writer of it', () => {
    const numbered = {
      ...format,
      stamp: (slot: Float64Array, number: number) => void (slot[0] = number),
    };
    const shared = createSharedMailbox(numbered);
    const { ends, settle } = detachingLinks();
    for (const [writer, reader] of [
      [new SharedMailboxWriter(shared, numbered), new SharedMailboxReader(shared, numbered)],
      [new TransferMailboxWriter(ends[0], numbered), new TransferMailboxReader(ends[1], numbered)],
    ] as const) {
      for (let number = 1; number <= 3; number++) {
        writer.begin().fill(-1);
        writer.cancel();
        writer.begin().fill(-1);
        expect(writer.publish()).toBe(number);
        settle();
        expect(reader.take()?.[0]).toBe(number);
        settle();
      }
    }
  });

  test('two mailboxes do not share anything: a stuck overlay does not hold up the state', () => {
    const state = createMailbox(format);
    const overlay = createMailbox(format);
    const frames = openMailbox(state.handle, format);
    overlay.writer.begin(); // never published, never taken
    for (let value = 1; value <= 5; value++) {
      state.writer.begin().fill(value);
      state.writer.publish();
      expect(frames.take()?.[0]).toBe(value);
    }
  });

  test('four hours of frames in fast-forward: none torn, none backwards, no slot lost', () => {
    const handle = createSharedMailbox(format);
    const writer = new SharedMailboxWriter(handle, format);
    const reader = new SharedMailboxReader(handle, format);
    const frames = 4 * 3_600 * 60;
    let random = 1;
    let taken = 0;
    let torn = 0;
    let backwards = 0;
    let seen = 0;
    for (let frame = 1; frame <= frames; frame++) {
      const slot = writer.begin();
      for (let word = 0; word < WORDS; word++) slot[word] = frame;
      writer.publish();
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      // The reader takes 0, 1 or 2 times a frame: slower, as fast, faster.
      for (let takes = random >>> 30; takes > 1; takes--) {
        const state = reader.take();
        if (state === undefined) continue;
        taken++;
        const number = state[0] ?? 0;
        for (let word = 1; word < WORDS; word++) if (state[word] !== number) torn++;
        if (number <= seen) backwards++;
        seen = number;
      }
    }
    expect({ torn, backwards }).toEqual({ torn: 0, backwards: 0 });
    expect(reader.take()?.[0] ?? seen).toBe(frames);
    expect(writer.stats.published).toBe(frames);
    expect(writer.stats.taken + writer.stats.replaced).toBe(frames);
    expect(taken).toBeGreaterThan(frames / 4);
    expect([...writer.slotStates()].sort()).toEqual(['free', 'free', 'reading']);
  });
});
