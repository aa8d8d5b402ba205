/** Deepest nesting of plain data: what scene files can hold with room to spare. */
const MAX_DEPTH = 48;

/**
 * A copy of plain data: finite numbers, texts, booleans, `null`, lists and plain objects of them; fields that are `undefined` are left
 * out, as JSON does.
 *
 * @throws TypeError where there is anything else, a key `__proto__`, or a cycle
 */
export function copyPlain(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is no number that JSON has`);
      return value;
    case 'object':
      break;
    default:
      throw new TypeError(`a ${typeof value} is no plain data`);
  }
  if (value === null) return value;
  if (depth >= MAX_DEPTH) throw new TypeError('it is nested too deeply, or has a cycle');
  if (Array.isArray(value)) return Array.from(value, (each: unknown) => copyPlain(each, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`an instance of ${value.constructor.name} is no plain data`);
  }
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    if (key === '__proto__') throw new TypeError('it has a key "__proto__"');
    if (each !== undefined) copy[key] = copyPlain(each, depth + 1);
  }
  return copy;
}
