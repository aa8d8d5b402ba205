import { memoryBackend, VFSContext } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import type { Importer } from '../src/index.js';
import { createTestEngine, linesImporter } from './engine.js';

const SECOND = 1_000_000_000;

/** Lets everything that can run without time or ticks run. */
async function rest(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    // Files are hashed on the thread pool: what was asked for before this one is done after it.
    await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  }
}

/** Turns the event loop until `condition` holds; the test's time-out is the limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the queue', () => {
  test('no more are under way than `concurrency`, and what waits is not counted', async () => {
    const files: Record<string, string> = {};
    for (let i = 0; i < 9; i++) {
      files[`/a${i}.lines`] = `use /b${i}.lines`;
      files[`/b${i}.lines`] = 'b';
    }
    let running = 0;
    let most = 0;
    const inner = linesImporter();
    const importer: Importer = {
      ...inner,
      async import(context) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return inner.import(context);
      },
    };
    const options = { dispatchPerTick: 99, concurrency: 2 };
    const { coordinator, reports } = createTestEngine({ files, importers: [importer], ...options });
    for (let i = 0; i < 9; i++) void coordinator.enqueue(`/a${i}.lines`);
    expect(coordinator.tick()).toBe(2);
    expect(coordinator.tick()).toBe(0);
    await coordinator.drain();
    expect(most).toBe(2);
    expect(reports.map(({ status }) => status)).toEqual(Array(18).fill('imported'));
  });

  test('dispatches the most urgent first, first-in first-out, 4 a tick (65)', async () => {
    const order: string[] = [];
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const files = Object.fromEntries(names.map((name) => [`/${name}.lines`, name]));
    const { coordinator } = createTestEngine({ files, importers: [linesImporter(order)] });
    for (const name of names)
      void coordinator.enqueue(`/${name}.lines`, { priority: 'background' });
    void coordinator.enqueue('/e.lines', { priority: 'immediate' });
    void coordinator.enqueue('/d.lines', { priority: 'normal' });
    expect(coordinator.tick()).toBe(4);
    await until(() => order.length >= 4);
    expect(new Set(order)).toEqual(new Set(['/e.lines', '/d.lines', '/a.lines', '/b.lines']));
    expect(coordinator.tick()).toBe(2);
    expect(coordinator.tick()).toBe(0);
    await coordinator.drain();
    expect(order).toHaveLength(6);
  });

  test('one dispatch a tick keeps the order of priorities exactly (65)', async () => {
    const order: string[] = [];
    const files = { '/a.lines': '', '/b.lines': 'b', '/c.lines': 'c' };
    const { coordinator } = createTestEngine({
      files,
      importers: [linesImporter(order)],
      dispatchPerTick: 1,
    });
    for (const path of Object.keys(files)) void coordinator.enqueue(path);
    void coordinator.enqueue('/c.lines', { priority: 'immediate' });
    while (coordinator.pending > 0) {
      const before = coordinator.pending;
      coordinator.tick();
      await until(() => coordinator.pending < before);
    }
    expect(order).toEqual(['/c.lines', '/a.lines', '/b.lines']);
  });

  test('progress counts add up, duplicates not counted twice (65)', async () => {
    const { coordinator } = createTestEngine({
      files: { '/a.lines': '', '/b.lines': 'fail', '/c.lines': 'c' },
      importers: [linesImporter()],
    });
    const first = coordinator.enqueue('/a.lines');
    expect(coordinator.enqueue('/A/../a.lines')).toBe(first);
    void coordinator.enqueue('/b.lines');
    void coordinator.enqueue('/c.lines');
    expect(coordinator.progress).toEqual({ total: 3, completed: 0, failed: 0 });
    expect(coordinator.cancel('/c.lines')).toBe(true);
    expect(coordinator.progress).toEqual({ total: 2, completed: 0, failed: 0 });
    await coordinator.drain();
    expect(coordinator.progress).toEqual({ total: 2, completed: 1, failed: 1 });
    expect(coordinator.pending).toBe(0);
    void coordinator.enqueue('/c.lines');
    expect(coordinator.progress).toEqual({ total: 1, completed: 0, failed: 0 });
  });
});

describe('dependencies', () => {
  test('an asset waits for its dependencies (65)', async () => {
    const order: string[] = [];
    const { coordinator, registry, manager } = createTestEngine({
      files: {
        '/a.lines': 'use /b.lines\nuse /c.lines',
        '/b.lines': 'use /c.lines',
        '/c.lines': 'c',
      },
      importers: [linesImporter(order)],
    });
    const report = coordinator.enqueue('/a.lines', { priority: 'immediate' });
    await coordinator.drain();
    expect(order).toEqual(['/c.lines', '/b.lines', '/a.lines']);
    const { uuid = '' } = await report;
    expect(registry.dependenciesOf(uuid)).toHaveLength(2);
    expect(manager?.getMaterial(uuid)?.name).toContain('use /b.lines');
  });

  test('what an urgent asset waits for becomes urgent, too', async () => {
    const order: string[] = [];
    const { coordinator } = createTestEngine({
      files: { '/x.lines': 'x', '/y.lines': 'y', '/a.lines': 'use /b.lines', '/b.lines': 'b' },
      importers: [linesImporter(order)],
      dispatchPerTick: 1,
    });
    for (const name of ['x', 'y', 'b']) void coordinator.enqueue(`/${name}.lines`);
    void coordinator.enqueue('/a.lines', { priority: 'immediate' });
    while (coordinator.pending > 0) {
      coordinator.tick();
      await rest();
    }
    expect(order).toEqual(['/b.lines', '/a.lines', '/x.lines', '/y.lines']);
  });

  test('a cycle is named, fails its members, and leaves the others alone (65)', async () => {
    const { coordinator, reports } = createTestEngine({
      files: {
        '/a.lines': 'use /b.lines',
        '/b.lines': 'use /c.lines',
        '/c.lines': 'use /a.lines',
        '/d.lines': 'use /a.lines',
        '/self.lines': 'use /self.lines',
      },
      importers: [linesImporter()],
    });
    for (const name of ['a', 'd', 'self']) void coordinator.enqueue(`/${name}.lines`);
    await coordinator.drain();
    const outcomes = Object.fromEntries(reports.map(({ path, status }) => [path.text, status]));
    expect(outcomes).toEqual({
      '/a.lines': 'failed',
      '/b.lines': 'failed',
      '/c.lines': 'failed',
      '/d.lines': 'imported',
      '/self.lines': 'failed',
    });
    const messages = reports.flatMap(({ diagnostics }) =>
      diagnostics.map(({ message }) => message),
    );
    expect(
      messages.some((message) => /\/\w\.lines → \/\w\.lines → \/\w\.lines → /.test(message)),
    ).toBe(true);
    expect(messages).toContain('The assets need each other: /self.lines → /self.lines');
  });

  test('a dependency that fails does not fail its users', async () => {
    const { coordinator, reports } = createTestEngine({
      files: { '/a.lines': 'use /b.lines', '/b.lines': 'fail' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    await coordinator.drain();
    expect(reports.map(({ path, status }) => [path.text, status])).toEqual([
      ['/b.lines', 'failed'],
      ['/a.lines', 'imported'],
    ]);
  });
});

describe('an importer that misbehaves fails only its own asset, with a diagnostic (66)', () => {
  test('by throwing', async () => {
    const { coordinator, registry, reports } = createTestEngine({
      files: { '/a.lines': 'fail', '/b.lines': 'b' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    void coordinator.enqueue('/b.lines');
    await coordinator.drain();
    const failed = reports.find(({ status }) => status === 'failed');
    expect(failed?.diagnostics).toMatchObject([
      { severity: 'error', code: 'assets/importer-threw', file: '/a.lines' },
    ]);
    expect(failed?.error).toMatchObject({ cause: expect.any(Error) });
    expect(registry.stateOf(failed?.uuid ?? '')).toBe('failed');
    expect(reports.find(({ status }) => status === 'imported')?.path.text).toBe('/b.lines');
  });

  test('by hanging, after the time-out', async () => {
    const { clock, coordinator, reports } = createTestEngine({
      files: { '/a.lines': 'hang', '/b.lines': 'b' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    void coordinator.enqueue('/b.lines');
    coordinator.tick();
    clock.advance(29 * SECOND);
    await until(() => reports.length > 0);
    expect(reports.map(({ path }) => path.text)).toEqual(['/b.lines']);
    clock.advance(SECOND);
    await coordinator.drain();
    expect(reports[1]?.diagnostics).toMatchObject([
      { code: 'assets/import-timeout', file: '/a.lines' },
    ]);
    expect(clock.pending).toBe(0);
  });

  test('by giving something else than assets', async () => {
    const broken = (output: unknown): Importer => ({
      name: 'broken',
      version: 1,
      type: 'mesh',
      extensions: ['.x'],
      settings: {},
      import: async () => output as never,
    });
    for (const output of [[], undefined, [{ key: '', uuid: 'u', type: 'mesh' }]]) {
      const { coordinator, reports } = createTestEngine({
        files: { '/a.x': 'a' },
        importers: [broken(output)],
      });
      void coordinator.enqueue('/a.x');
      await coordinator.drain();
      expect(reports[0]?.status).toBe('failed');
    }
  });

  test('what comes after a time-out or a cancellation is discarded', async () => {
    let finish: (value: string) => void = () => undefined;
    const gate = new Promise<string>((resolve) => (finish = resolve));
    const slow: Importer = {
      ...linesImporter(),
      async import(context) {
        await gate;
        return linesImporter().import(context);
      },
    };
    const { coordinator, registry, manager, reports } = createTestEngine({
      files: { '/a.lines': 'a' },
      importers: [slow],
    });
    void coordinator.enqueue('/a.lines');
    coordinator.tick();
    await rest();
    expect(coordinator.cancel('/a.lines')).toBe(true);
    finish('');
    await rest();
    expect(reports.map(({ status }) => status)).toEqual(['cancelled']);
    expect(manager?.residentCount).toBe(0);
    expect(registry.atPath('/a.lines')[0]?.state).toBe('registered');
  });
});

describe('failures before the importer runs', () => {
  test.each([
    ['a missing file', '/none.lines', {}, 'vfs/not-found'],
    ['no importer', '/a.unknown', { '/a.unknown': 'a' }, 'assets/no-importer'],
    [
      'a corrupt sidecar',
      '/a.lines',
      { '/a.lines': 'a', '/a.lines.meta': '{' },
      'assets/meta-corrupt',
    ],
  ])('%s is a report', async (_, path, files, code) => {
    const { coordinator } = createTestEngine({ files, importers: [linesImporter()] });
    const report = coordinator.enqueue(path);
    await coordinator.drain();
    expect(await report).toMatchObject({ status: 'failed', diagnostics: [{ code, file: path }] });
  });

  test('a missing file gets no sidecar', async () => {
    const { coordinator, vfs } = createTestEngine({ importers: [linesImporter()] });
    void coordinator.enqueue('/none.lines');
    await coordinator.drain();
    expect(await vfs.exists('/none.lines.meta')).toBe(false);
  });

  test('a sidecar that asks for an importer of other files is a warning', async () => {
    const meta = '{"uuid":"6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11","importer":"image"}';
    const { coordinator } = createTestEngine({
      files: { '/a.lines': 'a', '/a.lines.meta': meta },
      importers: [linesImporter()],
    });
    const report = coordinator.enqueue('/a.lines');
    await coordinator.drain();
    expect(await report).toMatchObject({
      status: 'imported',
      diagnostics: [{ severity: 'warning', code: 'assets/meta-importer', file: '/a.lines' }],
    });
  });

  test('a mount that can not be written to serves assets with their sidecars', async () => {
    const meta = '{"uuid":"6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11"}';
    const files = { '/a.lines': 'a', '/a.lines.meta': meta, '/b.lines': 'b' };
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files }), { readOnly: true });
    vfs.mount('/.cache', memoryBackend());
    const { coordinator } = createTestEngine({ vfs, importers: [linesImporter()] });
    const reports = [coordinator.enqueue('/a.lines'), coordinator.enqueue('/b.lines')];
    await coordinator.drain();
    expect(await Promise.all(reports)).toMatchObject([
      { status: 'imported', uuid: '6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11' },
      { status: 'failed', diagnostics: [{ code: 'vfs/read-only' }] },
    ]);
  });

  test('after disposal everything is cancelled and nothing can be queued', async () => {
    const { coordinator } = createTestEngine({
      files: { '/a.lines': 'a' },
      importers: [linesImporter()],
    });
    const report = coordinator.enqueue('/a.lines');
    coordinator.dispose();
    expect((await report).status).toBe('cancelled');
    expect(() => coordinator.enqueue('/a.lines')).toThrow(/disposed/);
  });
});

describe('a failed re-import keeps the last good resource (64)', () => {
  test('and is not tried again until something changes', async () => {
    const order: string[] = [];
    const { vfs, coordinator, registry, manager } = createTestEngine({
      files: { '/a.lines': 'good' },
      importers: [linesImporter(order)],
    });
    const { uuid = '' } = await drained(coordinator.enqueue('/a.lines'));
    const handle = registry.handleOf(uuid);
    await vfs.writeFile('/a.lines', 'fail');
    expect((await drained(coordinator.enqueue('/a.lines'))).status).toBe('failed');
    expect(registry.stateOf(uuid)).toBe('failed');
    expect(manager?.getMaterial(uuid)?.name).toBe('good');
    expect(registry.handleOf(uuid)).toBe(handle);
    const runs = order.length;
    expect((await drained(coordinator.enqueue('/a.lines'))).status).toBe('failed');
    expect(order).toHaveLength(runs);
    await vfs.writeFile('/a.lines', 'good');
    expect((await drained(coordinator.enqueue('/a.lines'))).status).toBe('unchanged');
    expect(registry.stateOf(uuid)).toBe('loaded');
    await vfs.writeFile('/a.lines', 'better');
    expect((await drained(coordinator.enqueue('/a.lines'))).status).toBe('imported');
    expect(manager?.getMaterial(uuid)?.name).toBe('better');
    expect(registry.handleOf(uuid)).toBe(handle);

    async function drained<T>(report: Promise<T>): Promise<T> {
      await coordinator.drain();
      return report;
    }
  });
});
