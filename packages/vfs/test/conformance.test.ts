import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { memoryBackend, zipBackend } from '@ecliptic/vfs';
import { CONFORMANCE_FILES, describeBackend } from '@ecliptic/vfs/conformance';
import { diskBackend } from '@ecliptic/vfs/node';
import { zipSync } from 'fflate';
import { describe, it } from 'vitest';

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
