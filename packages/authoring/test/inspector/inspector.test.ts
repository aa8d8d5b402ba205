import { AssetRegistry } from '@ecliptic/assets';
import { createUuid } from '@ecliptic/core';
import { Transform } from '@ecliptic/ecs/components';
import { defineSystem, WorldTick } from '@ecliptic/scheduler';
import { Commands } from '@ecliptic/ecs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  InspectorClient,
  InspectorLog,
  portConnection,
  type InspectorSources,
} from '../../src/inspector.js';
import { inspected, uuidOf } from './inspected.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** An engine that ticks, and a client over a MessageChannel. */
function connect(sources: Partial<InspectorSources> = {}, asteroids = 0) {
  const made = inspected({ sources, asteroids });
  const { port1, port2 } = new MessageChannel();
  made.inspector.attach(portConnection(port1));
  const client = new InspectorClient(portConnection(port2));
  const ticking = setInterval(() => made.inspector.tick(), 1);
  ends.push(() => {
    clearInterval(ticking);
    client.close();
    made.inspector.dispose();
  });
  return { ...made, client };
}

test('says what it is, and lists only methods of what is there', async () => {
  const { client } = connect({ name: 'orrery' });
  const { methods, ...rest } = await client.call('inspector.describe', {});
  expect(rest).toEqual({ protocol: 1, name: 'orrery', client: 'client-1' });
  expect(methods).toContain('entities.find');
  expect(methods).not.toContain('systems.list');
  await expect(client.call('systems.list', {})).rejects.toMatchObject({
    code: 'authoring/unknown-method',
  });
});

describe('entities', () => {
  test('children are given part by part, roots too', async () => {
    const { client, sun } = connect({}, 500);
    const roots = await client.call('entities.children', { limit: 10 });
    expect(roots.total).toBe(501);
    expect(roots.entities).toHaveLength(10);
    const last = await client.call('entities.children', { offset: 495, limit: 200 });
    expect(last.entities).toHaveLength(6);
    const below = await client.call('entities.children', { of: uuidOf(1) });
    expect(below.total).toBe(2);
    expect(below.entities[0]).toEqual({
      id: expect.any(Number),
      uuid: uuidOf(2),
      name: 'Rocky planet',
      label: 'Rocky planet',
      components: expect.arrayContaining(['Uuid', 'Name', 'Transform', 'Orbit', 'Parent']),
      children: 0,
      parent: sun,
    });
  });

  test('without a name are called what the application calls them', async () => {
    const { client } = connect({ labelOf: (entity) => `Rock ${entity}` }, 2);
    const { entities } = await client.call('entities.children', {});
    expect(entities.map(({ id, label }) => label.replace(String(id), 'n'))).toEqual([
      'Sun',
      'Rock n',
      'Rock n',
    ]);
  });

  test('are found by part of the name and by components, page by page', async () => {
    const { client } = connect({}, 500);
    const planets = await client.call('entities.find', { name: 'PLANET' });
    expect(planets.entities.map(({ name }) => name).sort()).toEqual([
      'Ocean planet',
      'Rocky planet',
    ]);
    expect(planets.next).toBeNull();
    const ids: number[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: { entities: readonly { id: number }[]; next: string | null } = await client.call(
        'entities.find',
        { without: ['Name'], after, limit: 150 },
      );
      ids.push(...page.entities.map(({ id }) => id));
      after = page.next;
    }
    expect(new Set(ids).size).toBe(500);
    expect(ids).toHaveLength(500);
    await expect(client.call('entities.find', { with: ['Nope'] })).rejects.toMatchObject({
      code: 'authoring/unknown-component',
    });
    await expect(client.call('entities.find', { after: 'x' })).rejects.toMatchObject({
      code: 'authoring/invalid-params',
    });
  });

  test('show their components as plain values; one that died is an error', async () => {
    const { client, scene, sun } = connect();
    scene.setComponent(sun, Transform, { position: [0.1, 2, 3] });
    const { entity, components } = await client.call('components.get', { entity: sun });
    expect(entity.uuid).toBe(uuidOf(1));
    const byName = Object.fromEntries(components.map(({ name, value }) => [name, value]));
    expect(byName['Transform']).toMatchObject({ position: [0.1, 2, 3], rotation: [0, 0, 0, 1] });
    expect(byName['Orbit']).toEqual({ speed: 1, kind: 'circle', axis: [0, 0, 0], note: '' });
    const below = await client.call('components.get', { entity: uuidOf(2) });
    expect(below.components.find(({ name }) => name === 'Parent')?.value).toEqual({
      entity: uuidOf(1),
    });
    scene.destroyEntity(sun);
    await expect(client.call('components.get', { entity: sun })).rejects.toMatchObject({
      code: 'authoring/unknown-entity',
      subjects: { entity: sun },
    });
  });

  test('component types are described by their schemas', async () => {
    const { client } = connect();
    const { components } = await client.call('components.list', {});
    const orbit = components.find(({ name }) => name === 'Orbit');
    expect(orbit?.fields).toMatchObject([
      {
        name: 'speed',
        kind: 'number',
        min: 0,
        max: null,
        whole: false,
        description: 'radians a second',
      },
      { name: 'kind', kind: 'oneOf', choices: ['circle', 'ellipse'] },
      { name: 'axis', kind: 'vec3', size: 3 },
      { name: 'note', kind: 'text', size: 16 },
    ]);
  });
});

