import type { TaskPool } from '@ecliptic/core/pool';
import { systemClock } from '@ecliptic/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gltfImporter, imageImporter } from '../src/index.js';
import { createImportPool, type ImportExecutor } from '../src/pool.js';
import type { ImportRequest } from '../src/pool/import-task.js';
import { createTestEngine, linesImporter } from './engine.js';
import { everything } from './gltf-builder.js';
import { png } from './samples.js';

const worker = new URL('./fixtures/imports.worker.ts', import.meta.url);
const villain = { ...linesImporter(), name: 'villain', extensions: ['.evil'] };

describe('importing on workers', () => {
  let pool: TaskPool;
  beforeAll(() => {
    pool = createImportPool({ size: 2, worker, memoryLimit: 128 });
  });
  afterAll(() => pool.close());

  test('gives exactly what importing on this thread gives', async () => {
    const files = {
      '/m/a.gltf': everything().gltf('b%20c.bin'),
      '/m/b c.bin': everything().buffer,
      '/m/b.glb': everything().glb(),
      '/t.png': png(4, 2),
      '/l.lines': 'use /t.png\nread m/b%20c.bin\nwarn odd',
    };
    const importers = [gltfImporter(), imageImporter(), linesImporter()];
    const outcomes = await Promise.all(
      [undefined, pool].map(async (workers) => {
        // The same sidecars, so the same uuids.
        const uuid = (n: number) => `6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a1${n}`;
        const metas = Object.fromEntries(
          ['/m/a.gltf', '/m/b.glb', '/t.png', '/l.lines'].map((path, n) => [
            `${path}.meta`,
            JSON.stringify({ version: 1, uuid: uuid(n) }),
          ]),
        );
        const engine = createTestEngine({
          files: { ...files, ...metas },
          importers,
          ...(workers ? { pool: workers } : {}),
        });
        for (const path of ['/m/a.gltf', '/m/b.glb', '/l.lines'])
          void engine.coordinator.enqueue(path);
        await engine.coordinator.drain();
        const { store, registry, reports } = engine;
        const assets = [...registry].map(({ uuid: id }) => id).sort();
        const contents = await Promise.all(assets.map(async (id) => store?.load(id)));
        const byPath = reports
          .map(({ path, status, diagnostics }) => ({ path: path.text, status, diagnostics }))
          .sort((a, b) => (a.path < b.path ? -1 : 1));
        return { byPath, assets, contents };
      }),
    );
    expect(outcomes[0]?.byPath.map(({ status }) => status)).toEqual(Array(4).fill('imported'));
    expect(outcomes[0]?.contents.every((content) => content !== undefined)).toBe(true);
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  test('an importer that the workers do not have runs here', async () => {
    const ran: string[] = [];
    const own = { ...linesImporter(ran), name: 'own' };
    const { coordinator, reports } = createTestEngine({
      files: { '/a.lines': 'a' },
      importers: [own],
      pool,
    });
    void coordinator.enqueue('/a.lines');
    await coordinator.drain();
    expect(reports[0]?.status).toBe('imported');
    expect(ran).toEqual(['/a.lines']);
  });

  test('the source and what it reads are moved to the worker, not copied', async () => {
    const sent: unknown[] = [];
    const watched: ImportExecutor = {
      name: 'watched',
      run(task, input, options) {
        const { source, files } = input as ImportRequest;
        sent.push(source.buffer);
        for (const file of files) if ('bytes' in file) sent.push(file.bytes.buffer);
        return pool.run(task, input, options);
      },
    };
    const files = {
      '/a.glb': everything().glb(),
      '/b.lines': 'read c.txt\nread d.txt',
      '/c.txt': 'c',
      '/d.txt': 'd',
    };
    const importers = [gltfImporter(), linesImporter()];
    const { coordinator, reports } = createTestEngine({ files, importers, pool: watched });
    void coordinator.enqueue('/a.glb');
    void coordinator.enqueue('/b.lines');
    await coordinator.drain();
    expect(reports.map(({ status }) => status)).toEqual(['imported', 'imported']);
    // The second one asked for one file after the other: what it had was sent back, and moved again.
    expect(sent).toHaveLength(1 + 1 + 2 + 3);
    expect(new Set(sent).size).toBe(7);
    for (const buffer of sent) expect(buffer).toHaveProperty('byteLength', 0);
  });

  test('a refusal arrives with its diagnostics', async () => {
    const { coordinator } = createTestEngine({
      files: { '/a.glb': 'glTF' },
      importers: [gltfImporter()],
      pool,
    });
    const report = coordinator.enqueue('/a.glb');
    await coordinator.drain();
    expect(await report).toMatchObject({
      status: 'failed',
      diagnostics: [{ severity: 'error', code: 'assets/glb-truncated', file: '/a.glb' }],
    });
  });

  test.each([
    ['throws', 'fail', 'core/pool-task-failed'],
    ['ends its thread', 'exit', 'core/pool-worker-died'],
    ['runs out of memory', 'devour', 'core/pool-worker-died'],
  ])(
    'an importer that %s fails only its own asset, with a diagnostic (66)',
    async (_, what, code) => {
      const { coordinator, reports, registry } = createTestEngine({
        files: { '/a.evil': what, '/b.evil': 'fine' },
        importers: [villain],
        pool,
      });
      void coordinator.enqueue('/a.evil');
      void coordinator.enqueue('/b.evil');
      await coordinator.drain();
      const byPath = Object.fromEntries(reports.map((report) => [report.path.text, report]));
      expect(byPath['/b.evil']?.status).toBe('imported');
      expect(byPath['/a.evil']).toMatchObject({
        status: 'failed',
        diagnostics: [{ severity: 'error', code, file: '/a.evil' }],
      });
      expect(registry.stateOf(byPath['/a.evil']?.uuid ?? '')).toBe('failed');
    },
  );

  test('an importer that hangs is stopped at the time-out, and the next one runs (66)', async () => {
    const { coordinator, reports } = createTestEngine({
      files: { '/a.evil': 'spin', '/b.evil': 'fine' },
      importers: [villain],
      pool,
      timeout: 1_500,
      clock: systemClock(),
    });
    void coordinator.enqueue('/a.evil');
    await coordinator.drain();
    void coordinator.enqueue('/b.evil');
    await coordinator.drain();
    expect(reports).toMatchObject([
      { status: 'failed', diagnostics: [{ code: 'assets/import-timeout', file: '/a.evil' }] },
      { status: 'imported' },
    ]);
  });

  test('the worker that comes with the package serves glTF and images', async () => {
    await using own = createImportPool({ size: 1 });
    const { coordinator, reports } = createTestEngine({
      files: { '/a.glb': everything().glb(), '/b.png': png(1, 1) },
      importers: [gltfImporter(), imageImporter()],
      pool: own,
    });
    void coordinator.enqueue('/a.glb');
    void coordinator.enqueue('/b.png');
    await coordinator.drain();
    expect(reports.map(({ status }) => status)).toEqual(['imported', 'imported']);
    expect(own.stats().completed).toBe(2);
  });
});
