import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  frameStateFormat,
  INSTANCE_MOVING,
  memoryLinks,
  NO_INSTANCE,
  ReliableReceiver,
  ReliableSender,
  RenderScene,
  type InstanceRecord,
  type RenderMessage,
} from '../src/index.js';
import { IDENTITY, rowsOf } from './fixtures/transforms.js';
import { uuid } from './fixtures/triangle.js';

const budget = { instances: 16, lights: 2, cameras: 2 };
const meshUuid = uuid(1);

describe('the render scene', () => {
  test('an id is alive until its instance is destroyed, and never again', () => {
    const scene = new RenderScene({ budget });
    const id = scene.createInstance({ meshUuid });
    expect(scene.hasInstance(id)).toBe(true);
    expect(scene.destroyInstance(id)).toBe(true);
    expect(scene.destroyInstance(id)).toBe(false);
    for (let n = 0; n < 100; n++) {
      const other = scene.createInstance({ meshUuid });
      expect(other).not.toBe(id);
      expect(scene.hasInstance(id)).toBe(false);
      scene.destroyInstance(other);
    }
    expect([NO_INSTANCE, 0, -1, 1e12].map((n) => scene.hasInstance(n))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(() => scene.describeInstance(id, { meshUuid })).toThrow(
      expect.objectContaining({ code: 'render-sync/unknown-instance' }),
    );
  });

  test('the instance beyond the budget is an error, and the scene is unharmed', () => {
    const scene = new RenderScene({ budget });
    for (let n = 0; n < 16; n++) scene.createInstance({ meshUuid });
    expect(() => scene.createInstance({ meshUuid })).toThrow(
      expect.objectContaining({ code: 'render-sync/instance-budget' }),
    );
    expect(scene.instanceCount).toBe(16);
  });

  test('a new instance is at the origin, also in a place that another left', () => {
    const scene = new RenderScene({ budget });
    const first = scene.createInstance({ meshUuid });
    const rows = rowsOf({ ...IDENTITY, position: [1, 2, 3] });
    scene.setTransform(first, rows, 0, rows, 0);
    scene.destroyInstance(first);
    scene.createInstance({ meshUuid });
    expect(scene.instanceCurrent.subarray(0, 12)).toEqual(rowsOf(IDENTITY));
    expect(scene.instancePrevious.subarray(0, 12)).toEqual(rowsOf(IDENTITY));
  });

  test('knows which instances move', () => {
    const scene = new RenderScene({ budget });
    const id = scene.createInstance({ meshUuid });
    const here = rowsOf(IDENTITY);
    const there = rowsOf({ ...IDENTITY, position: [1, 0, 0] });
    scene.setTransform(id, here, 0, there, 0);
    expect(scene.instanceFlags[0]).toBe(INSTANCE_MOVING);
    scene.setTransform(id, there, 0, there, 0);
    expect(scene.instanceFlags[0]).toBe(0);
  });

  test('whatever is created, changed and destroyed, a renderer that reads the messages agrees with it', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), mesh: fc.nat(3) }),
      fc.record({ kind: fc.constant('describe' as const), which: fc.nat(20), mesh: fc.nat(3) }),
      fc.record({ kind: fc.constant('destroy' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('send' as const) }),
      fc.record({ kind: fc.constant('drain' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const scene = new RenderScene({ budget });
        const [near, far] = memoryLinks();
        const sender = new ReliableSender<RenderMessage>(near, 2); // small: it refuses now and then
        const receiver = new ReliableReceiver<RenderMessage>(far);
        const mirror = new Map<number, InstanceRecord>();
        const faults: string[] = [];
        const drain = (): void => {
          receiver.drain((message) => {
            if (message.kind !== 'instances') return;
            for (const id of message.removed) if (!mirror.delete(id)) faults.push(`removed ${id}`);
            for (const record of message.set) mirror.set(record.id, record);
          });
        };
        const ids: number[] = [];
        const expected = new Map<number, string>();
        for (const each of [
          ...steps,
          { kind: 'drain' as const },
          { kind: 'send' as const },
          { kind: 'drain' as const },
        ]) {
          const id = 'which' in each ? (ids[each.which % Math.max(1, ids.length)] ?? 0) : 0;
          if (each.kind === 'create' && scene.instanceCount < budget.instances) {
            const created = scene.createInstance({ meshUuid: uuid(each.mesh) });
            ids.push(created);
            expected.set(created, uuid(each.mesh));
          } else if (each.kind === 'describe' && expected.has(id)) {
            scene.describeInstance(id, { meshUuid: uuid(each.mesh) });
            expected.set(id, uuid(each.mesh));
          } else if (each.kind === 'destroy') {
            if (scene.destroyInstance(id) !== expected.delete(id)) faults.push(`destroyed ${id}`);
          } else if (each.kind === 'send') {
            scene.sendChanges(sender);
          } else if (each.kind === 'drain') {
            drain();
          }
        }
        expect(faults).toEqual([]);
        expect(new Map([...mirror].map(([id, { meshUuid: mesh }]) => [id, mesh]))).toEqual(
          expected,
        );
        const dense = [...scene.instanceIds.subarray(0, scene.instanceCount)];
        expect(new Set(dense)).toEqual(new Set(expected.keys()));
        for (const [index, id] of dense.entries()) expect(scene.denseIndex(id)).toBe(index);
      }),
    );
  });

  test('a frame state gets everything: instances, lights, cameras, sky', () => {
    const scene = new RenderScene({ budget });
    const format = frameStateFormat(budget);
    const state = format.view(new ArrayBuffer(format.byteLength), 0);
    const rows = rowsOf({ ...IDENTITY, position: [4, 5, 6] });
    const id = scene.createInstance({ meshUuid });
    scene.setTransform(id, rows, 0, rows, 0);
    const light = {
      kind: 2,
      red: 1,
      green: 0.5,
      blue: 0.25,
      intensity: 3,
      range: 9,
      spotAngle: 1,
      innerSpotAngle: 0.5,
      castsShadow: true,
    };
    expect([0, 1, 2].map(() => scene.lights.add(7, light, rows, 0, rows, 0))).toEqual([
      true,
      true,
      false,
    ]);
    expect(scene.lights.overflow).toBe(1);
    scene.cameras.main = scene.cameras.add(
      8,
      { fovY: 1, near: 0.5, far: 10, aspect: 2, projection: 1, orthographicHeight: 7 },
      rows,
      0,
      rows,
      0,
    );
    scene.sky.set({
      kind: 'environment',
      environmentUuid: uuid(5),
      intensity: 2,
      color: [1, 0, 0],
    });
    state.reset();
    scene.writeTo(state);
    expect([state.instanceCount, state.lightCount, state.cameraCount]).toEqual([1, 2, 1]);
    expect(state.instanceIds[0]).toBe(id);
    expect(state.instanceCurrent.subarray(0, 12)).toEqual(rows);
    expect([...state.lightParameters.subarray(0, 8)]).toEqual([1, 0.5, 0.25, 3, 9, 1, 0.5, 1]);
    expect([state.lightKinds[0], state.lightIds[0], state.cameraIds[0]]).toEqual([2, 7, 8]);
    expect([...state.cameraParameters.subarray(0, 6)]).toEqual([1, 0.5, 10, 2, 1, 7]);
    expect([state.mainCamera, state.skyKind, state.skyIntensity]).toEqual([0, 3, 2]);
    expect(state.skyEnvironment[15]).toBe(5);
    expect([...state.skyColor]).toEqual([1, 0, 0, 1]);
  });
});

test('the layout of a frame state: every part on 64 bytes, none overlapping, known offsets', () => {
  const { layout } = frameStateFormat({
    instances: 10,
    lights: 3,
    cameras: 2,
    deforms: 2,
    joints: 3,
    morphWeights: 5,
    debugLines: 4,
  });
  expect(layout).toMatchObject({
    byteLength: 3328,
    header: 0,
    skyColor: 256,
    skyEnvironment: 320,
    cameraIds: 384,
    cameraPrevious: 512,
    lightParameters: 896,
    instanceIds: 1408,
    instanceCurrent: 2048,
    deforms: 2560,
    jointCurrent: 2816,
    weightPrevious: 3008,
    weightCurrent: 3072,
  });
});

test('a budget that is no whole number of 1 or more is refused', () => {
  for (const instances of [0, -1, 1.5, NaN, 2 ** 30]) {
    expect(() => frameStateFormat({ instances })).toThrow(
      expect.objectContaining({ code: 'render-sync/frame-budget' }),
    );
  }
});
