import { isObject } from '../data/is-object.js';
import { kindOf, type BlockArray, type Blocks, type BlockWriter } from './block-arrays.js';

const DOLLAR = '$'.charCodeAt(0);

/**
 * Splits data into a JSON tree and its typed arrays. In the tree an array is `{ "$f32": 3 }`, its kind and its number;
 * other keys that start with `$` are written with one more.
 *
 * @param data - objects, lists, strings, booleans, finite numbers, typed arrays; `undefined` is left out
 * @param blocks - takes the arrays
 * @returns the tree
 */
export function toPlain(data: unknown, blocks: BlockWriter): unknown {
  const visit = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.some(isObject) ? value.map(visit) : value;
    const kind = kindOf(value);
    if (kind !== undefined) return { [kind]: blocks.add(value as BlockArray) };
    const result: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      define(result, key.charCodeAt(0) === DOLLAR ? `$${key}` : key, visit(item));
    }
    return result;
  };
  return visit(data);
}

/** Undoes {@link toPlain}, in the tree itself where it can; arrays are views of `blocks`. */
export function fromPlain(value: object, blocks: Blocks): object {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (isObject(item)) value[i] = fromPlain(item, blocks);
    }
    return value;
  }
  const fields = value as Record<string, unknown>;
  let isEscaped = false;
  for (const key of Object.keys(fields)) {
    const item = fields[key];
    if (key.charCodeAt(0) === DOLLAR) {
      if (key.charCodeAt(1) !== DOLLAR) return blocks.view(key, item);
      isEscaped = true;
    }
    // Written only where it is something else: most of a tree is as it was parsed.
    const seen = isObject(item) ? fromPlain(item, blocks) : item;
    if (seen !== item) fields[key] = seen;
  }
  return isEscaped ? unescaped(fields) : value;
}

function unescaped(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(fields)) {
    define(result, key.charCodeAt(0) === DOLLAR ? key.slice(1) : key, item);
  }
  return result;
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
