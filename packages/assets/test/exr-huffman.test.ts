import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHuffman } from '../src/environment/exr-huffman.js';

/** Lengths of the codes of a tree of so many leaves, each split where it says. */
function treeOf(splits: readonly number[]): number[] {
  const lengths = [1, 1];
  for (const split of splits) {
    const at = split % lengths.length;
    const length = lengths[at] ?? 0;
    if (length < 40) lengths.splice(at, 1, length + 1, length + 1);
  }
  return lengths;
}

/** @param codes - length by symbol, in their order; the last stands for runs */
function encode(codes: ReadonlyMap<number, number>, values: readonly number[]): Uint8Array {
  const symbols = [...codes.keys()].sort((a, b) => a - b);
  const first = symbols[0] ?? 0;
  const run = symbols.at(-1) ?? 0;
  // The longest codes are the smallest numbers, and those of one length follow one another.
  const code = new Map<number, string>();
  let next = 0n;
  const longest = Math.max(...codes.values());
  for (let length = longest; length > 0; length--) {
    for (const symbol of symbols) {
      if (codes.get(symbol) === length)
        code.set(symbol, (next++).toString(2).padStart(length, '0'));
    }
    next /= 2n;
  }
  let lengths = '';
  for (let symbol = first; symbol <= run; symbol++) {
    lengths += (codes.get(symbol) ?? 0).toString(2).padStart(6, '0');
  }
  let text = '';
  for (let at = 0; at < values.length;) {
    const value = values[at] ?? 0;
    let repeats = 0;
    while (repeats < 255 && values[at + 1 + repeats] === value) repeats++;
    text += code.get(value) ?? '';
    if (repeats > 2) text += (code.get(run) ?? '') + repeats.toString(2).padStart(8, '0');
    at += repeats > 2 ? repeats + 1 : 1;
  }
  const bytesOf = (bits: string): number[] =>
    (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  const table = bytesOf(lengths);
  const head = new Uint32Array([first, run, table.length, text.length, 0]);
  return Uint8Array.from([...new Uint8Array(head.buffer), ...table, ...bytesOf(text)]);
}

test('Huffman codes of any lengths are read, with runs, and not where they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_000), { maxLength: 60 }),
      fc.boolean(),
      fc.array(fc.tuple(fc.nat(1_000), fc.integer({ min: 1, max: 600 })), { maxLength: 40 }),
      (splits, deep, parts) => {
        // A tree that is split at its last leaf again and again has codes too long to be looked up.
        const lengths = treeOf(deep ? splits.map(() => splits.length) : splits).toReversed();
        const codes = new Map(lengths.map((length, i) => [i * 3 + 5, length]));
        const symbols = [...codes.keys()].slice(0, -1);
        const values = parts.flatMap(([which, count]) =>
          Array.from(
            { length: which % 3 === 0 ? count : 1 },
            () => symbols[which % symbols.length] ?? 0,
          ),
        );
        const data = encode(codes, values);
        expect([...(decodeHuffman(data, values.length) ?? [])]).toEqual(values);
        expect(decodeHuffman(data, values.length + 1)).toBeUndefined();
        if (values.length === 0) return;
        expect(decodeHuffman(data, values.length - 1)).toBeUndefined();
        expect(decodeHuffman(data.subarray(0, -1), values.length)).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
});

test('more values than the bits can stand for are refused before memory is taken', () => {
  const data = encode(
    new Map([
      [0, 1],
      [1, 1],
    ]),
    [0, 0, 0, 0],
  );
  expect(decodeHuffman(data, 4)).toEqual(Uint16Array.of(0, 0, 0, 0));
  expect(decodeHuffman(data, 2 ** 40)).toBeUndefined();
});
