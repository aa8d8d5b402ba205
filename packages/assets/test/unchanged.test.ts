import { memoryBackend, VFSContext, VFSError, type VFSBackend } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import { ImportError, type Importer } from '../src/index.js';
import { createTestEngine, linesImporter } from './engine.js';
import { triangle } from './samples.js';

/** An importer of `.mesh` files, all of which are one triangle. */
const meshImporter: Importer = {
  name: 'mesh',
  version: 1,
  type: 'mesh',
  extensions: ['.mesh'],
  settings: {},
  import: async ({ uuid }) => [{ key: '', uuid, type: 'mesh', data: triangle(), dependencies: [] }],
};

async function run(engine: ReturnType<typeof createTestEngine>, path: string, force = false) {
  const report = engine.coordinator.enqueue(path, { force });
  await engine.coordinator.drain();
  return report;
}

describe('unchanged sources are not imported again (67)', () => {
  test('judged by content, not by time', async () => {
    const order: string[] = [];
    const engine = createTestEngine({
      files: { '/a.lines': 'a' },
      importers: [linesImporter(order)],
    });
    await run(engine, '/a.lines');
    await engine.vfs.writeFile('/a.lines', 'a');
    expect((await run(engine, '/a.lines')).status).toBe('unchanged');
    await engine.vfs.writeFile('/a.lines', 'b');
    expect((await run(engine, '/a.lines')).status).toBe('imported');
    expect((await run(engine, '/a.lines', true)).status).toBe('imported');
    expect(order).toHaveLength(3);
  });

  test('not in a second start either, where artifacts take the importer’s place', async () => {
    const order: string[] = [];
    const files = { '/a.lines': 'use /b.lines\nwarn odd', '/b.lines': 'b' };
    const first = createTestEngine({ files, importers: [linesImporter(order)] });
    const before = await run(first, '/a.lines');
    const second = createTestEngine({ vfs: first.vfs, importers: [linesImporter(order)] });
    const after = await run(second, '/a.lines');
    expect(order).toEqual(['/b.lines', '/a.lines']);
    expect(after).toMatchObject({ status: 'unchanged', uuid: before.uuid, assets: before.assets });
    expect(after.diagnostics).toEqual(before.diagnostics);
    const { uuid = '' } = after;
    expect(second.manager?.getMaterial(uuid)).toEqual(first.manager?.getMaterial(uuid));
    expect(second.registry.dependenciesOf(uuid)).toEqual(first.registry.dependenciesOf(uuid));
  });

  test.each([
    ['settings', (vfs: VFSContext) => editMeta(vfs, { settings: { tint: 0.5 } })],
    ['a file that was read', (vfs: VFSContext) => vfs.writeFile('/data.bin', 'new')],
    ['a file that was read and is gone', (vfs: VFSContext) => vfs.remove('/data.bin')],
  ])('but they are when %s changed', async (_, change) => {
    const order: string[] = [];
    const engine = createTestEngine({
      files: { '/a.lines': 'read data.bin', '/data.bin': 'old' },
      importers: [linesImporter(order)],
    });
    await run(engine, '/a.lines');
    expect((await run(engine, '/a.lines')).status).toBe('unchanged');
    await change(engine.vfs);
    await run(engine, '/a.lines');
    expect(order).toHaveLength(2);
  });

  test('but they are with a new version of the importer', async () => {
    const engine = createTestEngine({ files: { '/a.lines': 'a' }, importers: [linesImporter()] });
    await run(engine, '/a.lines');
    const next = { ...linesImporter(), version: 2 };
    const second = createTestEngine({ vfs: engine.vfs, importers: [next] });
    expect((await run(second, '/a.lines')).status).toBe('imported');
    expect(await engine.vfs.readText('/a.lines.meta')).toContain('"importerVersion": 2');
  });

  test('an input that failed is tried again when a file that it misses appears', async () => {
    const engine = createTestEngine({
      files: { '/a.lines': 'read data.bin' },
      importers: [linesImporter()],
    });
    expect((await run(engine, '/a.lines')).status).toBe('failed');
    await engine.vfs.writeFile('/data.bin', 'here');
    expect((await run(engine, '/a.lines')).status).toBe('imported');
  });

  test('but they are when an asset appears that they refer to, in this start and in the next', async () => {
    for (const text of ['use /b.lines', 'use /b.lines\nrefuse']) {
      const order: string[] = [];
      const files = { '/a.lines': text, '/c.lines': text };
      const engine = createTestEngine({ files, importers: [linesImporter(order)] });
      await run(engine, '/a.lines');
      await run(engine, '/c.lines');
      await engine.vfs.writeFile('/b.lines', 'b');
      await run(engine, '/a.lines');
      const { vfs } = engine;
      await run(createTestEngine({ vfs, importers: [linesImporter(order)] }), '/c.lines');
      expect(order.filter((path) => path !== '/b.lines')).toEqual([
        '/a.lines',
        '/c.lines',
        '/a.lines',
        '/c.lines',
      ]);
    }
  });

  test('but a reference to what is there and no asset is no reason', async () => {
    const order: string[] = [];
    const engine = createTestEngine({
      files: { '/a.lines': 'use /b.txt', '/b.txt': 'b' },
      importers: [linesImporter(order)],
    });
    await run(engine, '/a.lines');
    const second = createTestEngine({ vfs: engine.vfs, importers: [linesImporter(order)] });
    expect((await run(second, '/a.lines')).status).toBe('unchanged');
  });
});

