import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageImporter } from '@ecliptic/assets';
import { diskBackend } from '@ecliptic/vfs/node';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEngine } from '../src/index.js';
import { nodePlatform } from '../src/node.js';
import { ASSET_MANAGER, ASSET_REGISTRY, assets, vfs, VFS } from '../src/plugins.js';

const IMAGE = new URL('../assets/textures/fallback.png', import.meta.url);
/** Another PNG, of 8 × 4 pixels. */
const WIDER =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAECAYAAACzzX7wAAAAEklEQVR4nGPg5GD/jw8z0F4BANCsIuEjAci4AAAAAElFTkSuQmCC';

let project = '';
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'ecliptic-project-'));
});
afterEach(() => rm(project, { recursive: true }));

test('a project on disk is scanned, imported, and imported again when a file changes, while frames run', async () => {
  const image = await readFile(IMAGE);
  await writeFile(join(project, 'rock.png'), image);
  const engine = createEngine({
    platform: nodePlatform({ signals: [] }),
    mounts: [{ at: '/', backend: diskBackend(project) }],
    plugins: [vfs(), assets([imageImporter()], { scan: true, cache: '/.cache' })],
  });
  await engine.initialize();
  const running = engine.run();
  const textureAt = (path: string) => {
    const asset = engine.get(ASSET_REGISTRY).atPath(path)[0];
    return asset && engine.get(ASSET_MANAGER).get(asset.uuid, 'texture');
  };
  await vi.waitFor(() => expect(textureAt('/rock.png')?.width).toBe(4), { timeout: 60_000 });
  expect(textureAt('/Ecliptic/textures/fallback.png') === undefined).toBe(true);
  // Sidecars are written while the game runs.
  const wanted = ['.cache', 'rock.png', 'rock.png.meta'];
  await vi.waitFor(async () => expect(await readdir(project)).toEqual(wanted), { timeout: 60_000 });
  expect(await engine.get(VFS).readFile('/Ecliptic/textures/fallback.png')).toHaveLength(75);

  await writeFile(join(project, 'rock.png'), Buffer.from(WIDER, 'base64'));
  await vi.waitFor(() => expect(textureAt('/rock.png')?.width).toBe(8), { timeout: 60_000 });
  engine.requestClose();
  await running;
  await engine.shutdown();
});
