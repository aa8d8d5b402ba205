/** Strict base64 (with or without padding, no other characters), or `undefined`. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  if (text.replace(/=+$/, '').length % 4 === 1) return undefined;
  const binary = atob(text.replace(/=+$/, ''));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
