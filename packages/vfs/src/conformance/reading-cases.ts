import { VFSPath } from '../paths/vfs-path.js';
import { drain, equal, rejects } from './check.js';
import { bytesOf, FILES, names, type ConformanceCase } from './suite-case.js';

const path = (text: string): VFSPath => VFSPath.parse(text);

/** What every backend does, over the files of {@link FILES}. */
export const READING_CASES: readonly ConformanceCase[] = [
  {
    name: 'reads a file whole, and gives the caller a copy',
    async run({ backend }) {
      const first = await backend.read(path('/text/hello.txt'));
      equal(first, bytesOf('hello, world'), 'content');
      first.fill(0);
      equal(await backend.read(path('/text/hello.txt')), bytesOf('hello, world'), 'second read');
    },
  },
  {
    name: 'reads an empty file',
    async run({ backend }) {
      equal(await backend.read(path('/empty.bin')), new Uint8Array(0), 'content');
    },
  },
  {
    name: 'reads every byte value and a file of several blocks',
    async run({ backend }) {
      equal(await backend.read(path('/bytes.bin')), FILES['/bytes.bin'], 'content');
      const large = await backend.read(path('/large.bin'));
      equal(large.length, FILES['/large.bin']?.length, 'length');
      equal(
        large.subarray(199_000, 199_010),
        FILES['/large.bin']?.subarray(199_000, 199_010),
        'bytes',
      );
    },
  },
  {
    name: 'reads a range, clipped to the end of the file',
    async run({ backend }) {
      const read = async (offset: number, length?: number): Promise<string> => {
        const range = length === undefined ? { offset } : { offset, length };
        const bytes = await backend.read(path('/text/hello.txt'), { range });
        return new TextDecoder().decode(bytes);
      };
      equal(await read(7, 5), 'world', 'inside');
      equal(await read(7), 'world', 'to the end');
      equal(await read(7, 500), 'world', 'beyond the end');
      equal(await read(12, 3), '', 'at the end');
      equal(await read(500, 3), '', 'after the end');
      equal(await read(3, 0), '', 'of length 0');
    },
  },
  {
    name: 'refuses a range that is negative or not whole',
    async run({ backend }) {
      for (const range of [
        { offset: -1 },
        { offset: 0.5 },
        { offset: 0, length: -1 },
        { offset: NaN },
      ]) {
        const read = backend.read(path('/text/hello.txt'), { range });
        await rejects(read, `range ${range.offset} + ${range.length}`, 'vfs/range-invalid');
      }
    },
  },
  {
    name: 'streams a file, a range of it, and an empty one',
    async run({ backend }) {
      if (!backend.readStream) return;
      const large = await backend.readStream(path('/large.bin'));
      equal((await drain(large)).length, FILES['/large.bin']?.length, 'length');
      const range = { offset: 7, length: 3 };
      const part = await backend.readStream(path('/text/hello.txt'), { range });
      equal(await drain(part), bytesOf('wor'), 'range');
      equal(await drain(await backend.readStream(path('/empty.bin'))), new Uint8Array(0), 'empty');
      const cancelled = await backend.readStream(path('/large.bin'));
      await cancelled.cancel();
    },
  },
  {
    name: 'tells kind and size',
    async run({ backend }) {
      const { kind, size } = await backend.stat(path('/text/hello.txt'));
      equal(kind, 'file', 'kind');
      if (size !== undefined) equal(size, 12, 'size');
      if (!backend.capabilities.list) return;
      equal((await backend.stat(path('/text'))).kind, 'folder', 'kind of a folder');
      equal((await backend.stat(VFSPath.root)).kind, 'folder', 'kind of the root');
    },
  },
  {
    name: 'says not-found for what is not there, by any way of asking',
    async run({ backend }) {
      for (const text of ['/none', '/none/deeper', '/text/none', '/text/hello.txt/below']) {
        await rejects(backend.stat(path(text)), `stat ${text}`, 'vfs/not-found');
        await rejects(backend.read(path(text)), `read ${text}`, 'vfs/not-found');
        if (backend.readStream) {
          await rejects(backend.readStream(path(text)), `stream ${text}`, 'vfs/not-found');
        }
        if (backend.capabilities.list) {
          await rejects(backend.list(path(text)), `list ${text}`, 'vfs/not-found');
        }
      }
    },
  },
  {
    name: 'does not take a prefix of a name for the name',
    async run({ backend }) {
      await rejects(backend.stat(path('/tex')), 'stat', 'vfs/not-found');
      await rejects(backend.read(path('/text/hello')), 'read', 'vfs/not-found');
    },
  },
  {
    name: 'keeps names apart that differ in case only, or says that they are not there',
    async run({ backend }) {
      await rejects(backend.read(path('/text/HELLO-NOT.TXT')), 'read', 'vfs/not-found');
    },
  },
  {
    name: 'takes names with spaces, percent signs, symbols and leading dots as they are',
    async run({ backend }) {
      for (const text of [
        '/odd/a b+c#d?.txt',
        '/odd/100%25.txt',
        '/odd/❤♻.txt',
        '/odd/..dots.txt',
      ]) {
        equal(await backend.read(path(text)), bytesOf(text), text);
      }
    },
  },
  {
    name: 'finds a name by its composed and its decomposed form',
    async run({ backend }) {
      equal(await backend.read(path('/odd/caf\u00e9.txt')), bytesOf('café'), 'composed');
      equal(await backend.read(path('/odd/cafe\u0301.txt')), bytesOf('café'), 'decomposed');
    },
  },
  {
    name: 'lists a folder, each name once, with kinds',
    needs: 'list',
    async run({ backend }) {
      equal(
        await names(backend, '/'),
        ['bytes.bin', 'empty.bin', 'large.bin', 'odd/', 'text/'],
        'root',
      );
      equal(await names(backend, '/text'), ['deep/', 'hello.txt'], '/text');
      equal(await names(backend, '/text/deep'), ['er/'], '/text/deep');
    },
  },
  {
    name: 'says not-folder when a file is listed, and is-folder when a folder is read',
    needs: 'list',
    async run({ backend }) {
      await rejects(backend.list(path('/empty.bin')), 'list', 'vfs/not-folder');
      await rejects(backend.read(path('/text')), 'read', 'vfs/is-folder');
      await rejects(backend.read(VFSPath.root), 'read the root', 'vfs/is-folder');
    },
  },
  {
    name: 'rejects with the reason of a signal that was aborted before',
    async run({ backend }) {
      const signal = AbortSignal.abort(new Error('no more'));
      const calls: Promise<unknown>[] = [
        backend.read(path('/text/hello.txt'), { signal }),
        backend.stat(path('/text/hello.txt'), { signal }),
      ];
      if (backend.capabilities.list) calls.push(backend.list(VFSPath.root, { signal }));
      for (const result of await Promise.allSettled(calls)) {
        equal(result.status === 'rejected' && String(result.reason), 'Error: no more', 'outcome');
      }
    },
  },
  {
    name: 'serves many reads at once',
    async run({ backend }) {
      const reads = Array.from({ length: 200 }, (_, i) =>
        backend.read(path(i % 2 === 0 ? '/text/hello.txt' : '/bytes.bin')),
      );
      const lengths = (await Promise.all(reads)).map(({ length }) => length);
      equal(
        lengths,
        Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 12 : 256)),
        'lengths',
      );
    },
  },
  {
    name: 'refuses changes when it is read-only',
    async run({ backend }) {
      if (backend.capabilities.write) return;
      const at = path('/text/hello.txt');
      await rejects(backend.write(at, new Uint8Array(1)), 'write', 'vfs/read-only');
      await rejects(backend.remove(at), 'remove', 'vfs/read-only');
      await rejects(backend.rename(at, path('/b')), 'rename', 'vfs/read-only');
      await rejects(backend.createFolder(path('/c')), 'createFolder', 'vfs/read-only');
    },
  },
];
