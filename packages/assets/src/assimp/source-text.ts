/** Bytes of a text in UTF-8, whatever encoding its byte order mark says. */
export function toUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  if (encoding === undefined) return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
}

/** Names in the `mtllib` lines of an OBJ, as written. */
export function materialLibraries(obj: Uint8Array): string[] {
  const text = new TextDecoder().decode(obj);
  const names: string[] = [];
  for (const match of text.matchAll(/^[ \t]*mtllib[ \t]+(.+?)[ \t\r]*$/gm)) {
    if (match[1] !== undefined) names.push(match[1]);
  }
  return names;
}

/** The version of an FBX, as 7500, or `undefined` for other files. */
export function fbxVersion(bytes: Uint8Array): number | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048));
  if (head.startsWith('Kaydara FBX Binary  \0')) {
    if (bytes.byteLength < 27) return undefined;
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(23, true);
  }
  const version = /^\s*FBXVersion:\s*(\d+)/m.exec(head)?.[1];
  return version === undefined ? undefined : Number(version);
}

/**
 * A URI for a path as modelling tools write it: with backslashes, drives, spaces. Absolute paths, and those from where a drive
 * happens to stand (`C:a.png`), are of another machine, so only their last component is kept.
 */
export function uriOfPath(path: string): string {
  const plain = path.replaceAll('\\', '/');
  const withoutDrive = plain.replace(/^[a-z]:/i, '');
  const isAbsolute = withoutDrive !== plain || plain.startsWith('/');
  const relative = isAbsolute ? withoutDrive.slice(withoutDrive.lastIndexOf('/') + 1) : plain;
  return relative
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '..' ? part : encodeURIComponent(part)))
    .join('/');
}
