import { expect, test } from 'vitest';
import type { Transaction } from '../src/index.js';

test('a transaction is plain data: it survives being sent as JSON', () => {
  const move: Transaction = {
    label: 'Move',
    edits: [
      {
        kind: 'set',
        entity: '8f7c1a52-6a0e-4c35-9d0c-2f6f2f6a9b11',
        component: 'Transform',
        value: { position: [1, 2, 3] },
      },
    ],
  };
  expect(JSON.parse(JSON.stringify(move))).toEqual(move);
});
