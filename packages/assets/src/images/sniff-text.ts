/** Text files that stand where an asset should be. */
export type TextKind = 'git-lfs' | 'git-conflict' | 'utf16';

const LFS = 'version https://git-lfs.github.com/spec/';

/**
 * Recognises what version control and editors leave in place of an asset: a Git LFS pointer, a file
 * with merge conflict markers, UTF-16 text. `undefined` for anything else.
 */
export function sniffText(bytes: Uint8Array): TextKind | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'utf16';
  // ASCII in UTF-16 without a mark: every other byte is zero.
  if (bytes.length >= 4 && ((first === 0 && second !== 0) || (first !== 0 && second === 0))) {
    const third = bytes[2] ?? 0;
    const fourth = bytes[3] ?? 0;
    if (first === 0 ? third === 0 && fourth !== 0 : third !== 0 && fourth === 0) return 'utf16';
  }
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  if (head.startsWith(LFS)) return 'git-lfs';
  if (first === 0x3c || head.includes('\n<<<<<<< ')) {
    if (/^<{7} /m.test(head)) return 'git-conflict';
  }
  return undefined;
}
