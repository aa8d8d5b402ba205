import { createUuid, EventLog, type EclipticError } from '@ecliptic/core';
import { describe, expect, test, vi } from 'vitest';
import { AssetManager, AssetRegistry, readImageHeader, type AssetReady } from '../src/index.js';
import { plainMaterial, texture, triangle } from './samples.js';

function setup(load?: ConstructorParameters<typeof AssetManager>[0]['load']) {
  const registry = new AssetRegistry();
  const manager = new AssetManager({ registry, ...(load ? { load } : {}) });
  const ready: AssetReady[] = [];
  manager.onAssetReady((event) => ready.push(event));
  return { registry, manager, ready };
}

describe('ingesting', () => {
  test('brings an asset to loaded, and listeners find its data', () => {
    const { registry, manager, ready } = setup();
    const uuid = createUuid();
    const mesh = triangle();
    const found: unknown[] = [];
    registry.subscribe((event) => {
      if (event.kind === 'state' && event.asset.state === 'loaded')
        found.push(manager.getMesh(uuid));
    });
    const handle = manager.ingestMesh(uuid, mesh);
    expect(found).toEqual([mesh]);
    expect(manager.getMesh(handle)).toBe(mesh);
    expect(ready).toMatchObject([{ type: 'mesh', uuid, handle, version: 1, reason: 'content' }]);
  });

  test('is idempotent: the same object or the same hash tells nobody', () => {
    const { manager, ready } = setup();
    const uuid = createUuid();
    const mesh = triangle();
    manager.ingestMesh(uuid, mesh, 'h1');
    manager.ingestMesh(uuid, mesh);
    manager.ingestMesh(uuid, triangle('other object'), 'h1');
    expect(ready).toHaveLength(1);
    expect(manager.getMesh(uuid)).toBe(mesh);
  });

  test('replaces data under the same handle, with a new version', () => {
    const { registry, manager, ready } = setup();
    const uuid = createUuid();
    const handle = manager.ingestMesh(uuid, triangle(), 'h1');
    expect(manager.ingestMesh(uuid, triangle('new'), 'h2')).toBe(handle);
    expect(manager.getMesh(handle)?.name).toBe('new');
    expect(ready.map(({ version }) => version)).toEqual([1, 2]);
    expect(registry.stateOf(uuid)).toBe('loaded');
  });

  test('of another type than registered is an error that changes nothing', () => {
    const { registry, manager } = setup();
    const uuid = createUuid();
    registry.register({ uuid, type: 'texture', path: '/a.png' });
    expect(() => manager.ingestMesh(uuid, triangle())).toThrow(/is a texture, not a mesh/);
    expect(registry.stateOf(uuid)).toBe('registered');
  });

  test('knows what materials and meshes use', () => {
    const { registry, manager } = setup();
    const [t, m, g] = [createUuid(), createUuid(), createUuid()];
    manager.ingestMaterial(m, plainMaterial(t));
    const mesh = triangle();
    const [submesh] = mesh.submeshes;
    if (submesh) manager.ingestMesh(g, { ...mesh, submeshes: [{ ...submesh, material: m }] });
    expect(registry.dependentsOf(t)).toEqual([m]);
    expect(registry.dependentsOf(m)).toEqual([g]);
  });

  test('a listener that throws is no concern of the others', () => {
    const { manager } = setup();
    manager.onAssetReady(() => {
      throw new Error('mine');
    });
    const seen: string[] = [];
    manager.onAssetReady(({ uuid }) => seen.push(uuid));
    const uuid = createUuid();
    manager.ingestTexture(uuid, texture());
    expect(seen).toEqual([uuid]);
  });
});

test('a texture that is not there is the pink fallback, a real PNG of 4 × 4', () => {
  const { manager } = setup();
  const fallback = manager.getTexture(createUuid());
  expect(readImageHeader(fallback.bytes)).toEqual({ mime: 'image/png', width: 4, height: 4 });
  const uuid = createUuid();
  const own = texture();
  manager.ingestTexture(uuid, own);
  expect(manager.getTexture(uuid)).toBe(own);
  expect(manager.getMesh(uuid)).toBeUndefined();
});

describe('residency', () => {
  test('what is held, and what that uses, stays; the rest can be evicted and loaded again', async () => {
    const t = createUuid();
    const loads: string[] = [];
    const { registry, manager } = setup(async (uuid) => {
      loads.push(uuid);
      return { type: 'texture', data: texture([9]) };
    });
    const m = createUuid();
    manager.ingestTexture(t, texture());
    const handle = registry.handleOf(t) ?? 0;
    manager.ingestMaterial(m, plainMaterial(t));
    await manager.acquire(m);
    expect(manager.evictUnused()).toBe(0);
    manager.release(m);
    expect(manager.evictUnused()).toBe(2);
    expect(registry.stateOf(t)).toBe('registered');
    const [a, b] = await Promise.all([manager.acquire(t), manager.acquire(t)]);
    expect(a).toBe(b);
    expect(loads).toEqual([t]);
    expect(manager.referencesTo(t)).toBe(2);
    expect(registry.handleOf(t)).toBe(handle);
    expect(registry.stateOf(t)).toBe('loaded');
  });

  test('beyond the budget there is a warning, and what nobody holds goes, oldest first', async () => {
    const log = new EventLog('test');
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
    const registry = new AssetRegistry();
    const manager = new AssetManager({ registry, budget: 25, log });
    const uuids = [createUuid(), createUuid(), createUuid(), createUuid()] as const;
    const bytes = Array.from({ length: 10 }, () => 1);
    manager.ingestTexture(uuids[0], texture(bytes));
    await manager.acquire(uuids[0]);
    manager.ingestTexture(uuids[1], texture(bytes));
    expect([manager.residentBytes, warn.mock.calls.length]).toEqual([20, 0]);
    manager.ingestTexture(uuids[2], texture(bytes));
    manager.ingestTexture(uuids[3], texture(bytes));
    expect(warn.mock.calls.map(([event]) => event)).toEqual(['assets_over_budget']);
    expect(manager.trim()).toBe(2);
    expect(manager.residentBytes).toBe(20);
    expect(uuids.map((uuid) => registry.stateOf(uuid))).toEqual([
      'loaded',
      'registered',
      'registered',
      'loaded',
    ]);
    expect(manager.trim()).toBe(0);
    manager.ingestTexture(uuids[3], texture([1, 2]));
    expect(manager.residentBytes).toBe(12);
    manager.ingestTexture(uuids[1], texture([...bytes, ...bytes]));
    expect(warn).toHaveBeenCalledTimes(2);
  });

  test('acquiring what can not be loaded is a coded error and holds nothing', async () => {
    const { manager } = setup();
    const uuid = createUuid();
    await expect(manager.acquire(uuid)).rejects.toMatchObject({ code: 'assets/not-loadable' });
    expect(manager.referencesTo(uuid)).toBe(0);
    let code = '';
    try {
      manager.release(uuid);
    } catch (error) {
      ({ code } = error as EclipticError);
    }
    expect(code).toBe('assets/not-held');
  });
});
