import { invalidScene } from './scene-error.js';

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Refuses data that is nested deeper than `depth`, or has a key `__proto__`: whoever copies such a thing by assignment would
 * change an object's prototype.
 *
 * @throws EclipticError `authoring/scene-invalid`
 */
export function checkPlain(value: unknown, at: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth <= 0) throw invalidScene(at, 'is nested too deeply');
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] === 'object') checkPlain(value[i], at, depth - 1);
    }
    return;
  }
  for (const key in value) {
    if (key === '__proto__') throw invalidScene(at, 'has a key "__proto__"');
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof inner === 'object') checkPlain(inner, at, depth - 1);
  }
}
