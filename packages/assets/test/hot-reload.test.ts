import { describe, expect, test } from 'vitest';
import {
  AssetHotReload,
  gltfImporter,
  imageImporter,
  type AssetEvent,
  type AssetReady,
} from '../src/index.js';
import { createTestEngine, linesImporter, type TestEngineOptions } from './engine.js';
import { png } from './samples.js';

const MILLISECOND = 1_000_000;

async function start(options: TestEngineOptions) {
  const engine = createTestEngine(options);
  const { vfs, registry, identity, coordinator, clock, manager } = engine;
  const hotReload = new AssetHotReload({ vfs, registry, identity, coordinator });
  await hotReload.start();
  const events: AssetEvent[] = [];
  const ready: AssetReady[] = [];
  registry.subscribe((event) => events.push(event));
  manager?.onAssetReady((event) => ready.push(event));
  /** Frames until nothing happens any more. */
  const frames = async (): Promise<void> => {
    for (let i = 0; i < 6; i++) {
      clock.advance(100 * MILLISECOND);
      vfs.tick();
      await hotReload.settled();
      await coordinator.drain();
    }
  };
  const stales = (): string[] =>
    events.flatMap((event) =>
      event.kind === 'state' && event.asset.state === 'stale'
        ? [`${event.asset.path?.text}#${event.asset.key}`]
        : [],
    );
  const clear = (): void => {
    events.length = 0;
    ready.length = 0;
    engine.reports.length = 0;
  };
  return { ...engine, hotReload, events, ready, frames, stales, clear };
}

