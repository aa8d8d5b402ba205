import { INVALID_ENTITY } from '@ecliptic/ecs';
import { describe, expect, test } from 'vitest';
import { captureScene, formatScene, type Edit } from '../src/index.js';
import { A, B, C, D, setUp, setValue, valueOf } from './edited.js';
import { expectError, Follows, Notes, uuidOf } from './support.js';

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
