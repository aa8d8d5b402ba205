import { LANE_STEP } from './checksum-lanes.js';
import type { LaneKernel } from './wide-checksum.js';

/** Where words are copied to, behind the lanes. */
const WORDS_AT = 256;
const WORDS_OF_VECTOR = 4;

/** WebAssembly, as far as the kernel needs it: the numbers of its instructions and types. */
const Op = {
  loop: [0x03, 0x40],
  end: [0x0b],
  branchIf: [0x0d],
  get: [0x20],
  set: [0x21],
  tee: [0x22],
  i32Const: [0x41],
  i32LessUnsigned: [0x49],
  i32Add: [0x6a],
  load: [0xfd, 0x00],
  store: [0xfd, 0x0b],
  splat: [0xfd, 0x11],
  xor: [0xfd, 0x51],
  shiftRightUnsigned: [0xfd, 0xad, 0x01],
  multiply: [0xfd, 0xb5, 0x01],
} as const;
const I32 = 0x7f;
const V128 = 0x7b;

type Code = readonly (number | Code)[];

interface KernelExports {
  readonly memory: WebAssembly.Memory;
  /** Takes the words between two offsets of the memory, one stripe at least, into the lanes at its start. */
  readonly step: (at: number, end: number) => void;
}

/**
 * Compiles a {@link LaneKernel} of WebAssembly's vectors, beside the thread. What it takes is copied to its memory, piece by piece.
 *
 * @param lanes - a multiple of 4; of more than 48 some don't fit into registers
 * @throws where the engine knows no vectors, or isn't allowed to compile
 */
export async function compileSimdKernel(lanes: number): Promise<LaneKernel> {
  const { instance } = await WebAssembly.instantiate(assemble(lanes / WORDS_OF_VECTOR));
  const { memory, step } = instance.exports as unknown as KernelExports;
  const state = new Int32Array(memory.buffer, 0, lanes);
  const words = new Int32Array(memory.buffer, WORDS_AT);
  const piece = words.length - (words.length % lanes);
  return (into, from, count) => {
    for (let lane = 0; lane < lanes; lane++) state[lane] = into[lane] ?? 0;
    for (let at = 0; at < count; at += piece) {
      const part = from.subarray(at, Math.min(count, at + piece));
      words.set(part);
      step(WORDS_AT, WORDS_AT + part.byteLength);
    }
    for (let lane = 0; lane < lanes; lane++) into[lane] = state[lane] ?? 0;
  };
}

/** The module, with one vector of four lanes in each of `vectors` registers. */
function assemble(vectors: number): Uint8Array<ArrayBuffer> {
  // Locals: at, end, the vectors, the prime, a product.
  const at = leb(0);
  const end = leb(1);
  const all = Array.from({ length: vectors }, (_, i) => ({
    local: leb(2 + i),
    offset: leb(i * 16),
  }));
  const prime = leb(2 + vectors);
  const product = leb(3 + vectors);
  // Alignment is told as an exponent of 2.
  const aligned = [4];
  const code: Code = [
    [Op.i32Const, leb(LANE_STEP.prime | 0), Op.splat, Op.set, prime],
    all.map(({ local, offset }) => [
      [Op.i32Const, leb(0), Op.load, aligned, offset, Op.set, local],
    ]),
    Op.loop,
    all.map(({ local, offset }) => [
      [Op.get, local, Op.get, at, Op.load, aligned, offset, Op.xor],
      [Op.get, prime, Op.multiply, Op.tee, product, Op.get, product],
      [Op.i32Const, leb(LANE_STEP.shift), Op.shiftRightUnsigned, Op.xor],
      [Op.set, local],
    ]),
    [Op.get, at, Op.i32Const, leb(vectors * 16), Op.i32Add, Op.tee, at],
    [Op.get, end, Op.i32LessUnsigned, Op.branchIf, leb(0), Op.end],
    all.map(({ local, offset }) => [
      [Op.i32Const, leb(0), Op.get, local, Op.store, aligned, offset],
    ]),
    Op.end,
  ];
  const body = [...list([[...leb(vectors + 2), V128]]), ...flatten(code)];
  const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = section(1, list([[0x60, ...list([[I32], [I32]]), ...list([])]]));
  const functions = section(3, list([leb(0)]));
  const memories = section(5, list([[0, 1]]));
  const exported = section(
    7,
    list([
      [...name('memory'), 2, 0],
      [...name('step'), 0, 0],
    ]),
  );
  const bodies = section(10, list([[...leb(body.length), ...body]]));
  return Uint8Array.from([...header, ...types, ...functions, ...memories, ...exported, ...bodies]);
}

function flatten(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? [part] : flatten(part)));
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()];
}

function name(text: string): number[] {
  return [...leb(text.length), ...new TextEncoder().encode(text)];
}

/** A number of 32 bits as signed LEB128; of one that is not negative it is also valid as unsigned. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
      return [...bytes, low];
    }
    bytes.push(low | 0x80);
  }
}