const MODEL = JSON.stringify({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0, name: 'crate' }],
  meshes: [{ name: 'crate', primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
  materials: [{ name: 'wood', pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
  textures: [{ source: 0 }],
  images: [{ uri: '../textures/wood.png' }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
  bufferViews: [{ buffer: 0, byteLength: 36 }],
  buffers: [{ byteLength: 36, uri: 'crate.bin' }],
});
const POSITIONS = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);

const project = (): TestEngineOptions => ({
  files: {
    '/models/crate.gltf': MODEL,
    '/models/crate.bin': POSITIONS,
    '/textures/wood.png': png(4, 4),
  },
  importers: [gltfImporter(), imageImporter()],
});

describe('hot reload', () => {
  test('of a texture marks the materials and meshes that use it, once each (68)', async () => {
    const engine = await start(project());
    const { coordinator, vfs, registry, manager, frames, stales, clear, ready } = engine;
    void coordinator.enqueue('/models/crate.gltf');
    await frames();
    const [texture] = registry.atPath('/textures/wood.png');
    expect(texture?.state).toBe('loaded');
    const handles = [...registry].map(({ handle }) => handle);
    clear();

    await vfs.writeFile('/textures/wood.png', png(8, 8));
    await frames();
    expect(stales()).toEqual([
      '/textures/wood.png#',
      '/models/crate.gltf#material/wood',
      '/models/crate.gltf#mesh/crate',
      '/models/crate.gltf#',
    ]);
    expect(engine.reports.map(({ path, status }) => [path.text, status])).toEqual([
      ['/textures/wood.png', 'imported'],
      ['/models/crate.gltf', 'unchanged'],
    ]);
    expect(ready.map(({ type, reason }) => [type, reason])).toEqual([
      ['texture', 'content'],
      ['material', 'dependency'],
      ['mesh', 'dependency'],
      ['prefab', 'dependency'],
    ]);
    expect(manager?.getTexture(texture?.uuid ?? '').width).toBe(8);
    expect([...registry].map(({ handle }) => handle)).toEqual(handles);
    expect([...registry].every(({ state }) => state === 'loaded')).toBe(true);
  });

  test('of a file that an import read runs the import again: same handle, new content', async () => {
    const { coordinator, vfs, registry, manager, frames, clear, reports } = await start(project());
    void coordinator.enqueue('/models/crate.gltf');
    await frames();
    const mesh = registry.ofType('mesh')[0];
    clear();
    await vfs.writeFile(
      '/models/crate.bin',
      POSITIONS.map((byte, i) => (i === 19 ? 0x40 : byte)),
    );
    await frames();
    expect(reports.map(({ path, status }) => [path.text, status])).toEqual([
      ['/models/crate.gltf', 'imported'],
    ]);
    expect(registry.ofType('mesh')[0]).toEqual(mesh);
    expect(manager?.versionOf(mesh?.uuid ?? '')).toBe(2);
  });

  test('of a file that is rewritten with the same bytes is no change', async () => {
    const { coordinator, vfs, frames, clear, events, ready } = await start(project());
    void coordinator.enqueue('/models/crate.gltf');
    await frames();
    clear();
    await vfs.writeFile('/textures/wood.png', png(4, 4));
    await vfs.writeFile('/models/crate.gltf', MODEL);
    await frames();
    expect(events).toEqual([]);
    expect(ready).toEqual([]);
  });

  test('does not follow its own sidecars and artifacts, but a person’s settings', async () => {
    const { coordinator, vfs, frames, clear, reports } = await start({
      files: { '/a.lines': 'a' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    await frames();
    expect(reports).toHaveLength(1);
    clear();
    const meta = JSON.parse(await vfs.readText('/a.lines.meta')) as object;
    await vfs.writeFile('/a.lines.meta', JSON.stringify({ ...meta, settings: { tint: 0.25 } }));
    await frames();
    expect(reports.map(({ status }) => status)).toEqual(['imported']);
  });

  test('keeps the last good data when the new one is refused', async () => {
    const { coordinator, vfs, registry, manager, frames } = await start(project());
    void coordinator.enqueue('/models/crate.gltf');
    await frames();
    const mesh = registry.ofType('mesh')[0]?.uuid ?? '';
    await vfs.writeFile('/models/crate.gltf', '{');
    await frames();
    expect(registry.stateOf(mesh)).toBe('failed');
    expect(manager?.getMesh(mesh)?.vertexCount).toBe(3);
    await vfs.writeFile('/models/crate.gltf', MODEL);
    await frames();
    expect(registry.stateOf(mesh)).toBe('loaded');
  });

  test('imports new files, and an image that was missed', async () => {
    const { coordinator, vfs, registry, frames } = await start({
      files: { '/models/crate.gltf': MODEL, '/models/crate.bin': POSITIONS },
      importers: [gltfImporter(), imageImporter()],
    });
    void coordinator.enqueue('/models/crate.gltf');
    await frames();
    const material = registry.ofType('material')[0]?.uuid ?? '';
    expect(registry.dependenciesOf(material)).toEqual([]);
    await vfs.writeFile('/textures/wood.png', png(2, 2));
    await frames();
    expect(registry.atPath('/textures/wood.png')[0]?.state).toBe('loaded');
    expect(registry.dependenciesOf(material)).toHaveLength(1);
  });

  test('of a removed file removes its assets, and its return brings back the same handles', async () => {
    const { coordinator, vfs, registry, manager, frames, clear, stales } = await start(project());
    void coordinator.enqueue('/models/crate.gltf');
    await frames();
    const texture = registry.atPath('/textures/wood.png')[0];
    clear();
    await vfs.remove('/textures/wood.png');
    await frames();
    expect(registry.stateOf(texture?.uuid ?? '')).toBe('removed');
    expect(manager?.getTexture(texture?.uuid ?? '').name).toBe('fallback');
    expect(stales()).toContain('/models/crate.gltf#material/wood');
    await vfs.writeFile('/textures/wood.png', png(4, 4));
    await frames();
    expect(registry.atPath('/textures/wood.png')[0]).toEqual(texture);
  });

  test('of a file that is moved with its sidecar keeps its uuid and handle', async () => {
    const { coordinator, vfs, registry, frames } = await start({
      files: { '/a.lines': 'a' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    await frames();
    const before = registry.atPath('/a.lines')[0];
    await vfs.rename('/a.lines', '/deep/b.lines');
    await vfs.rename('/a.lines.meta', '/deep/b.lines.meta');
    await frames();
    const after = registry.atPath('/deep/b.lines')[0];
    expect(after).toMatchObject({ uuid: before?.uuid, handle: before?.handle, state: 'loaded' });
    expect(registry.atPath('/a.lines')).toEqual([]);
  });

  test('of a file that is moved without its sidecar makes it another asset', async () => {
    const { coordinator, vfs, registry, frames } = await start({
      files: { '/a.lines': 'a' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    await frames();
    const before = registry.atPath('/a.lines')[0];
    await vfs.rename('/a.lines', '/b.lines');
    await frames();
    expect(registry.atPath('/a.lines')).toEqual([]);
    expect(registry.stateOf(before?.uuid ?? '')).toBe('removed');
    expect(registry.atPath('/b.lines')[0]?.uuid).not.toBe(before?.uuid);
  });

  test('a copy of an asset with its sidecar becomes another asset', async () => {
    const { coordinator, vfs, registry, frames } = await start({
      files: { '/a.lines': 'a' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    await frames();
    const before = registry.atPath('/a.lines')[0];
    await vfs.copy('/a.lines.meta', '/b.lines.meta');
    await vfs.copy('/a.lines', '/b.lines');
    await frames();
    expect(registry.atPath('/a.lines')[0]).toEqual(before);
    expect(registry.atPath('/b.lines')[0]).toMatchObject({ state: 'loaded' });
    expect(registry.atPath('/b.lines')[0]?.uuid).not.toBe(before?.uuid);
  });

  test('a change while the importer runs is imported after it', async () => {
    const { coordinator, vfs, registry, manager, frames, clock, hotReload } = await start({
      files: { '/a.lines': 'one' },
      importers: [linesImporter()],
    });
    void coordinator.enqueue('/a.lines');
    coordinator.tick();
    await vfs.writeFile('/a.lines', 'two');
    clock.advance(100 * MILLISECOND);
    vfs.tick();
    await hotReload.settled();
    await frames();
    const uuid = registry.atPath('/a.lines')[0]?.uuid ?? '';
    expect(manager?.getMaterial(uuid)?.name).toBe('two');
  });
});
