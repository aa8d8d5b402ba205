import { createUuid } from '@ecliptic/core';
import { memoryBackend, VFSContext } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import { AssetIdentity, formatMeta, scanAssets, type ScanOptions } from '../src/index.js';

const meta = (uuid: string): string => formatMeta({ uuid, settings: {}, unknown: {} });
const A = createUuid();
const B = createUuid();

function project(files: Record<string, string>) {
  let time = 1_000;
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files, now: () => (time += 1_000) }));
  const identity = new AssetIdentity({ vfs });
  const scan = (options: Partial<ScanOptions> = {}) =>
    scanAssets({
      vfs,
      identity,
      isAsset: (path) => ['.png', '.glb'].includes(path.extension),
      ...options,
    });
  return { vfs, identity, scan };
}

describe('identity: a .meta holds the uuid (63)', () => {
  test('missing: minted, once, also when asked for twice at the same time', async () => {
    const { vfs, identity } = project({ '/a.png': 'x' });
    const [first, second] = await Promise.all([
      identity.ensure('/a.png'),
      identity.ensure('/a.png'),
    ]);
    expect(second).toEqual(first);
    expect(await vfs.readText('/a.png.meta')).toContain(first.uuid);
    expect((await identity.ensure('/a.png')).uuid).toBe(first.uuid);
  });

  test('corrupt: an error, the file kept, the others scanned', async () => {
    const { vfs, scan } = project({ '/a.png': 'x', '/a.png.meta': '{"uuid":', '/b.png': 'y' });
    const { assets, diagnostics } = await scan();
    expect(assets.map(({ path }) => path.text)).toEqual(['/b.png']);
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'assets/meta-corrupt', file: '/a.png' },
    ]);
    expect(await vfs.readText('/a.png.meta')).toBe('{"uuid":');
  });

  test('copied with its asset: the clash is reported, the newer gets a new uuid', async () => {
    const { vfs, scan } = project({ '/z.png': 'x', '/z.png.meta': meta(A) });
    await vfs.writeFile('/a.png', 'x');
    await vfs.writeFile('/a.png.meta', meta(A));
    const { assets, clashes, diagnostics } = await scan();
    expect(clashes).toHaveLength(1);
    expect(clashes[0]?.kept.text).toBe('/z.png');
    expect(clashes[0]?.changed.text).toBe('/a.png');
    const byPath = Object.fromEntries(assets.map(({ path, meta: { uuid } }) => [path.text, uuid]));
    expect(byPath['/z.png']).toBe(A);
    expect(byPath['/a.png']).toBe(clashes[0]?.newUuid);
    expect(await vfs.readText('/a.png.meta')).toContain(clashes[0]?.newUuid);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'assets/uuid-clash' }]);
    expect((await scan()).clashes).toEqual([]);
  });

  test('of copies made at the same time, the one that is known already keeps it, else the first by path', async () => {
    const files = { '/a.png': 'x', '/a.png.meta': meta(A), '/b.png': 'x', '/b.png.meta': meta(A) };
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files, now: () => 5 }));
    const b = (await vfs.list('/')).find(({ name }) => name === 'b.png');
    const options = { vfs, identity: new AssetIdentity({ vfs }), isAsset: () => true };
    const { clashes } = await scanAssets({ ...options, ownerOf: () => b?.path });
    expect(clashes[0]?.kept.text).toBe('/b.png');
    await vfs.writeFile('/a.png.meta', meta(A));
    expect((await scanAssets(options)).clashes[0]?.kept.text).toBe('/a.png');
  });

  test('asset moved with its meta: same uuid', async () => {
    const { vfs, scan } = project({ '/a.png': 'x', '/a.png.meta': meta(B) });
    await vfs.rename('/a.png', '/deep/b.png');
    await vfs.rename('/a.png.meta', '/deep/b.png.meta');
    const { assets } = await scan();
    expect(assets.map(({ path, meta: { uuid } }) => [path.text, uuid])).toEqual([
      ['/deep/b.png', B],
    ]);
  });

  test('orphan metas are reported and left alone, metas of folders are none', async () => {
    const { vfs, scan } = project({
      '/gone.png.meta': meta(A),
      '/folder/x.png': 'x',
      '/folder.meta': meta(B),
    });
    const { orphans, diagnostics } = await scan();
    expect(orphans.map(({ text }) => text)).toEqual(['/gone.png.meta']);
    expect(diagnostics).toMatchObject([{ code: 'assets/meta-orphan', file: '/gone.png.meta' }]);
    expect(await vfs.exists('/gone.png.meta')).toBe(true);
  });

  test('a meta of a meta is reported, and hidden folders are left out', async () => {
    const { vfs, scan } = project({
      '/a.png': 'x',
      '/a.png.meta': meta(A),
      '/a.png.meta.meta': meta(B),
      '/.git/b.png': 'x',
    });
    const { assets, diagnostics } = await scan();
    expect(assets).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code: 'assets/meta-of-meta', file: '/a.png.meta.meta' }]);
    expect(await vfs.exists('/.git/b.png.meta')).toBe(false);
  });

  test('an update is written only when something changes, and keeps unknown fields', async () => {
    const { vfs, identity } = project({ '/a.png': 'x', '/a.png.meta': `{"uuid":"${A}","x":1}` });
    await identity.update('/a.png', (before) => before);
    expect(await vfs.readText('/a.png.meta')).toBe(`{"uuid":"${A}","x":1}`);
    expect(await identity.hasChanged('/a.png')).toBe(false);
    await identity.update('/a.png', (before) => ({ ...before, importer: 'image' }));
    expect(JSON.parse(await vfs.readText('/a.png.meta'))).toMatchObject({
      x: 1,
      importer: 'image',
    });
    expect(await identity.hasChanged('/a.png')).toBe(false);
    await vfs.writeFile('/a.png.meta', meta(B));
    expect(await identity.hasChanged('/a.png')).toBe(true);
  });
});
