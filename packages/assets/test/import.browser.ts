import { describe, expect, test } from 'vitest';
import { environmentImporter, gltfImporter, imageImporter } from '../src/index.js';
import { createImportPool } from '../src/pool.js';
import { createTestEngine } from './engine.js';
import { everything } from './gltf-builder.js';
import { png } from './samples.js';

const files = {
  '/a.gltf': everything().gltf('a.bin'),
  '/a.bin': everything().buffer,
  '/b.glb': everything().glb(),
  '/c.png': png(4, 4),
};
const importers = [gltfImporter(), imageImporter(), environmentImporter()];

describe('in a browser', () => {
  test.each(['this thread', 'a worker'])(
    'files are imported, cooked and loaded on %s',
    async (where) => {
      await using pool = createImportPool({ size: 1 });
      const engine = createTestEngine({
        files,
        importers,
        ...(where === 'a worker' ? { pool } : {}),
      });
      for (const path of ['/a.gltf', '/b.glb', '/c.png']) void engine.coordinator.enqueue(path);
      await engine.coordinator.drain();
      expect(engine.reports.map(({ status, diagnostics }) => [status, diagnostics])).toEqual(
        Array.from({ length: 3 }, () => ['imported', []]),
      );
      expect(pool.stats().completed).toBe(where === 'a worker' ? 3 : 0);
      const mesh = engine.registry.ofType('mesh')[0]?.uuid ?? '';
      engine.manager?.evictUnused();
      expect(await engine.manager?.acquire(mesh)).toMatchObject({
        type: 'mesh',
        data: { vertexCount: 6, name: 'quad' },
      });
    },
  );
});
