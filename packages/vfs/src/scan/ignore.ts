import picomatch from 'picomatch';
import type { IgnoreRules } from './ignore-rules.js';

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

/**
 * Compiles globs: one without `/` is matched against names at any depth (`*.bak`, `.git`), one with `/`
 * against whole paths (`/build/**`, `docs/*.md`). Dots are no special case, nor is a `/` at the end.
 */
export function ignoreRules(globs: readonly string[]): IgnoreRules {
  const names = new Set<string>();
  const nameGlobs: string[] = [];
  const pathGlobs: string[] = [];
  for (const glob of globs) {
    const bare = glob.replace(/\/+$/, '');
    if (bare.includes('/')) {
      pathGlobs.push(bare.replace(/^\/+/, ''));
      continue;
    }
    // As picomatch has it, each glob also means itself: `notes (old)` is such a name.
    names.add(bare);
    if (/[*?[\]{}()!+@\\|]/.test(bare)) nameGlobs.push(bare);
  }
  return { names, name: oneOf(nameGlobs), path: oneOf(pathGlobs) };
}

/** One expression for all the globs: picomatch's own loop over them takes several times as long. */
function oneOf(globs: readonly string[]): RegExp | undefined {
  if (globs.length === 0) return undefined;
  const sources = globs.flatMap((glob) => [
    picomatch.makeRe(glob, { dot: true }).source,
    `^${glob.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`,
  ]);
  return new RegExp(sources.map((source) => `(?:${source})`).join('|'));
}
