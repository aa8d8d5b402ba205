import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diskLister } from '../src/node/watch/folder-lister.js';
import type { TreeChange } from '../src/node/watch/tree-events.js';
import { TreeIndex } from '../src/node/watch/tree-index.js';
import { below, pathOf } from '../src/node/watch/tree-node.js';
import { cleanUpFolders, folderWith, put, treeOf } from './disk-fixtures.js';

cleanUpFolders();

interface Indexed {
  readonly root: string;
  readonly index: TreeIndex;
  readonly failures: unknown[];
  /** Lists everything again and gives what changed, as `kind path` or `renamed from > path`. */
  readonly refresh: () => string[];
  readonly paths: () => string[];
}

function indexed(
  files: Record<string, string> = {},
  options: { ignored?: (path: string) => boolean; hash?: (file: string) => string } = {},
): Indexed {
  const root = folderWith(files);
  const changes: TreeChange[] = [];
  const failures: unknown[] = [];
  const index = new TreeIndex({
    root,
    lister: diskLister(root, true),
    ignored: options.ignored ?? (() => false),
    hash: options.hash,
    now: Date.now,
    events: {
      folderAdded: () => {},
      folderRemoved: () => {},
      linkAdded: () => {},
      failed: (_folder, error) => failures.push(error),
      changed: (change) => changes.push(change),
    },
  });
  for (const _ of index.fill()) continue;
  return {
    root,
    index,
    failures,
    refresh() {
      index.refreshAll();
      while (index.listNext()) continue;
      index.settleRemovals(Infinity);
      return changes
        .splice(0)
        .map(({ kind, path, from }) => `${kind} ${from === undefined ? '' : `${from} > `}${path}`);
    },
    paths: () =>
      [...below(index.root.node)]
        .filter((node) => node.parent)
        .map((node) => pathOf(node) + (node.folder ? '/' : ''))
        .sort(),
  };
}

