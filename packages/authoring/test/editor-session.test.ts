import { EventLog, ManualClock } from '@ecliptic/core';
import { captureSnapshot, INVALID_ENTITY, write, type EntityId, type Scene } from '@ecliptic/ecs';
import { Name, Transform, Uuid } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import {
  captureScene,
  EditorSession,
  formatScene,
  parseScene,
  type Edit,
  type SessionEvent,
} from '../src/index.js';
import {
  Everything,
  expectError,
  expectRejection,
  Follows,
  makeScene,
  Notes,
  Sparse,
  uuidOf,
} from './support.js';

const [A, B, C, D] = [uuidOf(1), uuidOf(2), uuidOf(3), uuidOf(4)] as const;

/** A session of a scene with `A`, below it `B` and `C`, and `D`, which follows `B`. */
function setUp(): {
  scene: Scene;
  session: EditorSession;
  clock: ManualClock;
  events: SessionEvent[];
} {
  const scene = makeScene();
  const [a, b, c, d] = [A, B, C, D].map((value) => scene.createEntity([Uuid, { value }])) as [
    EntityId,
    EntityId,
    EntityId,
    EntityId,
  ];
  for (const child of [b, c]) scene.setParent(child, a);
  scene.addComponent(d, Follows, { target: b });
  scene.addComponent(b, Sparse, { value: 1 });
  const clock = new ManualClock();
  const session = new EditorSession(scene, { clock });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { scene, session, clock, events };
}

const setValue = (value: number, more: object = {}): Edit => ({
  kind: 'set',
  entity: B,
  component: 'Sparse',
  value: { value },
  ...more,
});
const valueOf = (session: EditorSession): number | undefined =>
  session.scene.getComponent(session.entityOf(B), Sparse)?.value;

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

describe('a transaction', () => {
  test('deletes what is below, and undoing brings it back: order, values, references, objects', () => {
    const { scene, session } = setUp();
    const data = new Map([['not', 'plain']]);
    scene.addComponent(session.entityOf(C), Notes, { data });
    const old = session.entityOf(B);
    session.edit({ label: 'Delete B', edits: [{ kind: 'delete', entity: B }] });
    expect(scene.getComponent(session.entityOf(D), Follows)?.target).toBe(old);
    expect(scene.isAlive(old)).toBe(false);
    session.edit({ label: 'Delete A', edits: [{ kind: 'delete', entity: A }] });
    expect(scene.entityCount).toBe(1);
    session.undo();
    session.undo();
    expect(scene.childrenOf(session.entityOf(A)).map((id) => session.uuidOf(id))).toEqual([B, C]);
    expect(session.entityOf(B)).not.toBe(old);
    expect(scene.getComponent(session.entityOf(D), Follows)?.target).toBe(session.entityOf(B));
    expect(scene.getComponent(session.entityOf(C), Notes)?.data).toBe(data);
    // The step before them still finds its entity, which is another one now.
    session.redo();
    session.undo();
    session.edit({ label: 'Set', edits: [setValue(7)] });
    expect(valueOf(session)).toBe(7);
    session.undo();
    expect(valueOf(session)).toBe(1);
  });

  test('moves entities to any place', () => {
    const { scene, session } = setUp();
    const order = (): (string | undefined)[] =>
      scene.childrenOf(session.entityOf(A)).map((id) => session.uuidOf(id));
    const move = (entity: string, parent: string | null, before?: string): void =>
      session.edit({
        label: 'Move',
        edits: [{ kind: 'reparent', entity, parent, ...(before === undefined ? {} : { before }) }],
      });
    move(D, A, C);
    expect(order()).toEqual([B, D, C]);
    move(B, A);
    expect(order()).toEqual([D, C, B]);
    move(C, null);
    expect(order()).toEqual([D, B]);
    move(C, D);
    expectError('ecs/parent-cycle', () => move(A, C));
    expectError('authoring/invalid-value', () => move(B, A, C));
    expectError('authoring/invalid-value', () => move(B, null, C));
    expect(session.undoSteps).toHaveLength(4);
    while (session.undo() !== undefined);
    expect(order()).toEqual([B, C]);
    expect(scene.parentOf(session.entityOf(D))).toBe(INVALID_ENTITY);
  });

  test.each<[string, object]>([
    ['authoring/unknown-entity', { kind: 'delete', entity: uuidOf(9) }],
    ['authoring/unknown-entity', setValue(1, { entity: uuidOf(9) })],
    ['authoring/unknown-entity', { kind: 'create', entity: uuidOf(8), parent: uuidOf(9) }],
    [
      'authoring/unknown-entity',
      { kind: 'set', entity: D, component: 'Follows', value: { target: uuidOf(9) } },
    ],
    ['authoring/unknown-component', setValue(1, { component: 'Nothing' })],
    ['authoring/unknown-component', setValue(1, { component: '__proto__' })],
    ['authoring/missing-component', setValue(1, { entity: A })],
    ['authoring/missing-component', { kind: 'remove', entity: A, component: 'Sparse' }],
    ['ecs/duplicate-component', { kind: 'add', entity: B, component: 'Sparse' }],
    ['authoring/duplicate-uuid', { kind: 'create', entity: A }],
    ['authoring/duplicate-uuid', { kind: 'create', entity: 'x' }],
    [
      'authoring/not-editable',
      { kind: 'set', entity: A, component: 'Uuid', value: { value: uuidOf(9) } },
    ],
    ['authoring/not-editable', { kind: 'add', entity: D, component: 'Parent', value: {} }],
    [
      'authoring/not-editable',
      { kind: 'add', entity: D, component: 'Transform', value: { world: [] } },
    ],
    ['authoring/invalid-value', setValue(NaN)],
    ['authoring/invalid-value', setValue(1, { value: { other: 1 } })],
    [
      'authoring/invalid-value',
      { kind: 'add', entity: A, component: 'Everything', value: { speed: 5_000 } },
    ],
    [
      'authoring/invalid-value',
      { kind: 'set', entity: D, component: 'Follows', value: { target: 5 } },
    ],
    [
      'authoring/asset-path',
      { kind: 'add', entity: A, component: 'Mesh', value: { meshUuid: 'a/b.glb' } },
    ],
    ['authoring/unknown-edit', { kind: 'explode', entity: A }],
  ])('with a mistake is %s, and changes nothing: %o', (code, edit) => {
    const { scene, session } = setUp();
    const before = formatScene(captureScene(scene));
    expectError(code, () => session.edit({ label: 'Wrong', edits: [setValue(5), edit as Edit] }));
    expect(formatScene(captureScene(scene))).toBe(before);
    expect(session.undoSteps).toEqual([]);
  });

  test('of an entity that died meanwhile is refused, and so is undoing it; what came before still is undone', () => {
    const { scene, session } = setUp();
    session.edit({
      label: 'Create',
      edits: [{ kind: 'create', entity: uuidOf(5), components: { Sparse: {} } }],
    });
    session.edit({ label: 'Set', edits: [setValue(5)] });
    scene.destroyEntity(session.entityOf(B));
    expectError('authoring/unknown-entity', () =>
      session.edit({ label: 'Set', edits: [setValue(6)] }),
    );
    expectError('authoring/unknown-entity', () => session.undo());
    expect(session.undoSteps).toEqual(['Create']);
    expect(session.undo()).toBe('Create');
    expect(session.entityOf(uuidOf(5))).toBe(INVALID_ENTITY);
  });

  test('says what it expects, where two edit one field', () => {
    const { session } = setUp();
    session.edit({ label: 'Mine', edits: [setValue(2, { expected: { value: 1 } })] });
    const error = expectError('authoring/edit-conflict', () =>
      session.edit({ label: 'Theirs', edits: [setValue(3, { expected: { value: 1 } })] }),
    );
    expect(error.subjects).toEqual({ entity: B, component: 'Sparse', field: 'value' });
    expect(valueOf(session)).toBe(2);
    session.edit({ label: 'Overwrite', edits: [setValue(3)] });
    session.undo();
    session.undo();
    // Redoing does not ask again.
    session.redo();
    expect(valueOf(session)).toBe(2);
  });
});

