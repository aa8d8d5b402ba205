import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  memoryLinks,
  Outbox,
  ReliableReceiver,
  ReliableSender,
  RenderScene,
  type RenderMessage,
} from '../src/index.js';
import { ResourceFrees } from '../src/resources/resource-frees.js';
import { triangle, uuid } from './fixtures/triangle.js';

/** A queue for one message, one more that waits, and a renderer that hears what was sent when it is asked to. */
function queue() {
  const [near, far] = memoryLinks();
  const sender = new ReliableSender<RenderMessage>(near, 1);
  const receiver = new ReliableReceiver<RenderMessage>(far);
  const outbox = new Outbox(sender, 1);
  const scene = new RenderScene({ budget: { instances: 64 } });
  const heard: RenderMessage[] = [];
  const receive = (): void => {
    receiver.drain((message) => heard.push(message));
    outbox.flush();
  };
  return { scene, outbox, frees: new ResourceFrees(outbox, scene), heard, receive };
}

test('what there is no room for is freed later, but for what is used again meanwhile', () => {
  const { scene, frees, heard, receive } = queue();
  for (const n of [1, 2, 3, 4, 3]) expect(frees.free('mesh', uuid(n))).toBe(true);
  scene.createInstance({ meshUuid: uuid(4) });
  expect(frees.free('mesh', uuid(4))).toBe(false);
  for (let n = 0; n < 5; n++) {
    receive();
    frees.flush();
  }
  expect(heard).toEqual([1, 2, 3].map((n) => ({ kind: 'free', resource: 'mesh', uuid: uuid(n) })));
});

test('whatever is used and left while the renderer hears now and then, in the end it has what is used', () => {
  const mesh = fc.integer({ min: 1, max: 4 });
  const step = fc.oneof(
    fc.record({ use: mesh }),
    fc.record({ leave: mesh }),
    fc.constantFrom('receive' as const, 'publish' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { scene, outbox, frees, heard, receive } = queue();
      const instances = new Map<string, number[]>();
      const sent = new Set<string>();
      const publish = (): void => {
        frees.flush();
        for (const meshUuid of scene.meshesInUse()) {
          if (sent.has(meshUuid)) continue;
          if (outbox.tryPost({ kind: 'mesh', uuid: meshUuid, mesh: triangle })) sent.add(meshUuid);
        }
      };
      for (const action of steps) {
        if (action === 'receive') receive();
        else if (action === 'publish') publish();
        else if ('use' in action) {
          const meshUuid = uuid(action.use);
          const ids = instances.get(meshUuid) ?? [];
          instances.set(meshUuid, [...ids, scene.createInstance({ meshUuid })]);
        } else {
          const meshUuid = uuid(action.leave);
          const last = instances.get(meshUuid)?.pop();
          if (last === undefined) continue;
          scene.destroyInstance(last);
          if (frees.free('mesh', meshUuid)) sent.delete(meshUuid);
        }
      }
      for (let n = 0; n < 20; n++) {
        publish();
        receive();
      }
      const resident = new Set<string>();
      for (const message of heard) {
        if (message.kind === 'mesh') resident.add(message.uuid);
        else if (message.kind === 'free') resident.delete(message.uuid);
      }
      expect([...resident].toSorted()).toEqual([...scene.meshesInUse()].toSorted());
    }),
    { numRuns: 300 },
  );
});
