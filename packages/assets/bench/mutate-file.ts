/** A whole number from 0 to below `below`. */
export type Random = (below: number) => number;

const GLB_MAGIC = 0x46546c67;
const NUMBERS: readonly unknown[] = [
  -1,
  0,
  1,
  3,
  255,
  65_536,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e308,
  -1e308,
  0.5,
  null,
  true,
  'x',
  [],
  {},
  '__proto__',
];
const URIS: readonly string[] = [
  '../../secret',
  '%2e%2e/%2e%2e/secret',
  '..%5c..%5csecret',
  '..\\..\\secret',
  'C:\\secret',
  'C:/secret',
  '/etc/passwd',
  'file:///etc/passwd',
  'http://example.com/a.bin',
  'data:application/octet-stream;base64,!!!!',
  'data:;base64,',
  'data:,%',
  'data:image/png;base64,AAAA',
  '%',
  '%00',
  '\u0000',
  'a'.repeat(5_000),
  '.',
  '//host/share',
];

/** A damaged copy: of JSON its values, of GLB its chunks and JSON, of anything its bytes. */
export function mutateFile(bytes: Uint8Array, random: Random): Uint8Array {
  const isGlb =
    bytes.length > 20 &&
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === GLB_MAGIC;
  const isJson = bytes[0] === 0x7b;
  const kind = random(4);
  if (isGlb && kind > 0) return mutateGlb(bytes, random);
  if (isJson && kind > 0) return encode(mutateJson(decode(bytes), random));
  return mutateBytes(bytes, random);
}

function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const result = random(4) === 0 ? bytes.slice(0, random(bytes.length)) : bytes.slice();
  for (let i = random(8) + 1; i > 0 && result.length > 0; i--) {
    const at = random(result.length);
    if (random(2)) result[at] = random(256);
    else result.copyWithin(at, random(result.length), random(result.length));
  }
  return result;
}

function mutateGlb(bytes: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  if (random(3) === 0) {
    const result = bytes.slice();
    const place = [4, 8, 12, 16, 20 + length, 24 + length][random(6)] ?? 8;
    const value = [0, 1, 3, 2 ** 31, 2 ** 32 - 1, random(bytes.length * 2)][random(6)] ?? 0;
    if (place + 4 <= result.length) new DataView(result.buffer).setUint32(place, value, true);
    return result;
  }
  const json = encode(mutateJson(decode(bytes.subarray(20, 20 + length)), random));
  const padded = Math.ceil(json.length / 4) * 4;
  const rest = bytes.subarray(20 + length);
  const result = new Uint8Array(20 + padded + rest.length).fill(0x20);
  result.set(bytes.subarray(0, 20));
  result.set(json, 20);
  result.set(rest, 20 + padded);
  const out = new DataView(result.buffer);
  out.setUint32(8, result.length, true);
  out.setUint32(12, padded, true);
  return result;
}

/** Changes some values, wherever they are. */
function mutateJson(text: string, random: Random): string {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    // What is no JSON stays as it is.
    return text;
  }
  for (let i = random(3) + 1; i > 0; i--) {
    const places: [Record<string, unknown>, string][] = [];
    const pending: unknown[] = [root];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (typeof at !== 'object' || at === null) continue;
      for (const key of Object.keys(at)) {
        places.push([at as Record<string, unknown>, key]);
        pending.push((at as Record<string, unknown>)[key]);
      }
    }
    const [object, key] = places[random(places.length)] ?? [];
    if (!object || key === undefined) break;
    mutateValue(object, key, random);
  }
  const result = JSON.stringify(root);
  return random(10) === 0
    ? result.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{}},')
    : result;
}

function mutateValue(object: Record<string, unknown>, key: string, random: Random): void {
  const value = object[key];
  if (key === 'uri' && random(2)) object[key] = URIS[random(URIS.length)];
  else if (key === 'children') object[key] = [0, 1, 2, 0];
  else if (typeof value === 'number' && random(2)) object[key] = value + random(5) - 2;
  else if (random(6) === 0) delete object[key];
  else if (Array.isArray(value) && random(2)) value.push(structuredClone(value[0]));
  else if (random(12) === 0) object[key] = deep(2_000);
  else object[key] = structuredClone(NUMBERS[random(NUMBERS.length)]);
}

function deep(levels: number): unknown {
  let result: unknown = 0;
  for (let i = 0; i < levels; i++) result = [result];
  return result;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
