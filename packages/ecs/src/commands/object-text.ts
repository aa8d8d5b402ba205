/** Numbers that JSON has not, by their names. */
const ODD_NUMBERS = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity, '-0': -0 } as const;

/** `object()` fields as the bytes of a text, for another thread: what JSON can say, and all numbers. */
export function objectsToText(objects: object): Uint8Array {
  const text = JSON.stringify(objects, (_, each: unknown) => {
    if (ArrayBuffer.isView(each)) return Array.from(each as Float32Array);
    if (typeof each !== 'number') return each;
    if (Object.is(each, -0)) return { $number: '-0' };
    return Number.isFinite(each) ? each : { $number: String(each) };
  });
  return new TextEncoder().encode(text);
}

/** The objects again. @param bytes - not of shared memory, which a text decoder refuses */
export function objectsFromText(bytes: Uint8Array): object {
  const text = new TextDecoder().decode(bytes);
  // Looking at each value is what takes long, and few texts need it.
  if (!text.includes('"$number"')) return JSON.parse(text) as object;
  return JSON.parse(text, (_, each: unknown) => {
    const odd = (each as { $number?: keyof typeof ODD_NUMBERS } | null)?.$number;
    return odd !== undefined && Object.hasOwn(ODD_NUMBERS, odd) ? ODD_NUMBERS[odd] : each;
  }) as object;
}
