import { setImmediate } from 'node:timers/promises';
import { createEngine, headlessPlatform } from '@ecliptic/engine';
import { assets, ecs, scheduler, SCENE, vfs, WORLD_TICK } from '@ecliptic/engine/plugins';
import { Name } from '@ecliptic/ecs/components';
import { defineSystem } from '@ecliptic/scheduler';
import { expect, test } from 'vitest';
import { InspectorClient, InspectorLog, portConnection } from '../../src/inspector.js';
import { connectInspector, inspectorServer } from '../../src/node.js';
import { EDITOR_SESSION, editing, INSPECTOR, inspection } from '../../src/plugin.js';
import { uuidOf } from './inspected.js';

test('an engine is inspected over a port and a WebSocket, and edited between its frames', async () => {
  let endpoint = '';
  const uuid = uuidOf(1);
  const engine = createEngine({
    platform: headlessPlatform(),
    plugins: [
      ecs(),
      scheduler(),
      vfs(),
      assets([]),
      {
        id: 'test.game',
        initialize({ get }) {
          get(WORLD_TICK).registerSystem(defineSystem({ name: 'game', update() {} }));
        },
      },
      editing({ mint: () => uuid }),
      inspection({
        name: 'test',
        log: new InspectorLog(),
        files: ({ get }) => ({
          save: async () => `/${get(SCENE).entityCount}.json`,
          load: async () => '/scene.json',
        }),
      }),
      inspectorServer({ onListening: (given) => void (endpoint = given) }),
      {
        id: 'test.scene',
        initialize: ({ get }) => void get(SCENE).createEntity([Name, { value: 'Sun' }]),
      },
    ],
  });
  await engine.initialize();
  const clients = [await connectInspector(endpoint)];
  const { port1, port2 } = new MessageChannel();
  engine.get(INSPECTOR).attach(portConnection(port1));
  clients.push(new InspectorClient(portConnection(port2)));

  const during = async <T>(work: Promise<T>): Promise<T> => {
    let done = false;
    const finished = work.finally(() => (done = true));
    while (!done) {
      await engine.runFrame();
      await setImmediate();
    }
    return finished;
  };
  for (const client of clients) {
    const { name, methods } = await during(client.call('inspector.describe', {}));
    expect(name).toBe('test');
    expect(methods).toEqual(
      expect.arrayContaining(['systems.list', 'assets.list', 'mailboxes.list', 'log.read']),
    );
    const { entities } = await during(client.call('entities.find', { name: 'sun' }));
    expect(entities).toMatchObject([{ uuid, name: 'Sun' }]);
    const { waves } = await during(client.call('systems.list', {}));
    expect(waves).toEqual([{ kind: 'tick', phase: 'physics', systems: ['game'] }]);
    expect(await during(client.call('scene.save', {}))).toEqual({ path: '/1.json' });
  }
  const [client, other] = clients;
  await during(
    client?.call('session.edit', {
      label: 'Rename',
      edits: [{ kind: 'set', entity: uuid, component: 'Name', value: { value: 'Star' } }],
    }) ?? Promise.reject(new Error('no client')),
  );
  const session = engine.get(EDITOR_SESSION);
  const name = (): string | undefined =>
    engine.get(SCENE).getComponent(session.entityOf(uuid), Name)?.value;
  expect(name()).toBe('Star');
  const undone = session.submit(() => session.undo());
  await engine.runFrame();
  expect(await undone).toBe('Rename');
  expect(name()).toBe('Sun');

  await engine.shutdown();
  expect(await client?.closed).toBe('the engine has ended');
  expect(await other?.closed).toBe('the engine has ended');
  await expect(connectInspector(endpoint)).rejects.toMatchObject({
    code: 'authoring/inspector-refused',
  });
});
