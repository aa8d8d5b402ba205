import picomatch from 'picomatch';

/**
 * What scanning and watching pass over unless told otherwise: folders of version control, caches and
 * the engine's own output, and what editors and systems leave beside files for a moment.
 */
export const DEFAULT_IGNORE: readonly string[] = [
  '.git',
  '.hg',
  '.jj',
  '.svn',
  '.cache',
  '.ecliptic',
  '.turbo',
  'node_modules',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '4913',
  '*~',
  '.*.sw?',
  '.#*',
  '#*#',
  '.ecliptic-*.tmp',
  '*.crswap',
  '.goutputstream-*',
];

/** Whether a path, as `/a/b`, is passed over, with all that is in it. */
export type IgnoreTest = (path: string) => boolean;

/**
 * Makes a test of globs: one without `/` is matched against names at any depth (`*.bak`, `.git`), one
 * with `/` against whole paths (`/build/**`, `docs/*.md`). Dots are no special case.
 */
export function ignoreTest(globs: readonly string[]): IgnoreTest {
  const names = new Set<string>();
  const nameGlobs: string[] = [];
  const pathGlobs: string[] = [];
  for (const glob of globs) {
    if (glob.replace(/\/$/, '').includes('/')) pathGlobs.push(glob.replace(/^\//, ''));
    else if (/[*?[\]{}()!+@\\]/.test(glob)) nameGlobs.push(glob);
    else names.add(glob.replace(/\/$/, ''));
  }
  const nameMatches = nameGlobs.length > 0 ? picomatch(nameGlobs, { dot: true }) : undefined;
  const pathMatches = pathGlobs.length > 0 ? picomatch(pathGlobs, { dot: true }) : undefined;
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return names.has(name) || nameMatches?.(name) === true || pathMatches?.(path.slice(1)) === true;
  };
}
