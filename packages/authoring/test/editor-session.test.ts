import { EventLog } from '@ecliptic/core';
import { captureSnapshot, INVALID_ENTITY, write } from '@ecliptic/ecs';
import { Name, Transform, Uuid } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import { captureScene, EditorSession, formatScene, parseScene } from '../src/index.js';
import { A, B, C, D, setUp, setValue, valueOf } from './edited.js';
import {
  Everything,
  expectError,
  expectRejection,
  makeScene,
  Notes,
  Sparse,
  uuidOf,
} from './support.js';

describe('selection and hover', () => {
  test('are of entities, by UUID, in order of choice', () => {
    const { session, events } = setUp();
    session.select([B, A]);
    expect(session.selection).toEqual([B, A]);
    session.select([C, B], 'add');
    expect(session.selection).toEqual([A, C, B]);
    session.select([C, D], 'toggle');
    expect(session.selection).toEqual([A, B, D]);
    session.select([A, C], 'remove');
    expect(session.selection).toEqual([B, D]);
    session.select([B, D]);
    session.hover(A);
    session.hover(A);
    expect(session.hovered).toBe(A);
    session.hover(undefined);
    expect(events).toEqual(['selection', 'selection', 'selection', 'selection', 'hover', 'hover']);
    expectError('authoring/unknown-entity', () => session.select([A, uuidOf(9)]));
    expectError('authoring/unknown-entity', () => session.hover(uuidOf(9)));
    expect(session.selection).toEqual([B, D]);
  });

  test('lose what goes, whoever lets it go', () => {
    const { scene, session, events } = setUp();
    session.select([A, B, C, D]);
    session.hover(B);
    session.edit({ label: 'Delete', edits: [{ kind: 'delete', entity: A }] });
    expect(session.selection).toEqual([D]);
    expect(session.hovered).toBeUndefined();
    scene.destroyEntity(session.entityOf(D));
    expect(session.selection).toEqual([]);
    expect(events.at(-1)).toBe('selection');
  });

  test('outlive a transaction that fails after it deleted them', () => {
    const { session } = setUp();
    session.select([B, D]);
    session.hover(B);
    expectError('authoring/unknown-entity', () =>
      session.edit({
        label: 'Delete',
        edits: [
          { kind: 'delete', entity: A },
          { kind: 'delete', entity: uuidOf(9) },
        ],
      }),
    );
    expect(session.selection).toEqual([B, D]);
    expect(session.hovered).toBe(B);
  });
});

describe('play mode', () => {
  test('leaves no trace: bytes, ids, selection, history, objects', () => {
    const { scene, session, events } = setUp();
    const data = {};
    scene.addComponent(session.entityOf(C), Notes, { data });
    session.edit({ label: 'Set', edits: [setValue(3)] });
    session.select([D, B]);
    const ids = [A, B, C, D].map((uuid) => session.entityOf(uuid));
    const play = (): void => {
      session.play();
      expect(session.mode).toBe('playing');
      expect(session.undo()).toBeUndefined();
      for (let step = 0; step < 50; step++) {
        scene.destroyEntity(
          scene.createEntity([Transform, { position: [step, 0, 0] }], [Name, { value: 'spark' }]),
        );
        scene.createEntity([Everything, { speed: step }]);
        scene.query(write(Sparse)).forEach((_, sparse) => {
          sparse.value += 1;
        });
      }
      session.edit({ label: 'Cheat', edits: [setValue(100)] });
      session.edit({ label: 'Kill', edits: [{ kind: 'delete', entity: A }] });
      expect(session.selection).toEqual([D]);
      scene.destroyEntity(session.entityOf(D));
      session.stop();
    };
    // Archetypes that are new stay, empty, and snapshots list them: all there will be are there after one time.
    play();
    const before = captureSnapshot(scene);
    const file = formatScene(captureScene(scene));
    events.length = 0;
    play();
    expect(session.mode).toBe('editing');
    expect(captureSnapshot(scene)).toEqual(before);
    expect(formatScene(captureScene(scene))).toBe(file);
    expect([A, B, C, D].map((uuid) => session.entityOf(uuid))).toEqual(ids);
    expect(scene.getComponent(session.entityOf(C), Notes)?.data).toBe(data);
    expect(session.selection).toEqual([D, B]);
    expect(session.undoSteps).toEqual(['Set']);
    session.undo();
    expect(valueOf(session)).toBe(1);
    expect(events.filter((event) => event !== 'selection')).toEqual([
      'play',
      'edit',
      'edit',
      'stop',
      'undo',
    ]);
  });

  test('is begun once, and ended once', () => {
    const { session } = setUp();
    expectError('authoring/not-playing', () => session.stop());
    session.play();
    expectError('authoring/playing', () => session.play());
    expectError('authoring/playing', () => session.load(captureScene(session.scene)));
    session.stop();
    expect(session.mode).toBe('editing');
  });
});

