import fc from 'fast-check';
import { validate } from 'uuid';
import { describe, expect, test } from 'vitest';
import {
  bytesToUuid,
  createUuid,
  isUuid,
  NIL_UUID,
  normalizeUuid,
  uuidToBytes,
} from '../src/index.js';
import { codeOf, errorOf } from './error-of.js';

const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

describe('uuids', () => {
  test('are made at random, of version 4, in canonical form', () => {
    const made = new Set(Array.from({ length: 1_000 }, () => createUuid()));
    expect(made.size).toBe(1_000);
    for (const id of made) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(isUuid(id)).toBe(true);
    }
  });

  test('repeat with an injected random source', () => {
    const counting = (target: Uint8Array): void =>
      target.forEach((_, index) => (target[index] = index));
    expect(createUuid(counting)).toBe('00010203-0405-4607-8809-0a0b0c0d0e0f');
    expect(createUuid(counting)).toBe(createUuid(counting));
  });

  test('are those that the package uuid knows, in lower case', () => {
    const hex = (length: number) =>
      fc.string({
        unit: fc.constantFrom(...'0123456789abcdefABF-'.split('')),
        minLength: length,
        maxLength: length,
      });
    const near = fc.tuple(hex(8), hex(4), hex(4), hex(4), hex(12)).map((parts) => parts.join('-'));
    const any = fc.oneof(near, fc.uuid(), fc.constantFrom(NIL_UUID, MAX, MAX.toUpperCase()));
    fc.assert(
      fc.property(any, (text) => {
        expect(isUuid(text)).toBe(validate(text) && text === text.toLowerCase());
      }),
    );
  });

  test('are recognised in canonical form only; others can be normalised', () => {
    const upper = '123E4567-E89B-42D3-A456-426614174000';
    expect(isUuid(upper)).toBe(false);
    expect(normalizeUuid(upper)).toBe(upper.toLowerCase());
    expect(isUuid(NIL_UUID)).toBe(true);
    for (const nonsense of [
      '',
      'rock',
      `${upper} `,
      upper.replaceAll('-', ''),
      `{${upper}}`,
      `${upper.toLowerCase()}\n`,
    ]) {
      expect(isUuid(nonsense)).toBe(false);
      expect(codeOf(() => normalizeUuid(nonsense))).toBe('core/uuid-invalid');
      expect(codeOf(() => uuidToBytes(nonsense))).toBe('core/uuid-invalid');
    }
    for (const nonsense of [undefined, null, 7, {}]) expect(isUuid(nonsense)).toBe(false);
  });

  test('go to 16 bytes and back', () => {
    expect(uuidToBytes(NIL_UUID)).toEqual(new Uint8Array(16));
    expect(bytesToUuid(new Uint8Array(16))).toBe(NIL_UUID);
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(bytesToUuid(uuidToBytes(id))).toBe(id);
        expect(bytesToUuid(uuidToBytes(id.toUpperCase()))).toBe(id);
      }),
    );
  });

  test('from bytes that are none is a coded error', () => {
    expect(codeOf(() => bytesToUuid(new Uint8Array(15)))).toBe('core/uuid-invalid');
    expect(codeOf(() => bytesToUuid(new Uint8Array(17)))).toBe('core/uuid-invalid');
    const error = errorOf(() => bytesToUuid(new Uint8Array(16).fill(1)));
    expect(error.code).toBe('core/uuid-invalid');
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});
