import {
  httpBackend,
  memoryBackend,
  overlayBackend,
  VFSContext,
  VFSPath,
  VFSScanner,
  zipBackend,
} from '@ecliptic/vfs';
import { opfsBackend } from '@ecliptic/vfs/browser';
import { CONFORMANCE_FILES, describeBackend, type SuiteRunner } from '@ecliptic/vfs/conformance';
import { zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';

/** Titles say which behaviour it is. */
const runner: SuiteRunner = {
  describe: (name, body) =>
    describe(`every backend passes one exported conformance suite (60): ${name}`, () => {
      body();
    }),
  it,
};

const packed = (): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(CONFORMANCE_FILES).map(([path, bytes]) => [path.slice(1), bytes]),
    ),
  );

let folders = 0;

describeBackend(runner, 'opfs', async () => {
  const folder = `conformance-${folders++}`;
  const backend = opfsBackend({ folder });
  for (const [path, bytes] of Object.entries(CONFORMANCE_FILES)) {
    await backend.write(VFSPath.parse(path), bytes);
  }
  return {
    backend,
    async dispose() {
      await (await navigator.storage.getDirectory()).removeEntry(folder, { recursive: true });
    },
  };
});

describeBackend(runner, 'memory', async () => ({
  backend: memoryBackend({ files: CONFORMANCE_FILES }),
}));

describeBackend(runner, 'zip', async () => ({ backend: zipBackend(packed()) }));

describeBackend(runner, 'zip, from a blob', async () => ({
  backend: zipBackend(new Blob([packed() as Uint8Array<ArrayBuffer>])),
}));

describeBackend(runner, 'overlay of opfs over zip', async () => {
  const folder = `overlay-${folders++}`;
  const upper = opfsBackend({ folder });
  await upper.createFolder(VFSPath.root);
  return {
    backend: overlayBackend(upper, zipBackend(packed())),
    async dispose() {
      await (await navigator.storage.getDirectory()).removeEntry(folder, { recursive: true });
    },
  };
});

// The test server serves the suite's files there: see vitest.browser.config.ts.
const served = new URL('/conformance/', location.href);

describeBackend(runner, 'http, with a list of files', async () => ({
  backend: httpBackend(served, { files: Object.keys(CONFORMANCE_FILES) }),
}));

describeBackend(runner, 'http, without', async () => ({ backend: httpBackend(served) }));

describe('in a browser', () => {
  it('httpBackend reads what the page itself is served from', async () => {
    const backend = httpBackend(new URL('/', location.href));
    const own = VFSPath.parse(new URL(import.meta.url).pathname);
    const bytes = await backend.read(own);
    expect(new TextDecoder().decode(bytes)).toContain('describeBackend');
    expect(await backend.read(own, { range: { offset: 0, length: 10 } })).toEqual(
      bytes.slice(0, 10),
    );
  });

  it('a context over the browser keeps files from one to the next', async () => {
    const folder = `kept-${folders++}`;
    const first = new VFSContext();
    first.mount('/saves', opfsBackend({ folder }));
    await first.writeFile('/saves/a/b.txt', 'kept');
    await first.dispose();
    const second = new VFSContext();
    second.mount('/saves', opfsBackend({ folder }));
    expect(await second.readText('/saves/a/b.txt')).toBe('kept');
    const { entries } = await new VFSScanner(second).scan('/');
    expect([...entries.keys()].sort()).toEqual(['/saves', '/saves/a', '/saves/a/b.txt']);
    await second.dispose();
  });

  it('a write that is aborted leaves the old file', async () => {
    const backend = opfsBackend({ folder: `abort-${folders++}` });
    const path = VFSPath.parse('/a');
    await backend.write(path, Uint8Array.of(1));
    const controller = new AbortController();
    const write = backend.write(path, new Uint8Array(5_000_000), { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(write).rejects.toThrow('enough');
    expect(await backend.read(path)).toEqual(Uint8Array.of(1));
  });

  it('a write that can not begin leaves no empty file', async () => {
    const backend = opfsBackend({ folder: `full-${folders++}` });
    const full = vi
      .spyOn(FileSystemFileHandle.prototype, 'createWritable')
      .mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    const write = backend.write(VFSPath.parse('/a'), Uint8Array.of(1));
    await expect(write).rejects.toMatchObject({ code: 'vfs/no-space' });
    full.mockRestore();
    expect(await backend.list(VFSPath.root)).toEqual([]);
  });
});