test('systems are shown with times and waves, archetypes with memory', async () => {
  const { scene } = inspected();
  const worldTick = new WorldTick(scene);
  worldTick.registerSystem(defineSystem({ name: 'a', update() {} }));
  worldTick.registerSystem(defineSystem({ name: 'b', after: ['a'], update() {} }));
  const { client } = connect({ worldTick });
  expect((await client.call('systems.list', {})).waves).toEqual([]);
  worldTick.commit();
  void worldTick.tick(1 / 60, new Commands(scene));
  const { systems, waves } = await client.call('systems.list', {});
  expect(systems).toMatchObject([
    { name: 'a', runs: 1, failures: 0 },
    { name: 'b', runs: 1 },
  ]);
  expect(waves.map((wave) => wave.systems)).toEqual([['a'], ['b']]);
  const { archetypes, memory } = await client.call('archetypes.list', {});
  expect(archetypes.some(({ components }) => components.includes('Orbit'))).toBe(true);
  expect(memory.used).toBeGreaterThan(0);
});

test('assets are shown with states as they change, mailboxes with counters', async () => {
  const assets = new AssetRegistry();
  const uuids = Array.from({ length: 3 }, () => createUuid());
  for (const [i, uuid] of uuids.entries()) {
    assets.register({ uuid, type: 'mesh', path: `/m${i}.glb` });
  }
  const { client } = connect({
    assets,
    imports: { progress: { total: 3, completed: 1, failed: 1 } },
    mailboxes: {
      frames: {
        stats: { published: 9, taken: 8, replaced: 1 },
        slotStates: () => ['free', 'ready', 'reading'],
      },
    },
  });
  const late = createUuid();
  assets.register({ uuid: late, type: 'texture' });
  assets.setState(uuids[1] ?? '', 'importing');
  const page = await client.call('assets.list', { offset: 1, limit: 2 });
  expect(page).toEqual({
    total: 4,
    assets: [
      { uuid: uuids[1], type: 'mesh', key: '', path: '/m1.glb', state: 'importing' },
      { uuid: uuids[2], type: 'mesh', key: '', path: '/m2.glb', state: 'registered' },
    ],
    imports: { total: 3, completed: 1, failed: 1 },
  });
  expect((await client.call('assets.list', { offset: 3 })).assets).toEqual([
    { uuid: late, type: 'texture', key: '', path: null, state: 'registered' },
  ]);
  expect((await client.call('mailboxes.list', {})).mailboxes).toEqual([
    { name: 'frames', published: 9, taken: 8, replaced: 1, slots: ['free', 'ready', 'reading'] },
  ]);
});

test('the log keeps the newest records, and says how many are gone', async () => {
  const log = new InspectorLog(3);
  const { client } = connect({ log });
  for (let i = 1; i <= 5; i++) {
    log.sink({
      category: ['ecliptic', 'test'],
      level: 'info',
      message: ['event ', i, ' because ', new Error('so')],
      timestamp: i,
    });
  }
  const page = await client.call('log.read', { after: 1 });
  expect(page).toMatchObject({ next: 5, lost: 1 });
  expect(page.records).toEqual(
    [3, 4, 5].map((i) => ({
      time: i,
      level: 'info',
      category: 'ecliptic.test',
      text: `event ${i} because Error: so`,
    })),
  );
});

test('saving and loading is what the application does', async () => {
  let saved = 0;
  const { client } = connect({
    files: {
      save: async () => `/scene-${++saved}.json`,
      load: async () => {
        throw new TypeError('secret of the application');
      },
    },
  });
  expect(await client.call('scene.save', {})).toEqual({ path: '/scene-1.json' });
  const error = await client.call('scene.load', {}).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'authoring/inspector-failed' });
  expect(String(error)).not.toContain('secret');
});

test('a call that nobody waits for is forgotten; the end of the line ends those that wait', async () => {
  const { client, inspector } = connect();
  const controller = new AbortController();
  const given = client.call('session.state', {}, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  expect((await client.call('session.state', {})).mode).toBe('editing');
  const ended = client.call('session.state', {});
  inspector.dispose();
  await expect(ended).rejects.toMatchObject({ code: 'authoring/inspector-disconnected' });
  expect(await client.closed).toBe('the engine has ended');
  await expect(client.call('session.state', {})).rejects.toMatchObject({
    code: 'authoring/inspector-disconnected',
  });
});
