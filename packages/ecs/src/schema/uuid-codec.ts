const LENGTH = 36;
const HYPHEN = 0x2d;
/** Where in the text the two digits of each byte begin. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
/** Each byte as two digits. */
const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);
/** What is added to a digit's value where it is in upper case. */
const UPPER = 16;
/** No digit. */
const NONE = 32;

/** The value of each hexadecimal digit by its character code, with {@link UPPER}; {@link NONE} for everything else. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x61 && code <= 0x66) return code - 0x57;
  return code >= 0x41 && code <= 0x46 ? code - 0x37 + UPPER : NONE;
});

/** The value of a digit as {@link VALUES} has it. */
function digit(code: number): number {
  return code < 128 ? (VALUES[code] as number) : NONE;
}

/** All that the digits of a text have in common, or {@link NONE} where it is no UUID. */
function scan(text: string): number {
  if (typeof text !== 'string' || text.length !== LENGTH) return NONE;
  let seen = 0;
  for (let i = 0; i < LENGTH; i++) {
    const code = text.charCodeAt(i);
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== HYPHEN) return NONE;
    } else {
      seen |= digit(code);
    }
  }
  return seen;
}

/** Whether this is a UUID, in upper or lower case. Anything may be asked. */
export function isUuidText(text: unknown): text is string {
  return scan(text as string) < NONE;
}

/**
 * Writes the 16 bytes of a UUID in lower case; what is none leaves anything there. Allocates nothing.
 *
 * @returns whether it is one
 */
export function writeCanonicalUuid(text: string, out: Uint8Array, at: number): boolean {
  if (text.length !== LENGTH) return false;
  let seen = 0;
  for (let i = 0; i < 16; i++) {
    const place = PLACES[i] as number;
    const high = digit(text.charCodeAt(place));
    const low = digit(text.charCodeAt(place + 1));
    seen |= high | low;
    out[at + i] = (high << 4) | (low & 15);
  }
  return (
    seen < UPPER &&
    text.charCodeAt(8) === HYPHEN &&
    text.charCodeAt(13) === HYPHEN &&
    text.charCodeAt(18) === HYPHEN &&
    text.charCodeAt(23) === HYPHEN
  );
}

/** Writes the 16 bytes of a UUID; what is none leaves them as they are. Allocates nothing. @returns whether it is one */
export function writeUuid(text: unknown, out: Uint8Array, at: number): boolean {
  if (!isUuidText(text)) return false;
  for (let i = 0; i < 16; i++) {
    const place = PLACES[i] as number;
    const high = digit(text.charCodeAt(place)) & 15;
    out[at + i] = (high << 4) | (digit(text.charCodeAt(place + 1)) & 15);
  }
  return true;
}

/** The canonical lower-case text of 16 bytes. */
export function uuidText(bytes: Uint8Array, offset: number): string {
  let out = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) out += '-';
    out += DIGITS[bytes[offset + i] ?? 0] as string;
  }
  return out;
}
