import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ImportQueue, type ImportPriority } from '../src/coordinator/import-queue.js';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const priorities: ImportPriority[] = ['immediate', 'normal', 'background'];

test('the queue: Background < Normal < Immediate, first-in first-out inside a priority (65)', () => {
  const queue = new ImportQueue();
  queue.push('a', 'background');
  queue.push('b', 'normal');
  queue.push('c', 'normal');
  queue.push('d', 'immediate');
  expect([queue.shift(), queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([
    'd',
    'b',
    'c',
    'a',
    undefined,
  ]);
});

test('queueing a queued path upgrades it, behind its new peers, and never downgrades it (65)', () => {
  const queue = new ImportQueue();
  queue.push('a', 'background');
  queue.push('b', 'immediate');
  expect(queue.push('a', 'immediate')).toBe(false);
  queue.push('b', 'background');
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['b', 'a', undefined]);
});

test('any sequence of operations gives what a sorted list gives', () => {
  const operation = fc.oneof(
    fc.record({
      kind: fc.constant('push' as const),
      key: fc.constantFrom(...KEYS),
      priority: fc.constantFrom(...priorities),
    }),
    fc.record({ kind: fc.constant('shift' as const) }),
    fc.record({ kind: fc.constant('delete' as const), key: fc.constantFrom(...KEYS) }),
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const queue = new ImportQueue();
      let oracle: { key: string; rank: number; at: number }[] = [];
      operations.forEach((step, at) => {
        const known = oracle.find((item) => step.kind !== 'shift' && item.key === step.key);
        let [actual, expected]: unknown[] = [];
        if (step.kind === 'push') {
          const rank = priorities.indexOf(step.priority);
          actual = queue.push(step.key, step.priority);
          expected = known === undefined;
          if (!known || rank < known.rank) {
            oracle = oracle.filter((item) => item !== known);
            oracle.push({ key: step.key, rank, at });
          }
        } else if (step.kind === 'delete') {
          actual = queue.delete(step.key);
          expected = known !== undefined;
          oracle = oracle.filter((item) => item !== known);
        } else {
          oracle.sort((a, b) => a.rank - b.rank || a.at - b.at);
          actual = queue.shift();
          expected = oracle.shift()?.key;
        }
        expect(actual).toBe(expected);
        expect(queue.size).toBe(oracle.length);
      });
    }),
  );
});
