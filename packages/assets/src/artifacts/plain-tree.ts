/** A range of an artifact that holds the values of one array. */
export interface Block {
  readonly offset: number;
  readonly bytes: number;
}

type BlockArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;

const KINDS = {
  f32: Float32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;
type Kind = keyof typeof KINDS;

const BLOCK = '$block';
const ARRAY = '$array';

/**
 * Splits data into a JSON tree and its typed arrays. In the tree an array is
 * `{ "$block": 3, "$array": "f32" }`; other keys that start with `$` are written with one more.
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
      return { [BLOCK]: place, [ARRAY]: kind };
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
  const visit = (value: object): unknown => {
    if (Object.hasOwn(value, BLOCK)) return view(value as { [BLOCK]: unknown; [ARRAY]: unknown });
    const fields = value as Record<string, unknown>;
    const keys = Object.keys(value);
    for (const key of keys) {
      const item = fields[key];
      if (typeof item === 'object' && item !== null) fields[key] = visit(item);
    }
    return keys.some((key) => key.startsWith('$')) ? unescaped(fields) : value;
  };
  const view = (reference: { [BLOCK]: unknown; [ARRAY]: unknown }): BlockArray => {
    const block = blocks[Number(reference[BLOCK])];
    const kind = reference[ARRAY];
    if (!block || typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
      throw fail(`there is no block ${String(reference[BLOCK])} of ${String(kind)}`);
    }
    const type = KINDS[kind as Kind];
    if (block.bytes % type.BYTES_PER_ELEMENT !== 0) throw fail('a block has a broken length');
    return new type(
      bytes.buffer as ArrayBuffer,
      bytes.byteOffset + block.offset,
      block.bytes / type.BYTES_PER_ELEMENT,
    );
  };
  return typeof tree === 'object' && tree !== null ? visit(tree) : tree;
}

function unescaped(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(fields)) {
    define(result, key.startsWith('$') ? key.slice(1) : key, item);
  }
  return result;
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
