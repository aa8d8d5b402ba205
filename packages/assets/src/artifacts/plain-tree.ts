import type { Block } from './artifact-header.js';

type BlockArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;

const KINDS = {
  $f32: Float32Array,
  $u32: Uint32Array,
  $u16: Uint16Array,
  $u8: Uint8Array,
} as const;
type Kind = keyof typeof KINDS;

const DOLLAR = '$'.charCodeAt(0);

/**
 * Splits data into a JSON tree and its typed arrays. In the tree an array is `{ "$f32": 3 }`, its kind and its number;
 * other keys that start with `$` are written with one more.
 *
 * @param data - objects, lists, strings, booleans, finite numbers, typed arrays; `undefined` is left out
 */
export function toPlain(data: unknown): { tree: unknown; arrays: BlockArray[] } {
  const arrays: BlockArray[] = [];
  const places = new Map<BlockArray, number>();
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(visit);
    const kind = kindOf(value);
    if (kind !== undefined) {
      const array = value as BlockArray;
      let place = places.get(array);
      if (place === undefined) {
        place = arrays.push(array) - 1;
        places.set(array, place);
      }
      return { [kind]: place };
    }
    const result: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      define(result, key.startsWith('$') ? `$${key}` : key, visit(item));
    }
    return result;
  };
  return { tree: visit(data), arrays };
}

/** Undoes {@link toPlain}, in the tree itself where it can; arrays are views of `bytes`. */
export function fromPlain(
  tree: unknown,
  bytes: Uint8Array,
  blocks: readonly Block[],
  fail: (what: string) => Error,
): unknown {
  return isObject(tree) ? visit(tree, { bytes, blocks, fail }) : tree;
}

interface Source {
  readonly bytes: Uint8Array;
  readonly blocks: readonly Block[];
  readonly fail: (what: string) => Error;
}

function visit(value: object, source: Source): unknown {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (isObject(item)) value[i] = visit(item, source);
    }
    return value;
  }
  const fields = value as Record<string, unknown>;
  let isEscaped = false;
  for (const key of Object.keys(fields)) {
    const item = fields[key];
    if (key.charCodeAt(0) === DOLLAR) {
      if (key.charCodeAt(1) !== DOLLAR) return view(key, item, source);
      isEscaped = true;
    }
    // Written only where it is something else: most of a tree is as it was parsed.
    const seen = isObject(item) ? visit(item, source) : item;
    if (seen !== item) fields[key] = seen;
  }
  return isEscaped ? unescaped(fields) : value;
}

function view(kind: string, place: unknown, { bytes, blocks, fail }: Source): BlockArray {
  const block = blocks[Number(place)];
  if (!block || !Object.hasOwn(KINDS, kind)) {
    throw fail(`there is no block ${String(place)} of ${kind.slice(0, 8)}`);
  }
  const type = KINDS[kind as Kind];
  if (block.bytes % type.BYTES_PER_ELEMENT !== 0) throw fail('a block has a broken length');
  return new type(
    bytes.buffer as ArrayBuffer,
    bytes.byteOffset + block.offset,
    block.bytes / type.BYTES_PER_ELEMENT,
  );
}

function unescaped(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(fields)) {
    define(result, key.charCodeAt(0) === DOLLAR ? key.slice(1) : key, item);
  }
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function kindOf(value: object): Kind | undefined {
  for (const kind of Object.keys(KINDS) as Kind[]) if (value instanceof KINDS[kind]) return kind;
  if (ArrayBuffer.isView(value)) {
    throw new TypeError(`${value.constructor.name} can't be stored in an artifact`);
  }
  return undefined;
}

/** Defines an own property, also for names as `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return;
  if (key !== '__proto__') target[key] = value;
  else {
    const property = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(target, key, property);
  }
}
