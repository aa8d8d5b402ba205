import { DEFLATE_RATIO } from '@ecliptic/vfs';
import { fbxVersion } from './source-text.js';

/** What an FBX says of its size and of its models. */
export interface FbxScan {
  /** Bytes of all its values, unpacked. */
  readonly unpackedBytes: number;
  readonly models: ReadonlySet<bigint>;
  /** Which object belongs to which. */
  readonly links: readonly FbxLink[];
}

/** An object that belongs to another. */
export interface FbxLink {
  readonly child: bigint;
  readonly parent: bigint;
  readonly byteOffset: number;
}

const BINARY = 'Kaydara FBX Binary  \0';
const HEAD_BYTES = 27;
/** From this version on the offsets of nodes have 64 bits. */
const WIDE = 7_500;
/** Bytes of each value of an array, by the letter of its type. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = { f: 4, d: 8, l: 8, i: 4, b: 1 };
/** Bytes of plain values. */
const VALUE_BYTES: Readonly<Record<string, number>> = { Y: 2, C: 1, B: 1, I: 4, F: 4, D: 8, L: 8 };
/** Text is looked through in pieces: a string can't hold the largest files. */
const PIECE_BYTES = 2 ** 22;

/**
 * Looks through an FBX for what Assimp would do without bounds. O(bytes), without unpacking anything; what is damaged ends it, and is left to
 * Assimp to refuse.
 */
export function scanFbx(bytes: Uint8Array): FbxScan {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, BINARY.length));
  return head === BINARY ? scanBinary(bytes) : scanText(bytes);
}

interface FbxRecord {
  readonly name: string;
  readonly start: number;
  readonly values: number;
  readonly count: number;
  readonly children: number;
  readonly end: number;
}

function scanBinary(bytes: Uint8Array): FbxScan {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = (fbxVersion(bytes) ?? 0) >= WIDE;
  const models = new Set<bigint>();
  const links: FbxLink[] = [];
  let unpackedBytes = 0;
  // Of the nodes that are open where they end and what they are called.
  const open = [{ end: bytes.byteLength, name: '' }];
  for (let at = HEAD_BYTES; open.length > 0;) {
    const parent = open.at(-1);
    const record = parent && readRecord(view, at, parent.end, isWide);
    if (!parent || !record) {
      // The empty one at the end of a node's children, or nothing more in it.
      at = parent?.end ?? at;
      open.pop();
      continue;
    }
    unpackedBytes += sizeOfValues(view, record);
    if (parent.name === 'Objects' && record.name === 'Model' && open.length === 2) {
      const id = idAt(view, record.values, record.children);
      if (id !== undefined) models.add(id);
    }
    if (parent.name === 'Connections' && record.name === 'C' && open.length === 2) {
      const link = linkOf(view, record);
      if (link) links.push(link);
    }
    open.push(record);
    at = record.children;
  }
  return { unpackedBytes, models, links };
}

/** The node that starts at `at`, or `undefined` where there is none, or none that ends where it may. */
function readRecord(
  view: DataView,
  at: number,
  limit: number,
  isWide: boolean,
): FbxRecord | undefined {
  const step = isWide ? 8 : 4;
  const head = step * 3 + 1;
  if (at + head > limit) return undefined;
  const [end = 0, count = 0, size = 0] = [0, 1, 2].map((index) =>
    isWide ? Number(view.getBigUint64(at + index * 8, true)) : view.getUint32(at + index * 4, true),
  );
  const length = view.getUint8(at + head - 1);
  const values = at + head + length;
  if (values + size > end || end > limit) return undefined;
  const name = new TextDecoder('latin1').decode(
    new Uint8Array(view.buffer, view.byteOffset + at + head, length),
  );
  return { name, start: at, values, count, children: values + size, end };
}

function sizeOfValues(view: DataView, { values, count, children }: FbxRecord): number {
  let sum = 0;
  for (let i = 0, at = values; i < count && at < children; i++) {
    const type = String.fromCharCode(view.getUint8(at++));
    const element = ELEMENT_BYTES[type];
    const headBytes = element === undefined ? (VALUE_BYTES[type] === undefined ? 4 : 0) : 12;
    if (at + headBytes > children) break;
    const size =
      headBytes === 0 ? (VALUE_BYTES[type] ?? 0) : view.getUint32(at + headBytes - 4, true);
    const stored = Math.min(size, children - at - headBytes);
    const claimed = element === undefined ? stored : view.getUint32(at, true) * element;
    sum += Math.min(claimed, stored * DEFLATE_RATIO);
    at += headBytes + stored;
  }
  return sum;
}

function idAt(view: DataView, at: number, end: number): bigint | undefined {
  return at + 9 <= end && view.getUint8(at) === 0x4c ? view.getBigInt64(at + 1, true) : undefined;
}

/** Of a connection between objects: `"OO"`, child and parent. Others are of properties. */
function linkOf(view: DataView, { values, children, start }: FbxRecord): FbxLink | undefined {
  const isOfObjects =
    values + 7 <= children &&
    view.getUint8(values) === 0x53 &&
    view.getUint32(values + 1, true) === 2 &&
    view.getUint16(values + 5, true) === 0x4f4f;
  const child = isOfObjects ? idAt(view, values + 7, children) : undefined;
  const parent = isOfObjects ? idAt(view, values + 16, children) : undefined;
  return child === undefined || parent === undefined
    ? undefined
    : { child, parent, byteOffset: start };
}

function scanText(bytes: Uint8Array): FbxScan {
  const models = new Set<bigint>();
  const links: FbxLink[] = [];
  for (let start = 0; start < bytes.byteLength;) {
    const most = bytes.subarray(start, start + PIECE_BYTES);
    const lastLine = most.lastIndexOf(0x0a) + 1;
    const isLast = start + most.byteLength === bytes.byteLength;
    const piece = isLast || lastLine === 0 ? most : most.subarray(0, lastLine);
    const text = new TextDecoder('latin1').decode(piece);
    for (const [, id] of text.matchAll(/^[ \t]*Model:[ \t]*(-?\d{1,19})\b/gm)) {
      if (id !== undefined) models.add(BigInt(id));
    }
    const lines = text.matchAll(/^[ \t]*C:[ \t]*"OO",[ \t]*(-?\d{1,19}),[ \t]*(-?\d{1,19})\b/gm);
    for (const { 1: child, 2: parent, index } of lines) {
      if (child === undefined || parent === undefined) continue;
      links.push({ child: BigInt(child), parent: BigInt(parent), byteOffset: start + index });
    }
    start += piece.byteLength;
  }
  return { unpackedBytes: bytes.byteLength, models, links };
}
