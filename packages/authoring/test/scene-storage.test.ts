import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import * as nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryBackend, VFSContext, type VFSBackend } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { Name, Uuid } from '@ecliptic/ecs/components';
import { afterEach, describe, expect, test } from 'vitest';
import {
  captureScene,
  formatScene,
  isBinaryScene,
  loadScene,
  readScene,
  saveScene,
  type SceneDocument,
} from '../src/index.js';
import { expectError, expectRejection, makeScene, Notes, populate, uuidOf } from './support.js';

const JSON_FILE = '/level.scene.json';
const BINARY_FILE = '/level.scene';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'authoring-'));
  folders.push(folder);
  return folder;
};

/** Names in a document; whole scenes that were saved in one step have one. */
const namesIn = ({ entities }: SceneDocument): Set<unknown> =>
  new Set(
    entities.map(
      ({ components }) => (components?.['Name'] as { value: string } | undefined)?.value,
    ),
  );

describe('saving', () => {
  test('and reading, in both formats, gives the same scene', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend());
    const scene = makeScene();
    populate(scene, [
      { parent: null, target: 1, components: [[Name, { value: 'ä' }]] },
      { parent: 0, target: 0, components: [] },
    ]);
    await saveScene(vfs, JSON_FILE, scene);
    await saveScene(vfs, BINARY_FILE, scene, { format: 'binary' });
    expect(isBinaryScene(await vfs.readFile(BINARY_FILE))).toBe(true);
    expect(await vfs.readText(JSON_FILE)).toBe(formatScene(captureScene(scene)));
    for (const path of [JSON_FILE, BINARY_FILE]) {
      const loaded = makeScene();
      loadScene(loaded, await readScene(vfs, path));
      expect(formatScene(captureScene(loaded))).toBe(formatScene(captureScene(scene)));
    }
    await expectRejection('vfs/not-found', readScene(vfs, '/nothing.scene.json'));
    await vfs.writeFile('/bad.scene.json', Uint8Array.of(0xff, 0xfe));
    await expectRejection('authoring/scene-syntax', readScene(vfs, '/bad.scene.json'));
    await expectRejection(
      'authoring/scene-too-large',
      readScene(vfs, JSON_FILE, { maxEntities: 1 }),
    );
  });

  test('takes the scene as it is at the call', async () => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend());
    const scene = makeScene();
    const entity = scene.createEntity([Uuid, { value: uuidOf(1) }], [Name, { value: 'before' }]);
    const saving = saveScene(vfs, JSON_FILE, scene);
    const binary = saveScene(vfs, BINARY_FILE, scene, { format: 'binary' });
    scene.setComponent(entity, Name, { value: 'after' });
    await saving;
    await binary;
    for (const path of [JSON_FILE, BINARY_FILE]) {
      expect(namesIn(await readScene(vfs, path))).toEqual(new Set(['before']));
    }
  });

  test('what can’t be written leaves the file as it was', async () => {
    const memory = memoryBackend();
    let fails = false;
    const write: VFSBackend['write'] = async (...given) => {
      if (fails) throw new Error('the disk is full');
      await memory.write(...given);
    };
    const faulty = new Proxy(memory, {
      get: (target, name) => {
        if (name === 'write') return write;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const vfs = new VFSContext();
    vfs.mount('/', faulty);
    const scene = makeScene();
    const entity = scene.createEntity([Uuid, { value: uuidOf(1) }], [Name, { value: 'a' }]);
    await saveScene(vfs, JSON_FILE, scene);
    const before = await vfs.readText(JSON_FILE);
    fails = true;
    scene.setComponent(entity, Name, { value: 'b' });
    await expect(saveScene(vfs, JSON_FILE, scene)).rejects.toThrow('the disk is full');
    fails = false;
    scene.addComponent(entity, Notes, { data: () => 'no data' });
    await expectRejection('authoring/unwritable-value', saveScene(vfs, JSON_FILE, scene));
    expect(await vfs.readText(JSON_FILE)).toBe(before);
    scene.removeComponent(entity, Notes);
    await saveScene(vfs, JSON_FILE, scene);
    expect(namesIn(await readScene(vfs, JSON_FILE))).toEqual(new Set(['b']));
  });

  test.each(['open', 'rename'] as const)(
    'a disk whose %s fails keeps the file as it was',
    async (call) => {
      let fails = false;
      const failing = (): Promise<never> => Promise.reject(new Error('the disk is broken'));
      const calls = new Proxy(nodeFiles, {
        get: (target, name) =>
          fails && name === call ? failing : (Reflect.get(target, name) as unknown),
      });
      const vfs = new VFSContext();
      vfs.mount('/', diskBackend(newFolder(), { calls }));
      const scene = makeScene();
      const entity = scene.createEntity([Uuid, { value: uuidOf(1) }], [Name, { value: 'a' }]);
      await saveScene(vfs, JSON_FILE, scene);
      scene.setComponent(entity, Name, { value: 'b' });
      fails = true;
      await expect(saveScene(vfs, JSON_FILE, scene)).rejects.toBeInstanceOf(Error);
      fails = false;
      expect(namesIn(await readScene(vfs, JSON_FILE))).toEqual(new Set(['a']));
      await vfs.dispose();
    },
  );

  test('killed in the middle, again and again, leaves whole files', async () => {
    const folder = newFolder();
    const writer = fileURLToPath(new URL('./kill-writer.ts', import.meta.url));
    const vfs = new VFSContext();
    vfs.mount('/', diskBackend(folder));
    let seed = 61;
    for (let time = 0; time < 4; time++) {
      const process_ = spawn(process.execPath, [...process.execArgv, writer, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(process_.stdout, 'data');
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      await new Promise((go) => setTimeout(go, (seed / 2 ** 32) * 100));
      process_.kill('SIGKILL');
      await once(process_, 'exit');
      for (const path of [JSON_FILE, BINARY_FILE]) {
        const document = await readScene(vfs, path);
        expect(document.entities).toHaveLength(2_000);
        expect(namesIn(document).size).toBe(1);
      }
    }
    await vfs.dispose();
  });

  test('the check would find a file with parts of two versions', () => {
    const block = (n: number, value: string): SceneDocument['entities'][number] => ({
      uuid: uuidOf(n),
      components: { Name: { value } },
    });
    const mixed = {
      format: 'ecliptic-scene',
      version: 1,
      entities: [block(1, 'a'), block(2, 'b')],
    } as const;
    expect(namesIn(mixed).size).toBe(2);
    expectError('authoring/unknown-prefab', () =>
      loadScene(makeScene(), { ...mixed, entities: [{ ...block(1, 'a'), prefab: 'x' }] }),
    );
  });
});