describe('what was refused', () => {
  const refuse = async (files: Record<string, string>) => {
    const order: string[] = [];
    const engine = createTestEngine({ files, importers: [linesImporter(order)] });
    const report = await run(engine, '/a.lines');
    expect(report.status).toBe('failed');
    return { order, report, vfs: engine.vfs };
  };

  test('is not tried again in a second start, which says the same', async () => {
    const { order, report, vfs } = await refuse({ '/a.lines': 'warn odd\nrefuse' });
    const second = createTestEngine({ vfs, importers: [linesImporter(order)] });
    const again = await run(second, '/a.lines');
    expect(again).toMatchObject({ status: 'failed', uuid: report.uuid });
    expect(again.diagnostics).toEqual(report.diagnostics);
    expect(again.error).toBeInstanceOf(ImportError);
    expect(order).toHaveLength(1);
    expect(second.registry.stateOf(report.uuid ?? '')).toBe('failed');
    await run(second, '/a.lines', true);
    expect(order).toHaveLength(2);
  });

  test.each([
    ['its source', (vfs: VFSContext) => vfs.writeFile('/a.lines', 'read b.bin\nrefuse\n')],
    ['a file that it read', (vfs: VFSContext) => vfs.writeFile('/b.bin', 'new')],
    ['a setting', (vfs: VFSContext) => editMeta(vfs, { settings: { tint: 0.5 } })],
  ])('is tried again when %s changed', async (_, change) => {
    const { order, vfs } = await refuse({ '/a.lines': 'read b.bin\nrefuse', '/b.bin': 'old' });
    await change(vfs);
    await run(createTestEngine({ vfs, importers: [linesImporter(order)] }), '/a.lines');
    expect(order).toHaveLength(2);
  });

  test('is tried again with another version or other limits of the importer', async () => {
    const { order, vfs } = await refuse({ '/a.lines': 'refuse' });
    const changes = [{ version: 2 }, { limits: { fileBytes: 9 } }, { limits: { fileBytes: 10 } }];
    for (const [i, change] of changes.entries()) {
      const importer = { ...linesImporter(order), ...change };
      await run(createTestEngine({ vfs, importers: [importer] }), '/a.lines');
      expect(order).toHaveLength(2 + i);
    }
  });

  test('is remembered only where the file is at fault, not the importer', async () => {
    const { order, vfs } = await refuse({ '/a.lines': 'fail' });
    await run(createTestEngine({ vfs, importers: [linesImporter(order)] }), '/a.lines');
    expect(order).toHaveLength(2);
  });

  test('is told where it can’t be remembered', async () => {
    const memory = memoryBackend({ files: { '/a.lines': 'refuse' }, now: () => 1_000 });
    const vfs = new VFSContext({ wallClock: () => 1e15 });
    vfs.mount('/', {
      name: 'full cache',
      capabilities: { ...memory.capabilities, watch: false },
      stat: (path, options) => memory.stat(path, options),
      list: (path, options) => memory.list(path, options),
      read: (path, options) => memory.read(path, options),
      async write(path, bytes, options) {
        if (path.text.startsWith('/.cache/')) throw new VFSError('vfs/io', 'The disk is full');
        await memory.write(path, bytes, options);
      },
      createFolder: (path, options) => memory.createFolder(path, options),
      remove: (path, options) => memory.remove(path, options),
      rename: (from, to, options) => memory.rename(from, to, options),
    });
    const report = await run(createTestEngine({ vfs, importers: [linesImporter()] }), '/a.lines');
    expect(report.diagnostics.map(({ code }) => code)).toEqual(['assets/test']);
  });
});