describe('a session', () => {
  test('applies what was submitted at one point of the frame, in order', async () => {
    const { session } = setUp();
    const first = session.submit(() => session.edit({ label: 'One', edits: [setValue(2)] }));
    const second = session.submit(() => session.undo());
    const wrong = session.submit(() =>
      session.edit({ label: 'Wrong', edits: [setValue(1, { entity: uuidOf(9) })] }),
    );
    const nested = session.submit(() => session.submit(() => 'later'));
    expect(valueOf(session)).toBe(1);
    expect(session.flush()).toBe(4);
    await first;
    expect(await second).toBe('One');
    await expectRejection('authoring/unknown-entity', wrong);
    expect(session.flush()).toBe(1);
    expect(await nested).toBe('later');
    expect(session.flush()).toBe(0);
  });

  test('replaces its scene: the history begins anew, what is there again stays selected', () => {
    const { scene, session, events } = setUp();
    session.edit({ label: 'Set', edits: [setValue(2)] });
    session.select([B, D]);
    const document = parseScene(formatScene(captureScene(scene)));
    session.load({ ...document, entities: document.entities.filter(({ uuid }) => uuid !== D) });
    expect(session.undoSteps).toEqual([]);
    expect(session.selection).toEqual([B]);
    expect(events.at(-1)).toBe('replace');
    expect(valueOf(session)).toBe(2);
  });

  test('gives entities without a UUID one, when it begins and where they are deleted', () => {
    const scene = makeScene();
    let count = 0;
    const mint = (): string => uuidOf(++count);
    const first = scene.createEntity();
    const session = new EditorSession(scene, { mint });
    expect(session.uuidOf(first)).toBe(uuidOf(1));
    const second = scene.createEntity([Name, { value: 'late' }]);
    scene.setParent(second, first);
    expect(session.uuidOf(second)).toBeUndefined();
    session.edit({ label: 'Delete', edits: [{ kind: 'delete', entity: uuidOf(1) }] });
    session.undo();
    const [child] = scene.childrenOf(session.entityOf(uuidOf(1)));
    expect(scene.getComponent(child ?? INVALID_ENTITY, Name)?.value).toBe('late');
  });

  test('finds the first of two entities with one UUID, and warns about the other', () => {
    const scene = makeScene();
    const first = scene.createEntity([Uuid, { value: A }]);
    scene.createEntity([Uuid, { value: A }]);
    const warned: unknown[] = [];
    const log = new EventLog('test');
    log.warnOnce = (event, subject) => warned.push([event, subject]) > 0;
    const session = new EditorSession(scene, { log });
    expect(session.entityOf(A)).toBe(first);
    expect(warned).toEqual([['duplicate_uuid', A]]);
    scene.setComponent(first, Uuid, { value: B });
    expect(session.entityOf(B)).toBe(first);
    expect(session.entityOf(A)).toBe(INVALID_ENTITY);
  });

  test('that is over rejects what waits, and follows nothing', async () => {
    const { scene, session, events } = setUp();
    const waiting = session.submit(() => 1);
    session.dispose();
    session.dispose();
    await expectRejection('authoring/session-disposed', waiting);
    await expectRejection(
      'authoring/session-disposed',
      session.submit(() => 1),
    );
    session.select([A]);
    scene.clear();
    expect(events).toEqual([]);
  });
});
