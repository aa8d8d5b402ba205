import { platform } from '#hash-platform';

/** SHA-256 of `bytes` as 64 lower-case hex digits. Copies nothing in Node. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  let hex = '';
  for (const byte of await platform.digest(bytes)) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** SHA-256 of a text in UTF-8. */
export function sha256Text(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text));
}

/** JSON with sorted keys: equal values give equal texts, whatever order they were written in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