describe('the artifact store', () => {
  const only = async (vfs: VFSContext, folder: string): Promise<string> => {
    const [first] = await vfs.list(folder);
    const [file] = await vfs.list(`${folder}/${first?.name}`);
    return `${folder}/${first?.name}/${file?.name}`;
  };

  test.each(['read b.bin', 'warn odd\nread b.bin\nrefuse'])(
    'never believes a record with a wrong byte, or one that is cut: %j',
    async (text) => {
      const order: string[] = [];
      const importers = [linesImporter(order)];
      const files = { '/a.lines': text, '/b.bin': 'b' };
      const first = createTestEngine({ files, importers });
      const { vfs } = first;
      const before = await run(first, '/a.lines');
      const meta = await vfs.readText('/a.lines.meta');
      const path = await only(vfs, '/.cache/imports');
      const record = await vfs.readFile(path);
      for (let at = 0; at < record.length; at++) {
        const wrong = record.slice();
        wrong[at] = (wrong[at] ?? 0) ^ (1 << (at % 7));
        // The line feed at the end may be missing: nothing else is.
        for (const damaged of at < record.length - 1 ? [wrong, record.slice(0, at)] : []) {
          await vfs.writeFile(path, damaged);
          order.length = 0;
          const after = await run(createTestEngine({ vfs, importers }), '/a.lines');
          expect(order, `byte ${at}`).toEqual(['/a.lines']);
          expect(after.assets).toEqual(before.assets);
          expect(after.diagnostics).toEqual(before.diagnostics);
        }
      }
      expect(await vfs.readText('/a.lines.meta')).toBe(meta);
    },
  );

  test('an artifact that is damaged in its length is written again', async () => {
    const importers = [linesImporter()];
    const first = createTestEngine({ files: { '/a.lines': 'a' }, importers });
    const { vfs } = first;
    await run(first, '/a.lines');
    const path = await only(vfs, '/.cache/artifacts');
    const sound = await vfs.readFile(path);
    const wrong = sound.slice();
    wrong[40] = (wrong[40] ?? 0) ^ 1;
    await vfs.writeFile(path, wrong);
    expect((await run(createTestEngine({ vfs, importers }), '/a.lines')).status).toBe('imported');
    expect(await vfs.readFile(path)).toEqual(sound);
    expect((await run(createTestEngine({ vfs, importers }), '/a.lines')).status).toBe('unchanged');
  });

  test('an artifact that is damaged after it was loaded soundly is written again by the next start', async () => {
    const importers = [meshImporter];
    const first = createTestEngine({ files: { '/a.mesh': 'a' }, importers });
    const { vfs } = first;
    await run(first, '/a.mesh');
    const path = await only(vfs, '/.cache/artifacts');
    const sound = await vfs.readFile(path);
    const wrong = sound.slice();
    wrong[sound.length - 2] = 1;

    const running = createTestEngine({ vfs, importers });
    const { uuid = '' } = await run(running, '/a.mesh');
    const load = async (): Promise<unknown> => (await running.store?.load(uuid))?.data;
    const before = structuredClone(await load());
    expect(before).toMatchObject({ name: 'triangle', indices: triangle().indices });
    await vfs.writeFile(path, wrong);
    // Not read through again; its structure is.
    expect(await load()).not.toEqual(before);
    const broken = sound.slice();
    broken[40] = (broken[40] ?? 0) ^ 1;
    await vfs.writeFile(path, broken);
    expect(await load()).toBeUndefined();
    // From now on every byte is looked at.
    await vfs.writeFile(path, wrong);
    expect(await load()).toBeUndefined();

    expect((await run(createTestEngine({ vfs, importers }), '/a.mesh')).status).toBe('imported');
    expect(await vfs.readFile(path)).toEqual(sound);
    expect((await run(createTestEngine({ vfs, importers }), '/a.mesh')).status).toBe('unchanged');
  });

  test('a damaged or missing artifact is made again', async () => {
    const order: string[] = [];
    const engine = createTestEngine({
      files: { '/a.lines': 'a' },
      importers: [linesImporter(order)],
    });
    const { uuid = '' } = await run(engine, '/a.lines');
    const [folder] = await engine.vfs.list('/.cache/artifacts');
    const [artifact] = await engine.vfs.list(`/.cache/artifacts/${folder?.name}`);
    const path = `/.cache/artifacts/${folder?.name}/${artifact?.name}`;
    const damage = [() => engine.vfs.writeFile(path, 'torn'), () => engine.vfs.remove(path)];
    for (const [i, harm] of damage.entries()) {
      await harm();
      const next = createTestEngine({ vfs: engine.vfs, importers: [linesImporter(order)] });
      expect((await run(next, '/a.lines')).status).toBe('imported');
      expect(next.manager?.getMaterial(uuid)?.name).toBe('a');
      expect(order).toHaveLength(2 + i);
    }
  });

  test('a crash at any write leaves the old state or the new one', async () => {
    const files = { '/a.lines': 'use /b.lines', '/b.lines': 'b' };
    let writes = Infinity;
    for (let crashAt = 0; crashAt < writes; crashAt++) {
      const memory = memoryBackend({ files, now: () => 1_000 });
      const vfs = new VFSContext({ wallClock: () => 1e15 });
      const crashing = crashingBackend(memory, crashAt);
      vfs.mount('/', crashing.backend);
      const first = createTestEngine({ vfs, importers: [linesImporter()] });
      await run(first, '/a.lines');
      writes = Math.min(writes, crashing.isDead() ? Infinity : crashAt);
      // The next start sees what was written, and ends where an undisturbed one ends.
      const after = new VFSContext({ wallClock: () => 1e15 });
      after.mount('/', memory);
      const next = createTestEngine({ vfs: after, importers: [linesImporter()] });
      const report = await run(next, '/a.lines');
      expect(['imported', 'unchanged'], `write ${crashAt}`).toContain(report.status);
      expect(next.manager?.getMaterial(report.uuid ?? '')?.name, `write ${crashAt}`).toBe(
        'use /b.lines',
      );
      expect(next.reports.every(({ status }) => status !== 'failed')).toBe(true);
    }
    expect(writes).toBeGreaterThan(5);
  });
});

async function editMeta(vfs: VFSContext, change: object): Promise<void> {
  const meta = JSON.parse(await vfs.readText('/a.lines.meta')) as object;
  await vfs.writeFile('/a.lines.meta', JSON.stringify({ ...meta, ...change }));
}

/** A backend whose process dies at its `crashAt`-th write: nothing is written from then on. */
function crashingBackend(inner: VFSBackend, crashAt: number) {
  let writes = 0;
  const backend: VFSBackend = {
    name: 'crashing',
    capabilities: { ...inner.capabilities, watch: false },
    stat: (path, options) => inner.stat(path, options),
    list: (path, options) => inner.list(path, options),
    read: (path, options) => inner.read(path, options),
    async write(path, bytes, options) {
      if (writes++ >= crashAt) throw new VFSError('vfs/io', 'The process is dead');
      await inner.write(path, bytes, options);
    },
    createFolder: (path, options) => inner.createFolder(path, options),
    remove: (path, options) => inner.remove(path, options),
    rename: (from, to, options) => inner.rename(from, to, options),
  };
  return { backend, isDead: () => writes > crashAt };
}
