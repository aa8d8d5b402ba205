import { expect, test } from 'vitest';
import { compileSimdKernel } from '../src/hashing/simd-kernel.js';
import { scalarKernel, WIDE_LANES, wideChecksum } from '../src/hashing/wide-checksum.js';

test('a browser gives the wide checksum that Node gives, by vectors and by numbers', async () => {
  const bytes = Uint8Array.from({ length: 100_003 }, (_, i) => (i * 31 + (i >> 5)) & 0xff);
  expect(wideChecksum(bytes, scalarKernel)).toBe(0xa51e_ec0e);
  expect(wideChecksum(bytes, await compileSimdKernel(WIDE_LANES))).toBe(0xa51e_ec0e);
});
