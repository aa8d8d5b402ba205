import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TASK_PRIORITIES, TaskQueue } from '../src/pool/task-queue.js';

test('a task queue agrees with a stable sort by priority, whatever is pushed, taken and removed', () => {
  const push = fc.record({ push: fc.constantFrom(...TASK_PRIORITIES) });
  const step = fc.oneof(push, fc.record({ remove: fc.nat() }), fc.constant('shift' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new TaskQueue<number>();
      let waiting: { id: number; rank: number }[] = [];
      const taken: unknown[] = [];
      const expected: unknown[] = [];
      steps.forEach((current, id) => {
        if (current === 'shift') {
          taken.push(queue.shift());
          expected.push(waiting.shift()?.id);
        } else if ('push' in current) {
          queue.push(id, current.push);
          waiting.push({ id, rank: TASK_PRIORITIES.indexOf(current.push) });
          waiting.sort((a, b) => a.rank - b.rank);
        } else {
          queue.remove(current.remove);
          waiting = waiting.filter((item) => item.id !== current.remove);
        }
      });
      expect(taken).toEqual(expected);
      expect([...queue]).toEqual(waiting.map(({ id }) => id));
      expect(queue.size).toBe(waiting.length);
      const counts = TASK_PRIORITIES.map((priority) => queue.count(priority));
      const ranks = waiting.map(({ rank }) => rank);
      expect(counts).toEqual([0, 1, 2].map((rank) => ranks.filter((r) => r === rank).length));
    }),
  );
});
