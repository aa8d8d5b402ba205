import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSimdKernel } from '../src/hashing/simd-kernel.js';
import { scalarKernel, WIDE_LANES, wideChecksum } from '../src/hashing/wide-checksum.js';
import { checksumByTheBook } from './checksum-by-the-book.js';

const simdKernel = await compileSimdKernel(WIDE_LANES);
const kernels = [
  ['numbers', scalarKernel],
  ['vectors', simdKernel],
] as const;

/** Bytes that no lane has twice alike. */
const pattern = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 5)) & 0xff);

// Computed by a few lines of Python.
test.each(kernels)('the wide checksum by %s gives known values', (_, kernel) => {
  expect(wideChecksum(pattern(0), kernel)).toBe(0x5179_c4c5);
  expect(wideChecksum(pattern(191), kernel)).toBe(0x04ae_3339);
  expect(wideChecksum(pattern(192), kernel)).toBe(0xc99b_632f);
  expect(wideChecksum(pattern(100_003), kernel)).toBe(0xa51e_ec0e);
});

test.each(kernels)(
  'the wide checksum by %s is what its description says, wherever the bytes lie',
  (_, kernel) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 900 }), fc.nat(7), (bytes, shift) => {
        const moved = new Uint8Array(bytes.length + shift);
        moved.set(bytes, shift);
        const wanted = checksumByTheBook(bytes, 0, WIDE_LANES);
        expect(wideChecksum(moved.subarray(shift), kernel)).toBe(wanted);
        expect(wideChecksum(bytes)).toBe(wanted);
      }),
    );
  },
);

test('vectors and numbers agree about more than the vectors take at once', () => {
  for (const length of [65_279, 65_280, 65_281, 65_472, 200_000]) {
    const bytes = pattern(length);
    expect(wideChecksum(bytes, simdKernel)).toBe(wideChecksum(bytes, scalarKernel));
  }
});

test('the wide checksum differs where one bit does', () => {
  const bytes = pattern(70_000);
  const sound = wideChecksum(bytes, simdKernel);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      expect(wideChecksum(damaged, simdKernel)).not.toBe(sound);
    }),
  );
});
