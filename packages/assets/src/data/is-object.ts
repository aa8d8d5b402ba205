/** Whether a value has fields or elements: an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
