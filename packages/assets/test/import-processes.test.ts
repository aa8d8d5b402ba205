import { describe, expect, test } from 'vitest';
import { gltfImporter } from '../src/index.js';
import { createImportProcesses } from '../src/node.js';
import { createTestEngine, linesImporter } from './engine.js';
import { everything } from './gltf-builder.js';

const importers = new URL('./fixtures/process-importers.ts', import.meta.url);
const villain = { ...linesImporter(), name: 'villain', extensions: ['.evil'] };

describe('importing in processes', () => {
  test('gives assets, with what they read and refer to', async () => {
    await using pool = createImportProcesses({ size: 1 });
    const engine = createTestEngine({
      files: { '/a.gltf': everything().gltf('a.bin'), '/a.bin': everything().buffer },
      importers: [gltfImporter()],
      pool,
    });
    const here = createTestEngine({ vfs: engine.vfs, importers: [gltfImporter()] });
    void engine.coordinator.enqueue('/a.gltf');
    await engine.coordinator.drain();
    expect(engine.reports.map(({ status }) => status)).toEqual(['imported']);
    void here.coordinator.enqueue('/a.gltf', { force: true });
    await here.coordinator.drain();
    for (const { uuid } of here.registry) {
      expect(await engine.store?.load(uuid)).toEqual(await here.store?.load(uuid));
    }
  });

  test('one that dies or hangs fails only its own asset, and the next gets a new process (66)', async () => {
    await using pool = createImportProcesses({ size: 1, importers, importsPerProcess: 2 });
    const { coordinator, reports } = createTestEngine({
      files: {
        '/abort.evil': 'abort',
        '/fail.evil': 'fail',
        '/spin.evil': 'spin',
        '/fine.evil': 'fine',
      },
      importers: [villain],
      pool,
      timeout: 3_000,
    });
    for (const name of ['abort', 'fail', 'spin', 'fine']) {
      void coordinator.enqueue(`/${name}.evil`);
      await coordinator.drain();
    }
    expect(reports.map(({ status, diagnostics }) => [status, diagnostics[0]?.code])).toEqual([
      ['failed', 'assets/import-process-died'],
      ['failed', 'assets/importer-threw'],
      ['failed', 'assets/import-timeout'],
      ['imported', undefined],
    ]);
  });

  test('closing ends what runs; afterwards nothing can be imported', async () => {
    const pool = createImportProcesses({ size: 1, importers });
    const request = {
      importer: 'villain',
      path: '/a.evil',
      uuid: '6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11',
      settings: {},
      source: new TextEncoder().encode('fine'),
      files: [],
      references: [],
    };
    expect(await pool.run('import', request)).toMatchObject({ kind: 'done' });
    const running = pool.run('import', { ...request, source: new TextEncoder().encode('spin') });
    const outcome = Promise.allSettled([running]);
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    expect(await outcome).toMatchObject([{ reason: { code: 'assets/import-process-died' } }]);
    await expect(pool.run('import', request)).rejects.toMatchObject({ code: 'assets/disposed' });
  });
});
