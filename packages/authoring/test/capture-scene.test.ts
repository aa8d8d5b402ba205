import { Scene } from '@ecliptic/ecs';
import { Name, Transform, Uuid } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import { captureScene, formatScene, identifyEntities, Transient } from '../src/index.js';
import { expectError, Follows, makeScene, Notes, uuidOf } from './support.js';

describe('the file of a scene', () => {
  test('has one entity a block and one component a line, in an order that lasts', () => {
    const scene = makeScene();
    const sun = scene.createEntity([Uuid, { value: uuidOf(2) }], [Name, { value: 'Sun' }]);
    const earth = scene.createEntity(
      [Transform, { position: [0.1, 0, 1.5] }],
      [Uuid, { value: uuidOf(1) }],
      [Follows, { target: sun }],
    );
    scene.setParent(earth, sun);
    scene.createEntity([Uuid, { value: uuidOf(3) }]);
    scene.createEntity(Transient, [Name, { value: 'gizmo' }]);
    expect(formatScene(captureScene(scene))).toBe(`{
  "format": "ecliptic-scene",
  "version": 1,
  "components": {
    "Follows": 1,
    "Name": 1,
    "Transform": 1
  },
  "entities": [
    {
      "uuid": "${uuidOf(2)}",
      "components": {
        "Name": { "value": "Sun" }
      }
    },
    {
      "uuid": "${uuidOf(1)}",
      "parent": "${uuidOf(2)}",
      "components": {
        "Follows": { "target": "${uuidOf(2)}", "offset": [0, 0, 0] },
        "Transform": { "position": [0.1, 0, 1.5], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1] }
      }
    },
    {
      "uuid": "${uuidOf(3)}",
      "components": {}
    }
  ]
}
`);
  });

  test('of an empty scene is an empty list', () => {
    const text = formatScene(captureScene(new Scene()));
    expect(JSON.parse(text)).toEqual({
      format: 'ecliptic-scene',
      version: 1,
      components: {},
      entities: [],
    });
  });

  test('is not written where entities have no identity, or share one', () => {
    const scene = makeScene();
    const entity = scene.createEntity([Name, { value: 'nobody' }]);
    expectError('authoring/missing-uuid', () => captureScene(scene));
    expect(identifyEntities(scene, () => uuidOf(7))).toBe(1);
    expect(identifyEntities(scene)).toBe(0);
    expect(scene.getComponent(entity, Uuid)?.value).toBe(uuidOf(7));
    scene.createEntity([Uuid, { value: uuidOf(7) }]);
    expectError('authoring/duplicate-uuid', () => captureScene(scene));
  });

  test('holds only plain data', () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    for (const data of [
      () => 1,
      new Map(),
      cyclic,
      NaN,
      { __proto__: { a: 1 } },
      [Symbol('s')],
      1n,
    ]) {
      const scene = makeScene();
      scene.createEntity([Uuid, { value: uuidOf(1) }], [Notes, { data }]);
      const { message } = expectError('authoring/unwritable-value', () => captureScene(scene));
      expect(message).toContain('Notes.data');
      scene.dispose();
    }
  });
});
