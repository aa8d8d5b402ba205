import { expect, test } from 'vitest';
import { messageOf } from '../src/index.js';

test.each([
  [new RangeError('too far'), 'too far'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('the message of what was thrown: %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
