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

test('a task queue gives the fittest of the most urgent, the oldest of equals, and says which it passed over', () => {
  const kind = fc.record({ priority: fc.constantFrom(...TASK_PRIORITIES), misfit: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(kind, { maxLength: 30 }), (kinds) => {
      const items = kinds.map(({ priority, misfit }) => ({ priority, misfit }));
      const queue = new TaskQueue<(typeof items)[number]>();
      for (const item of items) queue.push(item, item.priority);
      for (const priority of TASK_PRIORITIES) {
        const waiting = items.filter((item) => item.priority === priority);
        while (waiting.length > 0) {
          const [oldest] = waiting;
          const least = Math.min(...waiting.map(({ misfit }) => misfit));
          const at = waiting.findIndex(({ misfit }) => misfit === least);
          const passed: unknown[] = [];
          const taken = queue.shift(
            ({ misfit }) => misfit,
            (item) => passed.push(item),
          );
          expect(taken).toBe(waiting[at]);
          expect(passed.every((item) => item === oldest)).toBe(true);
          expect(passed).toHaveLength(at === 0 ? 0 : 1);
          waiting.splice(at, 1);
        }
      }
      expect(queue.shift()).toBeUndefined();
    }),
  );
});
