/**
 * Finds data that is nested deeper than `depth`, or has a key `__proto__`: whoever copies such a thing by assignment would
 * change an object's prototype.
 *
 * @returns what is wrong, or `undefined`
 */
export function findUnsafe(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth <= 0) return 'is nested too deeply';
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const inner: unknown = value[i];
      if (typeof inner !== 'object') continue;
      const problem = findUnsafe(inner, depth - 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  for (const key in value) {
    if (key === '__proto__') return 'has a key "__proto__"';
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof inner !== 'object') continue;
    const problem = findUnsafe(inner, depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
