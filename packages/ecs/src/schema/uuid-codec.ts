const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The 16 bytes of a UUID's text, or `undefined` where it is none. */
export function uuidBytes(text: string): number[] | undefined {
  if (typeof text !== 'string' || !UUID.test(text)) return undefined;
  const hex = text.replaceAll('-', '');
  return Array.from({ length: 16 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Whether a text is a UUID in lower case. */
export function canonicalUuid(text: string): boolean {
  return CANONICAL.test(text);
}

/** The canonical lower-case text of 16 bytes. */
export function uuidText(bytes: Uint8Array, offset: number): string {
  let out = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) out += '-';
    out += (bytes[offset + i] ?? 0).toString(16).padStart(2, '0');
  }
  return out;
}
