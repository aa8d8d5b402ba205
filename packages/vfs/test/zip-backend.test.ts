import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  fileSource,
  memoryBackend,
  VFSContext,
  VFSError,
  VFSPath,
  zipBackend,
  type VFSBackend,
  type ZipProblem,
} from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { corpus, hasCorpus } from './corpus.js';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const path = (of: string): VFSPath => VFSPath.parse(of);

/** Every path of a backend, folders with a `/` behind. */
async function tree(backend: VFSBackend, at = VFSPath.root): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await backend.list(at)) {
    const own = at.child(name);
    found.push(own.text + (kind === 'folder' ? '/' : ''));
    if (kind === 'folder') found.push(...(await tree(backend, own)));
  }
  return found.sort();
}

/** What reading every file gives: how many bytes, or the code of the error. */
async function readAll(backend: VFSBackend): Promise<Record<string, number | string>> {
  const outcome: Record<string, number | string> = {};
  for (const each of await tree(backend)) {
    if (each.endsWith('/')) continue;
    try {
      outcome[each] = (await backend.read(path(each))).length;
    } catch (error) {
      outcome[each] = VFSError.is(error) ? error.code : String(error);
    }
  }
  return outcome;
}

describe('an archive', () => {
  it('is served from bytes, from a blob, and from a file of a context', async () => {
    const bytes = zipSync({ a: text('aa'), 'd/b': [text('bbbb'), { level: 0 }] });
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { '/pack.zip': bytes } }));
    for (const source of [
      bytes,
      new Blob([bytes as Uint8Array<ArrayBuffer>]),
      fileSource(vfs, '/pack.zip'),
    ]) {
      const backend = zipBackend(source);
      expect(await readAll(backend)).toEqual({ '/a': 2, '/d/b': 4 });
    }
    vfs.mount('/inside', zipBackend(fileSource(vfs, '/pack.zip')));
    expect(await vfs.readText('/inside/d/b', { range: { offset: 1, length: 2 } })).toBe('bb');
  });

  it('is opened by reading its end only', async () => {
    const bytes = zipSync({
      'big.bin': [new Uint8Array(1_000_000), { level: 0 }],
      small: text('s'),
    });
    let read = 0;
    const backend = zipBackend({
      size: async () => bytes.length,
      read: async (offset, length) => {
        read += length;
        return bytes.slice(offset, offset + length);
      },
    });
    await backend.list(VFSPath.root);
    expect(read).toBeLessThan(200_000);
    expect(await backend.read(path('/small'))).toEqual(text('s'));
    expect(read).toBeLessThan(200_000);
  });

  it('is tried again when its source failed, and not when it is broken', async () => {
    const bytes = zipSync({ a: text('a') });
    let calls = 0;
    const flaky = zipBackend({
      size: async () => bytes.length,
      read: async (offset, length) => {
        if (calls++ === 0) throw new VFSError('vfs/network', 'no cable');
        return bytes.slice(offset, offset + length);
      },
    });
    await expect(flaky.list(VFSPath.root)).rejects.toMatchObject({ code: 'vfs/network' });
    expect(await tree(flaky)).toEqual(['/a']);
    const broken = zipBackend(text('PK is what it begins with'));
    await expect(broken.list(VFSPath.root)).rejects.toMatchObject({ code: 'vfs/corrupt' });
    await expect(broken.read(path('/a'))).rejects.toMatchObject({ code: 'vfs/corrupt' });
  });

  it('any files come back as they were packed', async () => {
    const name = fc.stringMatching(/^[a-zé ❤.]{1,8}$/).filter((each) => !/^\.+$/.test(each));
    const files = fc.dictionary(name, fc.uint8Array({ maxLength: 2_000 }), { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const unique = new Map(
          Object.entries(given).map(([key, value]) => [key.normalize('NFC'), value]),
        );
        const backend = zipBackend(zipSync(Object.fromEntries(unique)));
        for (const [key, value] of unique) expect(await backend.read(path(key))).toEqual(value);
        expect(await backend.list(VFSPath.root)).toHaveLength(unique.size);
      }),
    );
  });

  it('an entry that unpacks to more than it says is refused before it fills the memory', async () => {
    const huge = new Uint8Array(4_000_000);
    const bytes = zipSync({ bomb: huge });
    // Says 1,000 bytes, in the directory and in the header.
    const view = new DataView(bytes.buffer);
    const directory = bytes.lastIndexOf(0x50, bytes.length - 23);
    for (let at = directory; at >= 0; at--) {
      if (view.getUint32(at, true) === 0x02014b50) {
        view.setUint32(at + 24, 1_000, true);
        break;
      }
    }
    view.setUint32(22, 1_000, true);
    await expect(zipBackend(bytes).read(path('/bomb'))).rejects.toMatchObject({
      code: 'vfs/corrupt',
    });
    const limited = zipBackend(zipSync({ bomb: huge }), { maxFileBytes: 1_000_000 });
    await expect(limited.read(path('/bomb'))).rejects.toMatchObject({ code: 'vfs/too-large' });
    const many = zipBackend(zipSync({ a: text(''), b: text('') }), { maxEntries: 1 });
    await expect(many.list(VFSPath.root)).rejects.toMatchObject({ code: 'vfs/too-large' });
  });

  it('a stream that is cut off or altered ends in an error', async () => {
    const content = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i) % 251);
    const bytes = zipSync({ a: [content, { level: 0 }] });
    bytes[50_000] = (bytes[50_000] ?? 0) ^ 1;
    const stream = await zipBackend(bytes).readStream?.(path('/a'));
    await expect(new Response(stream).arrayBuffer()).rejects.toMatchObject({ code: 'vfs/corrupt' });
  });

  it('any byte that is changed gives an error or the right content, and no crash', async () => {
    const files = {
      'a.txt': text('hello hello hello hello'),
      'd/b.bin': Uint8Array.from({ length: 300 }, (_, i) => i),
    };
    const bytes = zipSync(files);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const altered = bytes.slice();
          altered[at] = (altered[at] ?? 0) ^ change;
          const backend = zipBackend(altered);
          for (const [name, content] of Object.entries(files)) {
            try {
              expect(await backend.read(path(name))).toEqual(content);
            } catch (error) {
              if (!VFSError.is(error)) throw error;
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('times without a zone are UTC', async () => {
    const bytes = zipSync({ a: [text('a'), { mtime: new Date(2020, 4, 6, 7, 8, 10) }] });
    expect((await zipBackend(bytes).stat(path('/a'))).modified).toBe(
      Date.UTC(2020, 4, 6, 7, 8, 10),
    );
  });
});

describe.skipIf(!hasCorpus)('the corpus of archives', () => {
  const ok = (
    files: Record<string, number | string>,
    ...problems: ZipProblem['reason'][]
  ): unknown => ({
    files,
    problems,
  });
  const expected: Record<string, unknown> = {
    'plain.zip': ok({ '/a.txt': 1, '/dir/b.txt': 1, '/dir/sub/c.bin': 256 }),
    'stored.zip': ok({ '/a.txt': 100, '/b.bin': 1_000 }),
    'slip-dotdot.zip': ok({ '/ok.txt': 2 }, 'name-leads-out'),
    'slip-deep.zip': ok({}, 'name-leads-out'),
    'slip-backslash.zip': ok({}, 'name-leads-out', 'name-not-legal'),
    'slip-drive.zip': ok({}, 'name-leads-out', 'name-leads-out'),
    'symlink.zip': ok({ '/ok.txt': 2 }, 'link'),
    'duplicates.zip': ok({ '/a.txt': 6 }, 'duplicate'),
    'nfc-nfd.zip': ok({ '/cafe\u0301.txt': 3 }, 'duplicate'),
    'unicode.zip': ok({ '/日本語/テスト.txt': 1, '/❤♻.png': 1, '/emoji-👩‍🚀.txt': 1 }),
    // Not said to be UTF-8: code page 437, where 0xff is a hard space.
    'invalid-utf8-name.zip': ok({ '/caf\u00a0.txt': 1 }),
    'nul-name.zip': ok({}, 'name-not-legal'),
    'bomb-10mb.zip': ok({ '/zeros.bin': 10_000_000 }),
    'trailing-junk.zip': ok({ '/a.txt': 50, '/b.txt': 50 }),
    'leading-junk.zip': ok({ '/a.txt': 50, '/b.txt': 50 }),
    'truncated-half.zip': 'vfs/corrupt',
    'empty-archive.zip': ok({}),
    'not-a-zip.zip': 'vfs/corrupt',
    'crc-mismatch.zip': ok({ '/a.txt': 'vfs/corrupt' }),
    'unknown-method.zip': ok({ '/a.txt': 'vfs/unsupported' }),
    'lfh-cd-name-mismatch.zip': ok({ '/real.txt': 1 }),
    'size-lies.zip': ok({ '/a.txt': 'vfs/corrupt', '/b.txt': 50 }, 'impossible-size'),
    'overlap.zip': ok({ '/a.txt': 'vfs/corrupt', '/b.txt': 'vfs/corrupt' }, 'overlap', 'overlap'),
    'data-descriptor.zip': ok({ '/s.txt': 90 }),
    'long-name.zip': ok({}, 'name-not-legal', 'name-not-legal'),
  };

  it('has an expectation for every case', () => {
    const cases = readdirSync(join(corpus, 'zip')).filter((name) => name !== 'many-10k.zip');
    expect(cases.sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))('%s', async (name, outcome) => {
    const problems: ZipProblem['reason'][] = [];
    const backend = zipBackend(readFileSync(join(corpus, 'zip', name)), {
      onProblem: ({ reason }) => problems.push(reason),
    });
    let got: unknown;
    try {
      got = { files: await readAll(backend), problems };
    } catch (error) {
      got = VFSError.is(error) ? error.code : error;
    }
    expect(got).toEqual(outcome);
  });

  it('many-10k.zip has 10,000 files, from disk too', async () => {
    const vfs = new VFSContext();
    vfs.mount('/disk', diskBackend(join(corpus, 'zip')));
    vfs.mount('/zip', zipBackend(fileSource(vfs, '/disk/many-10k.zip')));
    const found = await tree(zipBackend(fileSource(vfs, '/disk/many-10k.zip')));
    expect(found.filter((each) => !each.endsWith('/'))).toHaveLength(10_000);
    expect(await vfs.readFile('/zip/d1/f1.txt')).toHaveLength(1);
  });
});
