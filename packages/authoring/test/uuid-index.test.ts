import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UuidIndex } from '../src/values/uuid-index.js';
import { uuidOf } from './support.js';

// Few enough that many are there twice; some differ in one digit only.
const uuid = fc.oneof(
  fc.nat(40).map(uuidOf),
  fc.uuid(),
  fc.tuple(fc.nat(35), fc.constantFrom(...'0123456789abcdef'.split(''))).map(([at, digit]) => {
    const text = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
    return text[at] === '-' ? text : text.slice(0, at) + digit + text.slice(at + 1);
  }),
);
const none = fc.oneof(
  fc.anything(),
  uuid.map((text) => `${text}0`),
  uuid.map((text) => text.slice(1)),
  uuid.map((text) => text.replaceAll('-', '0')),
  fc.constant('6BA7B810-9dad-41d1-80b4-00c04fd430c8'),
  fc
    .tuple(uuid, fc.nat(35), fc.constantFrom('g', '\u0130', '-', '/'))
    .map(([text, at, wrong]) =>
      text[at] === '-'
        ? `${text.slice(0, at)}0${text.slice(at + 1)}`
        : text.slice(0, at) + wrong + text.slice(at + 1),
    ),
);

test('an index of UUIDs is a map from them to the order in which they came', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(uuid, none), { maxLength: 300 }), (list) => {
      const index = new UuidIndex();
      const model = new Map<unknown, number>();
      for (const each of list) {
        const isUuid =
          typeof each === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(each);
        expect(index.add(each)).toBe(isUuid && !model.has(each));
        if (isUuid && !model.has(each)) model.set(each, model.size);
        expect(index.size).toBe(model.size);
      }
      for (const each of list) {
        expect(index.positionOf(each)).toBe(model.get(each) ?? -1);
        expect(index.has(each)).toBe(model.has(each));
      }
    }),
  );
});
