import { memoryBackend, VFSContext, VFSPath, type VFSBackend } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import { decodeArtifact } from '../src/artifacts.js';
import { gltfImporter, parseMeta } from '../src/index.js';
import { createTestEngine, linesImporter } from './engine.js';
import { everything } from './gltf-builder.js';

/** A process that ends at its `last` change of the files; what it was writing to the cache is half there. */
function endingProcess(project: VFSBackend, cache: VFSBackend, last: number) {
  let changes = 0;
  const ended = new Error('the process ended');
  const isOver = (): boolean => changes++ >= last;
  const ending = (backend: VFSBackend, tears: boolean): VFSBackend => ({
    name: backend.name,
    capabilities: backend.capabilities,
    stat: (path) => backend.stat(path),
    list: (path) => backend.list(path),
    read: (path, options) => backend.read(path, options),
    async write(path, bytes, options) {
      const wasOver = changes > last;
      if (!isOver()) return backend.write(path, bytes, options);
      if (tears && !wasOver) await backend.write(path, bytes.slice(0, bytes.length / 2), options);
      throw ended;
    },
    createFolder: (path, options) => backend.createFolder(path, options),
    remove: async (path, options) => {
      if (isOver()) throw ended;
      await backend.remove(path, options);
    },
    rename: (from, to, options) => backend.rename(from, to, options),
  });
  const vfs = new VFSContext();
  vfs.mount('/', ending(project, false));
  vfs.mount('/.cache', ending(cache, true));
  return { vfs, changes: () => changes };
}

const importers = [gltfImporter(), linesImporter()];
const SOURCES = ['/a.glb', '/b.lines'];

async function importAll(vfs: VFSContext): Promise<readonly string[]> {
  const engine = createTestEngine({ vfs, importers, withManager: false });
  for (const path of SOURCES) void engine.coordinator.enqueue(path);
  await engine.coordinator.drain();
  return engine.reports.map(({ status }) => status);
}

async function filesIn(vfs: VFSContext, folder: VFSPath): Promise<VFSPath[]> {
  const found: VFSPath[] = [];
  if (!(await vfs.exists(folder))) return found;
  for (const { path, kind } of await vfs.list(folder)) {
    if (kind === 'folder') found.push(...(await filesIn(vfs, path)));
    else found.push(path);
  }
  return found;
}

describe('a process that ends while it cooks', () => {
  test.each([
    ['that never imported', false],
    ['whose sources have changed', true],
  ])('leaves a project %s whole, at whatever write it ends', async (_, isKnown) => {
    let isWhole = false;
    for (let last = 0; !isWhole; last++) {
      expect(last).toBeLessThan(60);
      const files = { '/a.glb': everything().glb(), '/b.lines': 'b' };
      const project = memoryBackend({ files });
      const cache = memoryBackend();
      const restarted = new VFSContext();
      restarted.mount('/', project);
      restarted.mount('/.cache', cache);
      if (isKnown) {
        await importAll(restarted);
        await restarted.writeFile('/b.lines', 'changed');
      }
      const { vfs, changes } = endingProcess(project, cache, last);
      const before = await importAll(vfs);
      isWhole = changes() <= last;
      expect(before.includes('failed')).toBe(!isWhole);

      const after = await importAll(restarted);
      expect(after).not.toContain('failed');
      const artifacts = await filesIn(restarted, VFSPath.parse('/.cache/artifacts'));
      expect(artifacts.length).toBeGreaterThanOrEqual(7);
      for (const path of artifacts) decodeArtifact(await restarted.readFile(path));
      expect(await filesIn(restarted, VFSPath.parse('/.cache/journal'))).toEqual([]);
      for (const path of SOURCES) {
        const { sourceHash, artifacts: listed } = parseMeta(
          await restarted.readFile(`${path}.meta`),
          path,
        );
        const source = await crypto.subtle.digest(
          'SHA-256',
          (await restarted.readFile(path)) as Uint8Array<ArrayBuffer>,
        );
        expect(sourceHash).toBe(Buffer.from(source).toString('hex'));
        expect(listed?.some(({ key }) => key === '')).toBe(true);
      }
      // And a start after that has nothing to do.
      expect(await importAll(restarted)).toEqual(['unchanged', 'unchanged']);
      await restarted.dispose();
    }
  });
});
