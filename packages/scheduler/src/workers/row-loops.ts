/** A callback for a row, with up to eight columns objects. */
export type RowCallback = (row: number, ...columns: unknown[]) => void;

/** Calls `fn` for rows `from` to `to - 1`. */
export type RowLoop = (
  fn: RowCallback,
  from: number,
  to: number,
  a: unknown,
  b: unknown,
  c: unknown,
  d: unknown,
  e: unknown,
  f: unknown,
  g: unknown,
  h: unknown,
) => void;

// The engine optimises a call by what it has seen at that place in the text. One loop for all systems would make each of
// them several times slower, so each of the first 16 has a copy of the text to itself. They are the same on purpose.
// prettier-ignore
export const ROW_LOOPS: readonly RowLoop[] = [
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
  (fn, from, to, a, b, c, d, e, f, g, h) => { for (let row = from; row < to; row++) fn(row, a, b, c, d, e, f, g, h); },
];
