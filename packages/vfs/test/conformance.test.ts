import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { httpBackend, memoryBackend, overlayBackend, VFSPath, zipBackend } from '@ecliptic/vfs';
import { CONFORMANCE_FILES, describeBackend } from '@ecliptic/vfs/conformance';
import { diskBackend } from '@ecliptic/vfs/node';
import { zipSync } from 'fflate';
import { describe, it } from 'vitest';
import { serve } from './http-server.js';

// Every backend passes one exported conformance suite. (60)

describeBackend({ describe, it }, 'memory', async () => ({
  backend: memoryBackend({ files: CONFORMANCE_FILES }),
}));

describeBackend({ describe, it }, 'disk', async () => {
  const root = await mkdtemp(join(tmpdir(), 'vfs-'));
  for (const [path, bytes] of Object.entries(CONFORMANCE_FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
  const backend = diskBackend(root);
  return {
    backend,
    async dispose() {
      await backend.dispose?.();
      await rm(root, { recursive: true });
    },
  };
});

describeBackend({ describe, it }, 'zip', async () => {
  const files = Object.entries(CONFORMANCE_FILES).map(([path, bytes]) => [path.slice(1), bytes]);
  return { backend: zipBackend(zipSync(Object.fromEntries(files) as Record<string, Uint8Array>)) };
});

describeBackend({ describe, it }, 'http, with a list of files', async () => {
  const server = await serve(CONFORMANCE_FILES);
  const backend = httpBackend(server.url, { files: Object.keys(CONFORMANCE_FILES) });
  return { backend, dispose: () => server.close() };
});

describeBackend({ describe, it }, 'http, without', async () => {
  const server = await serve(CONFORMANCE_FILES);
  return { backend: httpBackend(server.url), dispose: () => server.close() };
});

describeBackend({ describe, it }, 'overlay, all below', async () => ({
  backend: overlayBackend(memoryBackend(), memoryBackend({ files: CONFORMANCE_FILES })),
}));

describeBackend({ describe, it }, 'overlay, all above', async () => ({
  backend: overlayBackend(memoryBackend({ files: CONFORMANCE_FILES }), memoryBackend()),
}));

describeBackend({ describe, it }, 'overlay, mixed and with older files below', async () => {
  const [upper, lower] = [memoryBackend(), memoryBackend()];
  for (const [index, [path, bytes]] of Object.entries(CONFORMANCE_FILES).entries()) {
    if (index % 2 === 0) await upper.write(VFSPath.parse(path), bytes);
    await lower.write(VFSPath.parse(path), index % 2 === 0 ? new Uint8Array(7) : bytes);
  }
  return { backend: overlayBackend(upper, lower) };
});
