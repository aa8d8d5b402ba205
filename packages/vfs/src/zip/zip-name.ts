/** The upper half of code page 437, in which archives without the UTF-8 flag are. */
const UPPER_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * A name from an archive. Many tools write UTF-8 without saying so, so that is tried first.
 *
 * @param utf8 - whether the archive says that it is UTF-8
 * @returns `undefined` when it says so and is wrong
 */
export function decodeZipName(bytes: Uint8Array, utf8: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    if (utf8) return undefined;
    return Array.from(bytes, (byte) =>
      byte < 128 ? String.fromCharCode(byte) : UPPER_437[byte - 128],
    ).join('');
  }
}
