/**
 * Writes `text` as UTF-8, filled up with zeros, without allocating and on shared memory too. Lone surrogates become U+FFFD, as
 * everywhere on the web; a NUL ends the text.
 *
 * @returns the bytes written, or, where it did not fit and was cut at a code point, `-1 - bytes`
 */
export function encodeText(
  text: string,
  out: Uint8Array,
  offset: number,
  capacity: number,
): number {
  let at = offset;
  const end = offset + capacity;
  let cut = false;
  for (let i = 0; i < text.length; i++) {
    let point = text.codePointAt(i) ?? 0;
    if (point === 0) break;
    if (point > 0xffff) i++;
    else if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (at + size > end) {
      cut = true;
      break;
    }
    if (size === 1) {
      out[at++] = point;
      continue;
    }
    out[at++] = (0xf00 >> size) | (point >> (6 * (size - 1)));
    for (let rest = size - 2; rest >= 0; rest--) out[at++] = 0x80 | ((point >> (6 * rest)) & 0x3f);
  }
  const bytes = at - offset;
  out.fill(0, at, end);
  return cut ? -1 - bytes : bytes;
}

/**
 * Writes a text as {@link encodeText} does, if it is kept as it is: it fits, and has neither NULs nor lone surrogates. Where it is
 * not, anything may have been written.
 */
export function writeWholeText(
  text: string,
  out: Uint8Array,
  offset: number,
  capacity: number,
): boolean {
  const { length } = text;
  if (length > capacity) return false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0) return false;
    if (code >= 0x80) return isWhole(text) && encodeText(text, out, offset, capacity) >= 0;
    out[offset + i] = code;
  }
  for (let i = offset + length; i < offset + capacity; i++) out[i] = 0;
  return true;
}

/** Whether a text has neither NULs nor lone surrogates. */
function isWhole(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    if (point === 0 || (point >= 0xd800 && point <= 0xdfff)) return false;
    if (point > 0xffff) i++;
  }
  return true;
}

/** Reads the UTF-8 up to the first zero, at most `capacity` bytes. Bytes that are no UTF-8 give U+FFFD. */
export function decodeText(bytes: Uint8Array, offset: number, capacity: number): string {
  let text = '';
  const end = offset + capacity;
  for (let at = offset; at < end;) {
    const first = bytes[at++] ?? 0;
    if (first === 0) break;
    const more =
      first < 0x80
        ? 0
        : first < 0xc2
          ? -1
          : first < 0xe0
            ? 1
            : first < 0xf0
              ? 2
              : first < 0xf5
                ? 3
                : -1;
    if (more === 0) {
      text += String.fromCharCode(first);
      continue;
    }
    let point = more > 0 ? first & (0x3f >> more) : -1;
    for (let rest = 0; rest < more && point >= 0; rest++) {
      const next = at < end ? (bytes[at] ?? 0) : 0;
      if ((next & 0xc0) !== 0x80) point = -1;
      else {
        point = (point << 6) | (next & 0x3f);
        at++;
      }
    }
    const least = more === 2 ? 0x800 : more === 3 ? 0x10000 : 0x80;
    const legal = point >= least && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    text += legal ? String.fromCodePoint(point) : '\ufffd';
  }
  return text;
}