describe('the history', () => {
  test('keeps 100 steps', () => {
    const { session, clock } = setUp();
    for (let n = 1; n <= 130; n++) {
      clock.advance(1_000_000_000);
      session.edit({ label: `${n}`, edits: [setValue(n)] });
    }
    expect(session.undoSteps).toHaveLength(100);
    let steps = 0;
    while (session.undo() !== undefined) steps++;
    expect(steps).toBe(100);
    expect(valueOf(session)).toBe(30);
  });

  test('takes the same edit within 200 ms for one step, and applies every value', () => {
    const { session, clock } = setUp();
    for (let n = 1; n <= 10; n++) {
      session.edit({ label: 'Drag', edits: [setValue(n / 10)] });
      expect(valueOf(session)).toBe(n / 10);
      clock.advance(200_000_000);
    }
    expect(session.undoSteps).toEqual(['Drag']);
    expect(session.undo()).toBe('Drag');
    expect(valueOf(session)).toBe(1);
    session.redo();
    expect(valueOf(session)).toBe(1);
    session.undo();
    session.redo();
    // After an undo, a new edit is a step of its own.
    session.edit({ label: 'Drag', edits: [setValue(5)] });
    expect(session.undoSteps).toEqual(['Drag', 'Drag']);
  });

  test('begins a new step after 200 ms, for another field, entity or label', () => {
    const { session, clock } = setUp();
    session.edit({ label: 'Drag', edits: [setValue(2)] });
    clock.advance(200_000_001);
    session.edit({ label: 'Drag', edits: [setValue(3)] });
    session.edit({ label: 'Type', edits: [setValue(4)] });
    session.edit({ label: 'Add', edits: [{ kind: 'add', entity: A, component: 'Sparse' }] });
    session.edit({ label: 'Type', edits: [setValue(5, { entity: A })] });
    session.edit({ label: 'Type', edits: [setValue(6)] });
    expect(session.undoSteps).toEqual(['Drag', 'Drag', 'Type', 'Add', 'Type', 'Type']);
    session.undo();
    expect(valueOf(session)).toBe(4);
  });

  test('forgets what could be redone when there is a new edit', () => {
    const { session, events } = setUp();
    session.edit({ label: 'One', edits: [setValue(2)] });
    session.undo();
    expect(session.redoSteps).toEqual(['One']);
    session.edit({ label: 'Two', edits: [setValue(3)] });
    expect(session.redoSteps).toEqual([]);
    expect(session.redo()).toBeUndefined();
    expect(events).toEqual(['edit', 'undo', 'edit']);
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
