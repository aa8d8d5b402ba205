import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';
import { MAX_PATH_BYTES, MAX_PATH_COMPONENTS } from './limits.js';

/** Longest text that is looked at, in UTF-16 code units: enough for any detour by `..`. */
const MAX_INPUT = 4_096;

const NOT_ASCII = /[^\0-\x7f]/;
// C0 and C1 controls, DEL, the `:` of drives, streams and schemes, and halves of surrogate pairs.
// oxlint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u001f\u007f-\u009f:]|\p{Surrogate}/u;
const DRIVE = /^[A-Za-z]:/;
const ABSOLUTE_DRIVE = /^[A-Za-z]:[/\\]/;
const SEPARATORS = /[/\\]+/;

/** A legal path's text, how many components it has, and whether it is plain ASCII. */
export interface NormalPath {
  readonly path: string;
  readonly depth: number;
  readonly ascii: boolean;
}

/**
 * Normalises `text`, appended to `base`.
 *
 * @param base - legal components that `..` may climb
 * @param drives - whether an absolute drive is dropped (or else an error)
 */
export function normalise(text: string, base: readonly string[], drives = true): NormalPath {
  if (typeof text !== 'string' || text === '') {
    throw fail('vfs/path-empty', text, 'is empty', 'Use "/" for the root.');
  }
  if (text.length > MAX_INPUT) throw tooLong(text);
  let rest = text;
  if (DRIVE.test(text)) {
    if (!drives || !ABSOLUTE_DRIVE.test(text)) {
      throw fail(
        'vfs/path-drive',
        text,
        'names a drive',
        'Mount the drive and use its mount path.',
      );
    }
    rest = text.slice(2);
  } else if (text.startsWith('\\\\')) {
    throw fail('vfs/path-drive', text, 'names a network share or device', 'Mount it instead.');
  }
  if (ILLEGAL.test(rest)) {
    throw fail(
      'vfs/path-character',
      text,
      'holds NUL, a control character, ":" or half a surrogate pair',
      'Rename the file.',
    );
  }
  const components = [...base];
  for (const part of rest.split(SEPARATORS)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') components.push(part);
    else if (components.pop() === undefined) {
      throw fail('vfs/path-escapes', text, 'climbs above the root', 'Remove a "..".');
    }
  }
  if (components.length > MAX_PATH_COMPONENTS) {
    throw fail(
      'vfs/path-too-deep',
      text,
      `has ${components.length} components, more than ${MAX_PATH_COMPONENTS}`,
      'Mount a folder further down, or flatten the tree.',
    );
  }
  const path = `/${components.join('/')}`;
  const ascii = !NOT_ASCII.test(path);
  if ((ascii ? path.length : utf8Length(path)) > MAX_PATH_BYTES) throw tooLong(text);
  return { path, depth: components.length, ascii };
}

/** Bytes of a well-formed `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A surrogate pair is two units and four bytes, so each half adds one.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
  }
  return bytes;
}

function tooLong(text: string): VFSError {
  return fail(
    'vfs/path-too-long',
    text,
    `is longer than ${MAX_PATH_BYTES} bytes`,
    'Shorten the names, or mount a folder further down.',
  );
}

function fail(code: VFSErrorCode, text: unknown, what: string, fix: string): VFSError {
  const shown = String(text).slice(0, 300);
  return new VFSError(code, `Path ${JSON.stringify(shown)} ${what}`, {
    subjects: { path: shown },
    fix,
  });
}
