import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { httpBackend, memoryBackend, overlayBackend, VFSPath, zipBackend } from '@ecliptic/vfs';
import { CONFORMANCE_FILES, describeBackend, type SuiteRunner } from '@ecliptic/vfs/conformance';
import { diskBackend } from '@ecliptic/vfs/node';
import { zipSync } from 'fflate';
import { describe, it } from 'vitest';
import { serve } from './http-server.js';

/** Titles say which behaviour it is. */
const runner: SuiteRunner = {
  describe: (name, body) =>
    describe(`every backend passes one exported conformance suite (60): ${name}`, () => {
      body();
    }),
  it,
};

describeBackend(runner, 'memory', async () => ({
  backend: memoryBackend({ files: CONFORMANCE_FILES }),
}));

for (const blocking of [false, true]) {
  describeBackend(runner, blocking ? 'disk, blocking' : 'disk', async () => {
    const root = await mkdtemp(join(tmpdir(), 'vfs-'));
    for (const [path, bytes] of Object.entries(CONFORMANCE_FILES)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), bytes);
    }
    const backend = diskBackend(root, { blocking });
    return {
      backend,
      async dispose() {
        await backend.dispose?.();
        await rm(root, { recursive: true });
      },
    };
  });
}

describeBackend(runner, 'zip', async () => {
  const files = Object.entries(CONFORMANCE_FILES).map(([path, bytes]) => [path.slice(1), bytes]);
  return { backend: zipBackend(zipSync(Object.fromEntries(files) as Record<string, Uint8Array>)) };
});

describeBackend(runner, 'http, with a list of files', async () => {
  const server = await serve(CONFORMANCE_FILES);
  const backend = httpBackend(server.url, { files: Object.keys(CONFORMANCE_FILES) });
  return { backend, dispose: () => server.close() };
});

describeBackend(runner, 'http, without', async () => {
  const server = await serve(CONFORMANCE_FILES);
  return { backend: httpBackend(server.url), dispose: () => server.close() };
});

describeBackend(runner, 'overlay, all below', async () => ({
  backend: overlayBackend(memoryBackend(), memoryBackend({ files: CONFORMANCE_FILES })),
}));

describeBackend(runner, 'overlay, all above', async () => ({
  backend: overlayBackend(memoryBackend({ files: CONFORMANCE_FILES }), memoryBackend()),
}));

describeBackend(runner, 'overlay, mixed and with older files below', async () => {
  const [upper, lower] = [memoryBackend(), memoryBackend()];
  for (const [index, [path, bytes]] of Object.entries(CONFORMANCE_FILES).entries()) {
    if (index % 2 === 0) await upper.write(VFSPath.parse(path), bytes);
    await lower.write(VFSPath.parse(path), index % 2 === 0 ? new Uint8Array(7) : bytes);
  }
  return { backend: overlayBackend(upper, lower) };
});
