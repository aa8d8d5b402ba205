import { VFSError, VFSPath } from '@ecliptic/vfs';

/** What a run over fuzzed texts found. */
export interface FuzzResult {
  readonly accepted: number;
  readonly rejected: number;
  /** Texts of which an illegal path was made. */
  readonly escapes: string[];
}

const PIECES = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '...',
  '..\\',
  '../',
  '/..',
  '%2e%2e',
  '%2f',
  '\0',
  '\n',
  ':',
  'C:',
  'c:\\',
  'a',
  'b.png',
  'é',
  'e\u0301',
  '\u{1f680}',
  '\ud800',
  '\u202e',
  ' ',
  '~',
  '*',
  '\\\\',
  '\u2024\u2024',
  '\uff0e\uff0e',
  '\u2215',
  'x'.repeat(60),
  'CON',
  'file://',
  '\u007f',
  '\u0085',
  '​',
];

/** Parses `count` random texts and their joins; a small linear congruential generator makes runs repeatable. */
export function fuzzPaths(count: number, seed: number): FuzzResult {
  let state = seed >>> 0 || 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let accepted = 0;
  let rejected = 0;
  const escapes: string[] = [];
  const base = VFSPath.parse('/base/folder');
  for (let i = 0; i < count; i++) {
    let text = '';
    for (let n = random(10); n >= 0; n--) {
      text +=
        random(8) === 0
          ? String.fromCharCode(random(0x10000))
          : (PIECES[random(PIECES.length)] ?? '');
    }
    for (const make of [() => VFSPath.parse(text), () => base.join(text)]) {
      try {
        const path = make();
        accepted++;
        if (!legal(path)) escapes.push(text);
      } catch (error) {
        if (!VFSError.is(error)) throw error;
        rejected++;
      }
    }
  }
  return { accepted, rejected, escapes };
}

/** An independent reading of the rules. */
function legal(path: VFSPath): boolean {
  const text = path.toString();
  const parts = text.split('/').slice(1);
  return (
    text.startsWith('/') &&
    (text === '/' || parts.every((part) => part !== '' && part !== '.' && part !== '..')) &&
    parts.length <= 32 &&
    Buffer.byteLength(text) <= 255 &&
    Buffer.from(text).toString() === text &&
    // oxlint-disable-next-line no-control-regex
    !/[\\:\u0000-\u001f\u007f-\u009f]/.test(text)
  );
}
