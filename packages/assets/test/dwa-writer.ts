import { zlibSync } from 'fflate';
import type { ExrChannel } from '../src/environment/exr-channels.js';

/** A block of DWAA before it is packed. */
export interface DwaSource {
  readonly width: number;
  readonly rows: number;
  readonly channels: readonly ExrChannel[];
  /** 2 holds its rules, 1 those of old. */
  readonly version: 1 | 2;
  /** Of each lossy channel, in the order that they are stored in, of each block 64 half floats, from low frequencies to high ones. */
  readonly lossy: readonly (readonly (readonly number[])[])[];
  /** Bytes of each other channel, row after row. */
  readonly others: ReadonlyMap<string, Uint8Array>;
}

/** What a rule says of a name: in two bits what becomes of its channels, and above two that are free which colour it is. */
const RULES: readonly (readonly [string, number])[] = [
  ['R', 0x14],
  ['G', 0x24],
  ['B', 0x34],
  ['Y', 0x04],
  ['A', 0x08],
];

/** Packs a block of DWAA, its coefficients deflated. */
export function writeDwa(source: DwaSource): Uint8Array {
  const { channels, version, lossy, others } = source;
  const plain = Uint8Array.from(
    channels
      .filter(({ name }) => name === 'Z')
      .flatMap(({ name }) => [...(others.get(name) ?? [])]),
  );
  const planes = channels
    .filter(({ name }) => name === 'A')
    .flatMap(({ name, bytes }) => {
      const values = others.get(name) ?? new Uint8Array(0);
      return Array.from({ length: bytes }, (_, byte) =>
        values.filter((_, i) => i % bytes === byte),
      );
    });
  const raw = Uint8Array.from(planes.flatMap((plane) => [...plane]));
  // Runs of one byte each, and at the end those that follow as they are.
  const runs = Uint8Array.from([...raw].flatMap((byte) => [0, byte]));
  const first = lossy.flatMap((blocks) => blocks.map((block) => block[0] ?? 0));
  const rest = inOrder(source).flatMap((block) => coefficients(block));
  const packed = {
    plain: plain.length > 0 ? zlibSync(plain) : plain,
    rest: rest.length > 0 ? zlibSync(bytesOf(rest)) : plain.subarray(0, 0),
    first: first.length > 0 ? zlibSync(predict(bytesOf(first))) : plain.subarray(0, 0),
    runs: runs.length > 0 ? zlibSync(runs) : runs,
  };
  const counters = [
    version,
    plain.length,
    packed.plain.length,
    packed.rest.length,
    packed.first.length,
    packed.runs.length,
    runs.length,
    raw.length,
    rest.length,
    first.length,
    1,
  ];
  const rules = RULES.flatMap(([name, bits]) =>
    [1, 2].flatMap((type) => [name.charCodeAt(0), 0, bits, type]),
  );
  return Uint8Array.from([
    ...new Uint8Array(BigUint64Array.from(counters, BigInt).buffer),
    ...(version === 2 ? [rules.length + 2, 0, ...rules] : []),
    ...packed.plain,
    ...packed.rest,
    ...packed.first,
    ...packed.runs,
  ]);
}

/** The blocks as their coefficients follow one another: of three colours one of each at a time, of others channel after channel. */
function inOrder({ channels, lossy }: DwaSource): (readonly number[])[] {
  const isTriple = ['R', 'G', 'B'].every((colour) => channels.some(({ name }) => name === colour));
  const [red = [], green = [], blue = []] = lossy;
  const single = (isTriple ? lossy.slice(3) : lossy).flat();
  if (!isTriple) return single;
  return [...red.flatMap((block, i) => [block, green[i] ?? [], blue[i] ?? []]), ...single];
}

/** All but the first of a block: runs of zeros as 0xff00 and how many, and 0xff00 at the end. */
function coefficients(block: readonly number[]): number[] {
  const result: number[] = [];
  const last = block.findLastIndex((value) => value !== 0);
  let zeros = 0;
  for (let place = 1; place <= last; place++) {
    const value = block[place] ?? 0;
    if (value === 0) {
      zeros++;
      continue;
    }
    if (zeros > 0) result.push(zeros === 1 ? 0 : 0xff00 + zeros);
    zeros = 0;
    result.push(value);
  }
  // A block that is full needs no end; one that is not may have a run in its place.
  if (last === 63) return result;
  return [...result, last % 2 === 1 ? 0xff00 + 63 - last : 0xff00];
}

function bytesOf(words: readonly number[]): Uint8Array {
  return Uint8Array.from(words.flatMap((word) => [word & 255, word >> 8]));
}

function predict(raw: Uint8Array): Uint8Array {
  const half = (raw.length + 1) >> 1;
  const split = raw.map((_, i) => (i < half ? raw[i * 2] : raw[(i - half) * 2 + 1]) ?? 0);
  return split.map((byte, i) => (i === 0 ? byte : byte - (split[i - 1] ?? 0) + 128));
}
