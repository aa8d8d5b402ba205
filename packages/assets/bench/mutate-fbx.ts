import { readFbx, writeFbx, type FbxNode, type FbxProperty } from '../test/fbx-tree.js';
import type { Random } from './mutate-file.js';

const INTEGERS = [-1, 0, 1, 2, 3, 255, 65_535, 2 ** 24, 2 ** 30, 2 ** 31 - 1, -(2 ** 31), -2];
const REALS = [0, -0, 1, -1, 1e-300, 1e300, -1e300, NaN, Infinity, 1e38, 46_186_158_000];
/** Levels of nodes within one another. */
const DEPTH = 500;

/**
 * A damaged copy of an FBX: of a binary one its nodes and values, written as a sound file, so that the damage gets past the reader of
 * the structure; of a text its lines and numbers. `undefined` for anything else.
 */
export function mutateFbx(bytes: Uint8Array, random: Random): Uint8Array | undefined {
  const tree = readFbx(bytes);
  if (tree) {
    for (let i = random(3) + 1; i > 0; i--) mutateNodes(tree.nodes, random);
    return writeFbx(tree, random(2) === 0);
  }
  const text = new TextDecoder('latin1').decode(bytes);
  if (!text.includes('FBXVersion')) return undefined;
  const lines = text.split('\n');
  for (let i = random(4) + 1; i > 0; i--) mutateLines(lines, random);
  return Uint8Array.from(lines.join('\n'), (c) => c.charCodeAt(0));
}

/** Changes one node: its values mostly. */
function mutateNodes(roots: FbxNode[], random: Random): void {
  const places: { readonly siblings: FbxNode[]; readonly index: number }[] = [];
  const pending = [roots];
  for (let siblings = pending.pop(); siblings; siblings = pending.pop()) {
    for (const [index, node] of siblings.entries()) {
      places.push({ siblings, index });
      pending.push(node.children);
    }
  }
  // Connections are a third of the changes: they can go round in circles.
  const connections = places.filter(({ siblings, index }) => siblings[index]?.name === 'C');
  const chosen = connections.length > 0 && random(3) === 0 ? connections : places;
  const { siblings, index } = chosen[random(chosen.length)] ?? { siblings: roots, index: 0 };
  const node = siblings[index];
  const other = places[random(places.length)];
  const stranger = other?.siblings[other.index];
  if (!node || !stranger) return;
  const kind = random(12);
  if (kind === 0) siblings.splice(index, 1);
  else if (kind === 1) siblings.push(structuredClone(node));
  else if (kind === 2) node.children.push(structuredClone(stranger));
  else if (kind === 3) node.name = stranger.name;
  else if (kind === 4 && random(4) === 0) siblings[index] = nested(node);
  else if (kind === 5) node.properties.splice(random(node.properties.length + 1), 1);
  else if (kind === 6) node.properties.push(...stranger.properties.slice(0, 1));
  else if (kind === 7 && node.name === 'C') copyValue(node.properties, random);
  else {
    const property = node.properties[random(node.properties.length)];
    if (property) mutateProperty(property, stranger.properties[0], random);
  }
}

function nested(node: FbxNode): FbxNode {
  let result = node;
  for (let i = 0; i < DEPTH; i++) result = { name: node.name, properties: [], children: [result] };
  return result;
}

/** One of two identifiers becomes the other. */
function copyValue(properties: FbxProperty[], random: Random): void {
  const ids = properties.filter(({ type }) => type === 'L');
  const [from, to] = random(2) === 0 ? ids : ids.toReversed();
  if (from && to) to.bytes = from.bytes.slice();
}

function mutateProperty(
  property: FbxProperty,
  other: FbxProperty | undefined,
  random: Random,
): void {
  const kind = random(8);
  if (kind === 0 && other) property.bytes = other.bytes.slice();
  else if (kind === 1) property.type = 'YCIFDLfdlibSR'[random(13)] ?? 'I';
  else if (kind === 2) property.bytes = property.bytes.slice(0, random(property.bytes.length + 1));
  else setNumber(property, random);
}

/** One of its numbers becomes a strange one, or a few bytes of text others. */
function setNumber({ type, bytes }: FbxProperty, random: Random): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const integer = INTEGERS[random(INTEGERS.length)] ?? 0;
  const real = REALS[random(REALS.length)] ?? 0;
  const size = { i: 4, I: 4, f: 4, F: 4, d: 8, D: 8, l: 8, L: 8 }[type] ?? 1;
  const count = Math.floor(bytes.length / size);
  if (count === 0) return;
  const at = random(count) * size;
  if (type === 'i' || type === 'I') view.setInt32(at, integer, true);
  else if (type === 'l' || type === 'L')
    view.setBigInt64(at, BigInt(integer) * (random(2) ? 1n : 2n ** 31n), true);
  else if (type === 'f' || type === 'F') view.setFloat32(at, real, true);
  else if (type === 'd' || type === 'D') view.setFloat64(at, real, true);
  else bytes[at] = random(256);
}

function mutateLines(lines: string[], random: Random): void {
  const at = random(lines.length);
  const line = lines[at] ?? '';
  const other = lines[random(lines.length)] ?? '';
  const numbers = [...line.matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi)];
  const kind = random(9);
  if (kind === 0) lines.splice(at, 1 + random(5));
  else if (kind === 1) lines.splice(at, 0, other);
  else if (kind === 2) lines[at] = other;
  else if (kind === 3) lines[at] = line.slice(0, random(line.length + 1));
  else if (kind === 4) lines[at] = line.replace(/[{}:,"*]/, '{}:,"*;'[random(7)] ?? '');
  else if (kind === 5 && random(4) === 0) lines.splice(at, 0, ...Array(DEPTH).fill('A: {'));
  else {
    const number = numbers[random(numbers.length)];
    if (!number) return;
    const real = random(2) === 0 ? INTEGERS[random(INTEGERS.length)] : REALS[random(REALS.length)];
    const given = random(3) === 0 ? (/-?\d+/.exec(other)?.[0] ?? '') : String(real);
    lines[at] = line.slice(0, number.index) + given + line.slice(number.index + number[0].length);
  }
}
