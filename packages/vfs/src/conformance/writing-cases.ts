import type { VFSBackendChange } from '../backends/vfs-backend.js';
import { VFSPath } from '../paths/vfs-path.js';
import { equal, rejects } from './check.js';
import { bytesOf, names, type ConformanceCase } from './suite-case.js';

const path = (text: string): VFSPath => VFSPath.parse(text);
const one = bytesOf('one');
const two = bytesOf('two, longer');

/** What every backend does that can be written to. */
export const WRITING_CASES: readonly ConformanceCase[] = [
  {
    name: 'creates a file with the folders above it, and keeps no hold of the bytes',
    needs: 'write',
    async run({ backend }) {
      const bytes = one.slice();
      await backend.write(path('/new/folder/a.txt'), bytes);
      bytes.fill(0);
      equal(await backend.read(path('/new/folder/a.txt')), one, 'content');
      equal(await names(backend, '/new'), ['folder/'], 'parent');
    },
  },
  {
    name: 'replaces a file by a longer and by a shorter one',
    needs: 'write',
    async run({ backend }) {
      for (const bytes of [one, two, one, new Uint8Array(0)]) {
        await backend.write(path('/a.txt'), bytes);
        equal(await backend.read(path('/a.txt')), bytes, 'content');
        equal((await backend.stat(path('/a.txt'))).size, bytes.length, 'size');
      }
      equal(
        (await names(backend, '/')).filter((name) => name.includes('a.txt')),
        ['a.txt'],
        'names',
      );
    },
  },
  {
    name: 'writes a view of a larger buffer, not the buffer',
    needs: 'write',
    async run({ backend }) {
      await backend.write(path('/view.bin'), two.subarray(2, 5));
      equal(await backend.read(path('/view.bin')), two.slice(2, 5), 'content');
    },
  },
  {
    name: 'refuses to write over a folder or below a file',
    needs: 'write',
    async run({ backend }) {
      await rejects(backend.write(path('/text'), one), 'over a folder', 'vfs/is-folder');
      await rejects(backend.write(VFSPath.root, one), 'over the root', 'vfs/is-folder');
      const below = backend.write(path('/text/hello.txt/x/y'), one);
      await rejects(below, 'below a file', 'vfs/not-folder');
      equal(await backend.read(path('/text/hello.txt')), bytesOf('hello, world'), 'the file');
    },
  },
  {
    name: 'leaves one whole version when several write one file at once',
    needs: 'write',
    async run({ backend }) {
      const versions = Array.from({ length: 8 }, (_, i) => new Uint8Array(50_000).fill(i + 1));
      await Promise.all(versions.map((bytes) => backend.write(path('/race.bin'), bytes)));
      const left = await backend.read(path('/race.bin'));
      equal(left, new Uint8Array(50_000).fill(left[0] ?? 0), 'content');
    },
  },
  {
    name: 'writes nothing when the signal was aborted before',
    needs: 'write',
    async run({ backend }) {
      const signal = AbortSignal.abort(new Error('no more'));
      const [result] = await Promise.allSettled([backend.write(path('/a.txt'), one, { signal })]);
      equal(result?.status === 'rejected' && String(result.reason), 'Error: no more', 'outcome');
      await rejects(backend.stat(path('/a.txt')), 'stat', 'vfs/not-found');
    },
  },
  {
    name: 'creates folders, also nested ones and existing ones',
    needs: 'write',
    async run({ backend }) {
      await backend.createFolder(path('/x/y/z'));
      await backend.createFolder(path('/x/y'));
      await backend.createFolder(VFSPath.root);
      equal((await backend.stat(path('/x/y/z'))).kind, 'folder', 'kind');
      equal(await names(backend, '/x/y/z'), [], 'content');
      await rejects(backend.createFolder(path('/empty.bin')), 'over a file', 'vfs/not-folder');
      await rejects(backend.createFolder(path('/empty.bin/x')), 'below a file', 'vfs/not-folder');
    },
  },
  {
    name: 'removes files and empty folders, and full ones only when told',
    needs: 'write',
    async run({ backend }) {
      await backend.remove(path('/empty.bin'));
      await rejects(backend.stat(path('/empty.bin')), 'the file', 'vfs/not-found');
      await rejects(backend.remove(path('/empty.bin')), 'twice', 'vfs/not-found');
      await rejects(backend.remove(path('/none/deeper')), 'nothing', 'vfs/not-found');
      await rejects(backend.remove(path('/text')), 'a full folder', 'vfs/not-empty');
      equal(await names(backend, '/text'), ['deep/', 'hello.txt'], 'after the refusal');
      await backend.remove(path('/text'), { recursive: true });
      await rejects(backend.stat(path('/text')), 'the folder', 'vfs/not-found');
      await backend.createFolder(path('/hollow'));
      await backend.remove(path('/hollow'));
      await rejects(backend.stat(path('/hollow')), 'the empty folder', 'vfs/not-found');
    },
  },
  {
    name: 'empties its root, but keeps it',
    needs: 'write',
    async run({ backend }) {
      await rejects(backend.remove(VFSPath.root), 'without recursive', 'vfs/not-empty');
      await backend.remove(VFSPath.root, { recursive: true });
      equal(await names(backend, '/'), [], 'content');
      await backend.write(path('/a.txt'), one);
      equal(await names(backend, '/'), ['a.txt'], 'content');
    },
  },
  {
    name: 'renames a file to a free name, with the folders above it, and over another file',
    needs: 'write',
    async run({ backend }) {
      await backend.rename(path('/text/hello.txt'), path('/moved/to/here.txt'));
      equal(await backend.read(path('/moved/to/here.txt')), bytesOf('hello, world'), 'content');
      await rejects(backend.stat(path('/text/hello.txt')), 'the old name', 'vfs/not-found');
      await backend.rename(path('/moved/to/here.txt'), path('/empty.bin'));
      equal(await backend.read(path('/empty.bin')), bytesOf('hello, world'), 'replaced');
      await backend.rename(path('/empty.bin'), path('/empty.bin'));
      equal(await backend.read(path('/empty.bin')), bytesOf('hello, world'), 'to itself');
    },
  },
  {
    name: 'renames a folder with all that is in it',
    needs: 'write',
    async run({ backend }) {
      await backend.rename(path('/text'), path('/words'));
      equal(await names(backend, '/words'), ['deep/', 'hello.txt'], 'content');
      equal(await backend.read(path('/words/deep/er/than/this.txt')), bytesOf('deep'), 'deep');
      await rejects(backend.stat(path('/text')), 'the old name', 'vfs/not-found');
    },
  },
  {
    name: 'refuses a rename of nothing, into itself, and over a folder',
    needs: 'write',
    async run({ backend }) {
      const rename = (from: string, to: string): Promise<void> =>
        backend.rename(path(from), path(to));
      await rejects(rename('/none', '/b'), 'of nothing', 'vfs/not-found');
      await rejects(rename('/text', '/text/deep/inside'), 'into itself', 'vfs/unsupported');
      await rejects(rename('/', '/root'), 'of the root', 'vfs/unsupported');
      await rejects(rename('/empty.bin', '/text'), 'over a folder', 'vfs/exists');
      await rejects(rename('/text', '/empty.bin'), 'a folder over a file', 'vfs/exists');
      await rejects(rename('/text', '/odd'), 'a folder over a folder', 'vfs/exists');
      equal(await names(backend, '/text'), ['deep/', 'hello.txt'], 'afterwards');
    },
  },
  {
    name: 'writes a name once, whatever its Unicode form',
    needs: 'write',
    async run({ backend }) {
      await backend.write(path('/odd/cafe\u0301.txt'), two);
      equal(await backend.read(path('/odd/caf\u00e9.txt')), two, 'content');
      const same = (await names(backend, '/odd')).filter((name) => name.startsWith('caf'));
      equal(same.length, 1, 'names');
    },
  },
  {
    name: 'tells when a file was last written',
    needs: 'write',
    async run({ backend }) {
      await backend.write(path('/a.txt'), one);
      const { modified } = await backend.stat(path('/a.txt'));
      if (modified === undefined) return;
      equal(modified > Date.UTC(2020) && modified < Date.UTC(2100), true, `time ${modified}`);
    },
  },
  {
    name: 'reports what changes while it is watched, and nothing after',
    needs: 'watch',
    async run({ backend }) {
      if (!backend.watch || !backend.capabilities.write) return;
      const seen = new Map<string, VFSBackendChange>();
      const stop = await backend.watch((changes) => {
        // The first of each: one that was heard of twice may be told as modified once more.
        for (const change of changes) {
          if (!seen.has(change.path.key)) seen.set(change.path.key, change);
        }
      });
      await backend.write(path('/text/hello.txt'), two);
      await backend.write(path('/watched/new.txt'), one);
      await backend.remove(path('/empty.bin'));
      await until(
        () => seen.has('/watched/new.txt') && seen.has('/text/hello.txt') && seen.has('/empty.bin'),
      );
      equal(seen.get('/text/hello.txt')?.kind, 'modified', 'written');
      equal(seen.get('/watched/new.txt')?.kind, 'created', 'created');
      equal(seen.get('/empty.bin')?.kind, 'removed', 'removed');
      await stop();
      seen.clear();
      await backend.write(path('/late.txt'), one);
      await pause(50);
      equal(seen.size, 0, 'changes after the stop');
    },
  },
];

/** Native watchers report in their own time; 10 s is far more than any needs. */
async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !done(); i++) await pause(10);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