describe('an index of a tree on disk', () => {
  it('says nothing about what was there at the start', () => {
    const { paths, refresh } = indexed({ '/a': '1', '/d/e/b': '2' });
    expect(paths()).toEqual(['/a', '/d/', '/d/e/', '/d/e/b']);
    expect(refresh()).toEqual([]);
  });

  it('finds what was created, written and removed', () => {
    const { root, refresh } = indexed({ '/a': '1', '/d/b': '2', '/d/c': '3' });
    put(root, '/new/deep/file', 'x');
    put(root, '/a', '22');
    rmSync(join(root, 'd/b'));
    expect(refresh().sort()).toEqual([
      'created /new',
      'created /new/deep',
      'created /new/deep/file',
      'modified /a',
      'removed /d/b',
    ]);
    rmSync(join(root, 'd'), { recursive: true });
    expect(refresh()).toEqual(['removed /d/c', 'removed /d']);
  });

  it('sees a new content of the same size, whose time was set back', () => {
    const { root, refresh } = indexed({ '/a': '1' });
    utimesSync(join(root, 'a'), 1, 1);
    refresh();
    put(root, '/a', '2');
    utimesSync(join(root, 'a'), 1, 1);
    expect(refresh()).toEqual(['modified /a']);
  });

  it('knows what was moved by its inode, and what was written besides', () => {
    const { root, refresh } = indexed({ '/a': 'a', '/d/e/b': 'b', '/w': 'w' });
    renameSync(join(root, 'a'), join(root, 'd/a'));
    renameSync(join(root, 'd/e'), join(root, 'f'));
    renameSync(join(root, 'w'), join(root, 'v'));
    writeFileSync(join(root, 'v'), 'ww');
    put(root, '/f/later', 'x');
    expect(refresh().sort()).toEqual([
      'created /f/later',
      'modified /v',
      'renamed /a > /d/a',
      'renamed /d/e > /f',
      'renamed /d/e/b > /f/b',
      'renamed /w > /v',
    ]);
    expect(refresh()).toEqual([]);
  });

  it('takes a file that is replaced by another one for modified, whatever the editor does', () => {
    const { root, refresh } = indexed({ '/a': 'a' });
    put(root, '/a.tmp', 'b');
    renameSync(join(root, 'a.tmp'), join(root, 'a'));
    expect(refresh()).toEqual(['modified /a']);
    put(root, '/a.tmp', 'c');
    expect(refresh()).toEqual(['created /a.tmp']);
    renameSync(join(root, 'a.tmp'), join(root, 'a'));
    expect(refresh()).toEqual(['modified /a', 'removed /a.tmp']);
    rmSync(join(root, 'a'));
    put(root, '/a', 'd');
    expect(refresh()).toEqual(['modified /a']);
  });

  it('does not take a new file that got the inode of a removed one for a move', () => {
    const { root, refresh } = indexed({});
    for (let i = 0; i < 20; i++) {
      put(root, `/a${i}`, `${i}`);
      refresh();
      rmSync(join(root, `a${i}`));
      put(root, `/b${i}`, `${i}`);
      utimesSync(join(root, `b${i}`), i, i);
      expect(refresh()).toEqual([`created /b${i}`, `removed /a${i}`]);
    }
  });

  it('does not take a hard link for a move', () => {
    const { root, refresh } = indexed({ '/a': 'a' });
    linkSync(join(root, 'a'), join(root, 'b'));
    expect(refresh().filter((change) => change.includes('/b'))).toEqual(['created /b']);
    rmSync(join(root, 'a'));
    expect(refresh()).toContain('removed /a');
  });

  it('compares a folder that was replaced by another one by name', () => {
    const { root, refresh } = indexed({ '/d/a': 'a', '/d/b': 'b' });
    put(root, '/n/a', 'A');
    refresh();
    rmSync(join(root, 'd'), { recursive: true });
    renameSync(join(root, 'n'), join(root, 'd'));
    const changes = refresh();
    expect(changes).toContain('removed /d/b');
    expect(changes.some((change) => /(?:modified|renamed .* >) \/d\/a$/.test(change))).toBe(true);
  });

  it('a file that becomes a folder is removed and created', () => {
    const { root, refresh } = indexed({ '/a': 'a' });
    rmSync(join(root, 'a'));
    mkdirSync(join(root, 'a'));
    expect(refresh()).toEqual(['removed /a', 'created /a']);
  });

  it('passes over what is ignored, also when it is moved out of sight and back', () => {
    const { root, refresh } = indexed(
      { '/a': 'a' },
      { ignored: (path) => path.startsWith('/out') },
    );
    put(root, '/out/x', 'x');
    expect(refresh()).toEqual([]);
    renameSync(join(root, 'a'), join(root, 'out/a'));
    expect(refresh()).toEqual(['removed /a']);
    renameSync(join(root, 'out/a'), join(root, 'a'));
    expect(refresh()).toEqual(['created /a']);
  });

  it('with hashes, finds an edit that left all numbers as they were, and no change where content is the same', () => {
    let lies = false;
    const root = folderWith({ '/a': 'one' });
    const real = diskLister(root, true);
    const changes: TreeChange[] = [];
    const frozen = real.entry(root, 'a');
    const index = new TreeIndex({
      root,
      lister: {
        ...real,
        list(folder, known) {
          const listing = real.list(folder, lies ? undefined : known);
          return lies && frozen ? { ...listing, entries: [frozen] } : listing;
        },
      },
      ignored: () => false,
      hash: (file) => readFileSync(file, 'utf8'),
      now: Date.now,
      events: {
        folderAdded: () => {},
        folderRemoved: () => {},
        linkAdded: () => {},
        failed: () => {},
        changed: (change) => changes.push(change),
      },
    });
    for (const _ of index.fill()) continue;
    const list = (suspects?: Set<string>): string[] => {
      index.refresh(index.root);
      while (index.listNext(() => suspects)) continue;
      return changes.splice(0).map(({ kind, path }) => `${kind} ${path}`);
    };
    utimesSync(join(root, 'a'), 5, 5);
    put(root, '/a', 'one');
    expect(list()).toEqual([]);
    lies = true;
    list();
    put(root, '/a', 'two');
    expect(list()).toEqual([]);
    expect(list(new Set(['a']))).toEqual(['modified /a']);
    expect(list(new Set(['a']))).toEqual([]);
  });

  describe('links', () => {
    it('inside the root are what they lead to; loops, dangling ones and those that lead out are not there', () => {
      const outside = folderWith({ '/secret': 's' });
      const root = folderWith({ '/real/file': 'f', '/real/sub/x': 'x' });
      symlinkSync('real', join(root, 'alias'));
      symlinkSync('real/file', join(root, 'file-alias'));
      symlinkSync('..', join(root, 'real/up'));
      symlinkSync('../../real', join(root, 'real/sub/back'));
      symlinkSync('nowhere', join(root, 'dangling'));
      symlinkSync('self', join(root, 'self'));
      symlinkSync(outside, join(root, 'out'));
      symlinkSync(join(outside, 'secret'), join(root, 'out-file'));
      const index = new TreeIndex({
        root,
        lister: diskLister(root, true),
        ignored: () => false,
        now: Date.now,
        events: {
          folderAdded: () => {},
          folderRemoved: () => {},
          linkAdded: () => {},
          failed: () => {},
          changed: () => {},
        },
      });
      for (const _ of index.fill()) continue;
      const paths = [...below(index.root.node)].map(pathOf).sort();
      expect(paths).toEqual([
        '',
        '/alias',
        '/alias/file',
        '/alias/sub',
        '/alias/sub/x',
        '/file-alias',
        '/real',
        '/real/file',
        '/real/sub',
        '/real/sub/x',
      ]);
    });

    it('that come to lead elsewhere are removed and created', () => {
      const { root, refresh } = indexed({ '/a': 'a', '/b': 'bb' });
      symlinkSync('a', join(root, 'link'));
      expect(refresh()).toEqual(['created /link']);
      put(root, '/a', 'aa');
      expect(refresh().sort()).toEqual(['modified /a', 'modified /link']);
      rmSync(join(root, 'link'));
      symlinkSync('b', join(root, 'link'));
      expect(refresh()).toEqual(['removed /link', 'created /link']);
    });

    it('that replace a folder while it is listed lead nowhere', () => {
      const outside = folderWith({ '/secret': 's' });
      const { root, index, paths, refresh } = indexed({ '/d/a': 'a' });
      index.refreshAll();
      rmSync(join(root, 'd'), { recursive: true });
      symlinkSync(outside, join(root, 'd'));
      while (index.listNext()) continue;
      expect(paths()).toEqual([]);
      expect(refresh()).toEqual(['removed /d/a', 'removed /d']);
    });
  });

  it('agrees with the disk, and its changes lead from any state to the next, whatever happens', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const step = fc.oneof(
      fc.record({ op: fc.constant('write' as const), path, text: fc.string({ maxLength: 4 }) }),
      fc.record({ op: fc.constant('remove' as const), path }),
      fc.record({ op: fc.constant('rename' as const), path, to: path }),
      fc.record({ op: fc.constant('folder' as const), path }),
      fc.record({ op: fc.constant('refresh' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { root, paths, refresh } = indexed({});
        const content = (of: string): string => readFileSync(join(root, of), 'utf8');
        /** What somebody knows who only gets the changes: paths, and what was read at the last change. */
        const known = new Map<string, string | undefined>();
        const check = (): void => {
          for (const change of refresh()) {
            const [, kind, from, to] = /^(\w+) (?:(.*) > )?(.*)$/.exec(change) ?? [];
            if (to === undefined) throw new Error(change);
            if (kind === 'created' && known.has(to)) throw new Error(`${to} was created twice`);
            if ((kind === 'removed' || kind === 'modified') && !known.has(to)) {
              throw new Error(`${change} of what was not there`);
            }
            if (kind === 'renamed' && (known.has(to) || !known.has(from ?? '')))
              throw new Error(change);
            const before = from === undefined ? undefined : known.get(from);
            if (kind === 'removed') known.delete(to);
            else known.set(to, kind === 'renamed' ? before : 'read again');
            if (from !== undefined) known.delete(from);
          }
          const disk = treeOf(root);
          for (const each of disk) {
            if (!each.endsWith('/') && known.get(each) === 'read again')
              known.set(each, content(each));
            if (!each.endsWith('/') && known.get(each) !== content(each)) {
              throw new Error(`${each} was written without a word`);
            }
          }
          expect([...known.keys()].sort()).toEqual(
            disk.map((each) => each.replace(/\/$/, '')).sort(),
          );
          expect(paths()).toEqual(disk);
        };
        for (const each of steps) {
          try {
            if (each.op === 'write') put(root, each.path, each.text);
            else if (each.op === 'remove') rmSync(join(root, each.path), { recursive: true });
            else if (each.op === 'rename') renameSync(join(root, each.path), join(root, each.to));
            else if (each.op === 'folder') mkdirSync(join(root, each.path), { recursive: true });
            else check();
          } catch (error) {
            // The disk refuses what makes no sense: a file below a file, a rename of nothing.
            if (!(error instanceof Error && 'syscall' in error)) throw error;
          }
        }
        check();
        rmSync(root, { recursive: true });
      }),
      { numRuns: 150 },
    );
  });
});
