import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ImportQueue, type ImportPriority } from '../src/coordinator/import-queue.js';

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
      key: fc.constantFrom(...'abcdefgh'),
      priority: fc.constantFrom(...priorities),
    }),
    fc.record({ kind: fc.constant('shift' as const) }),
    fc.record({ kind: fc.constant('delete' as const), key: fc.constantFrom(...'abcdefgh') }),
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const queue = new ImportQueue();
      let oracle: { key: string; rank: number; at: number }[] = [];
      operations.forEach((step, at) => {
        if (step.kind === 'push') {
          const rank = priorities.indexOf(step.priority);
          const known = oracle.find(({ key }) => key === step.key);
          expect(queue.push(step.key, step.priority)).toBe(known === undefined);
          if (!known || rank < known.rank) {
            oracle = oracle.filter((item) => item !== known);
            oracle.push({ key: step.key, rank, at });
          }
        } else if (step.kind === 'delete') {
          const has = oracle.some(({ key }) => key === step.key);
          expect(queue.delete(step.key)).toBe(has);
          oracle = oracle.filter(({ key }) => key !== step.key);
        } else {
          oracle.sort((a, b) => a.rank - b.rank || a.at - b.at);
          expect(queue.shift()).toBe(oracle.shift()?.key);
        }
        expect(queue.size).toBe(oracle.length);
      });
    }),
  );
});
