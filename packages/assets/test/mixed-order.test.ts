import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mixed } from '../src/node/mixed-order.js';

test('kinds are spread evenly, each in its own order', () => {
  const items = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  expect(mixed(items, ([kind = '']) => kind)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'b2', 'a4']);
});

test('of any items none is lost, and no prefix has more of a kind than its share, but for one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 60 }), (kinds) => {
      const items = kinds.map((kind, id) => ({ kind, id }));
      const order = mixed(items, ({ kind }) => String(kind));
      expect([...order].sort((a, b) => a.id - b.id)).toEqual(items);
      for (const kind of new Set(kinds)) {
        const own = order.filter((item) => item.kind === kind);
        expect(own).toEqual(items.filter((item) => item.kind === kind));
        const others = kinds.length - own.length;
        order.forEach((item, at) => {
          if (item.kind !== kind) return;
          const nth = own.indexOf(item);
          // Of the others at most the same share is before it, rounded up for each of their kinds.
          expect(at - nth).toBeLessThanOrEqual((others * nth) / own.length + new Set(kinds).size);
        });
      }
    }),
  );
});
