import { unzlibSync, zlibSync } from 'fflate';

/** A binary FBX, taken apart. */
export interface FbxTree {
  readonly version: number;
  readonly nodes: FbxNode[];
  /** What comes behind the last of its nodes. */
  readonly footer: Uint8Array;
}

export interface FbxNode {
  name: string;
  readonly properties: FbxProperty[];
  readonly children: FbxNode[];
}

/** A value with its type: of arrays (`f d l i b`) the unpacked bytes, of others their bytes, of text without its length. */
export interface FbxProperty {
  type: string;
  bytes: Uint8Array;
}

const MAGIC = 'Kaydara FBX Binary  \0';
const HEAD_BYTES = 27;
/** From this version on offsets have 64 bits. */
const WIDE = 7_500;
/** Bytes of plain values. */
const SIZES: Readonly<Record<string, number>> = { Y: 2, C: 1, B: 1, I: 4, F: 4, D: 8, L: 8 };
/** Bytes of each value of an array. */
const ELEMENTS: Readonly<Record<string, number>> = { f: 4, d: 8, l: 8, i: 4, b: 1 };

/** @returns `undefined` for anything but a sound binary FBX */
export function readFbx(bytes: Uint8Array): FbxTree | undefined {
  if (new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(23, true);
  const wide = version >= WIDE;
  const offset = (at: number): number =>
    wide ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true);
  const step = wide ? 8 : 4;
  const readNodes = (at: number, end: number): { nodes: FbxNode[]; at: number } => {
    const nodes: FbxNode[] = [];
    while (at < end) {
      const nodeEnd = offset(at);
      const count = offset(at + step);
      const nameLength = view.getUint8(at + step * 3);
      at += step * 3 + 1;
      if (nodeEnd === 0) break;
      const name = new TextDecoder('latin1').decode(bytes.subarray(at, at + nameLength));
      at += nameLength;
      const properties: FbxProperty[] = [];
      for (let i = 0; i < count; i++) {
        const read = readProperty(view, at);
        properties.push(read.property);
        at = read.at;
      }
      nodes.push({ name, properties, children: readNodes(at, nodeEnd).nodes });
      at = nodeEnd;
    }
    return { nodes, at };
  };
  try {
    const { nodes, at } = readNodes(HEAD_BYTES, bytes.byteLength);
    return { version, nodes, footer: bytes.slice(at) };
  } catch {
    // The files of the corpus that are damaged already are changed as bytes.
    return undefined;
  }
}

function readProperty(view: DataView, at: number): { property: FbxProperty; at: number } {
  const type = String.fromCharCode(view.getUint8(at++));
  const take = (from: number, length: number): Uint8Array =>
    new Uint8Array(view.buffer, view.byteOffset + from, length).slice();
  const element = ELEMENTS[type];
  if (element !== undefined) {
    const length = view.getUint32(at + 8, true);
    const packed = take(at + 12, length);
    const isPacked = view.getUint32(at + 4, true) === 1;
    return {
      property: { type, bytes: isPacked ? unzlibSync(packed) : packed },
      at: at + 12 + length,
    };
  }
  const isText = type === 'S' || type === 'R';
  const length = isText ? view.getUint32(at, true) : SIZES[type];
  if (length === undefined) throw new RangeError(`There is no type ${type}`);
  if (isText) at += 4;
  return { property: { type, bytes: take(at, length) }, at: at + length };
}

/** @param isPacked - whether arrays are deflated */
export function writeFbx({ version, nodes, footer }: FbxTree, isPacked: boolean): Uint8Array {
  const wide = version >= WIDE;
  const nullRecord = new Uint8Array(wide ? 25 : 13);
  const head = new Uint8Array(HEAD_BYTES);
  head.set(new TextEncoder().encode(MAGIC));
  head.set([0x1a, 0], 21);
  new DataView(head.buffer).setUint32(23, version, true);
  const parts: Uint8Array[] = [head];
  let written = HEAD_BYTES;
  const put = (...pieces: readonly Uint8Array[]): void => {
    for (const piece of pieces) {
      parts.push(piece);
      written += piece.byteLength;
    }
  };
  const writeNode = ({ name, properties, children }: FbxNode): void => {
    const values = properties.map((property) => propertyBytes(property, isPacked));
    const size = values.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const label = Uint8Array.from(name.slice(0, 255), (c) => c.charCodeAt(0));
    const record = new Uint8Array((wide ? 24 : 12) + 1);
    const view = new DataView(record.buffer);
    const set = (index: number, value: number): void =>
      wide
        ? view.setBigUint64(index * 8, BigInt(value), true)
        : view.setUint32(index * 4, value, true);
    set(1, properties.length);
    set(2, size);
    record[record.length - 1] = label.length;
    put(record, label, ...values);
    for (const child of children) writeNode(child);
    if (children.length > 0) put(nullRecord);
    set(0, written);
  };
  for (const node of nodes) writeNode(node);
  put(nullRecord, footer);
  const result = new Uint8Array(written);
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.byteLength;
  }
  return result;
}

function propertyBytes({ type, bytes }: FbxProperty, isPacked: boolean): Uint8Array {
  const element = ELEMENTS[type];
  const isText = type === 'S' || type === 'R';
  const data = element !== undefined && isPacked ? zlibSync(bytes) : bytes;
  const numbers =
    element !== undefined
      ? [bytes.byteLength / element, isPacked ? 1 : 0, data.byteLength]
      : isText
        ? [data.byteLength]
        : [];
  const result = new Uint8Array(1 + numbers.length * 4 + data.byteLength);
  result[0] = type.charCodeAt(0);
  const view = new DataView(result.buffer);
  numbers.forEach((value, i) => view.setUint32(1 + i * 4, value, true));
  result.set(data, 1 + numbers.length * 4);
  return result;
}
