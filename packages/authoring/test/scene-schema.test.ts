import { definePrefab } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captureScene, formatScene, instantiatePrefab, sceneSchema } from '../src/index.js';
import {
  COMPONENTS,
  entitySpecs,
  Everything,
  makeScene,
  Marked,
  populate,
  uuidOf,
} from './support.js';

const torch = definePrefab('torch', {
  components: [Marked],
  children: { flame: definePrefab('flame', {}) },
});
const validate = new Ajv2020({ strict: true }).compile(sceneSchema(COMPONENTS, [torch]));
const isValid = (text: string): boolean => validate(JSON.parse(text));

describe('the JSON Schema of scene files', () => {
  test('accepts whatever is saved', () => {
    fc.assert(
      fc.property(entitySpecs, (specs) => {
        const scene = makeScene();
        populate(scene, specs);
        instantiatePrefab(scene, torch, { children: { flame: null } });
        instantiatePrefab(scene, torch);
        const valid = isValid(formatScene(captureScene(scene, { prefabs: [torch] })));
        expect(validate.errors ?? []).toEqual([]);
        expect(valid).toBe(true);
        scene.dispose();
      }),
      { numRuns: 60 },
    );
  });

  const scene = makeScene();
  scene.createEntity([Uuid, { value: uuidOf(1) }], Everything);
  const text = formatScene(captureScene(scene));

  test.each([
    ['"speed": 2', '"speed": 2000'],
    ['"speed": 2', '"speed": "Infinity"'],
    ['"level": 0', '"level": 0.5'],
    ['"on": true', '"on": 1'],
    ['"kind": "point"', '"kind": "laser"'],
    ['"list": [0, 0, 0]', '"list": [0, 0]'],
    ['"asset": "0', '"asset": "models/0'],
    ['"label": ""', '"label": "longer than it may be"'],
    ['"uuid": "0', '"uuid": "x'],
    ['"version": 1,', '"version": 2,'],
    ['"ecliptic-scene"', '"other"'],
  ])('refuses %s → %s', (right, wrong) => {
    expect(text).toContain(right);
    expect(isValid(text.replace(right, wrong))).toBe(false);
  });

  test('lets pass what loading would keep, and infinities where they fit', () => {
    expect(isValid(text.replace('"time": 0', '"time": "Infinity", "later": 1'))).toBe(true);
    expect(isValid(text.replace('"Everything": {', '"Weather": {}, "Everything": {'))).toBe(true);
  });

  test('tells editors names, defaults, kinds of assets and prefabs', () => {
    const schema = JSON.stringify(sceneSchema(COMPONENTS, [torch]));
    expect(schema).toContain('"kind":{"enum":["point","spot"],"default":"point"}');
    expect(schema).toContain('uuid of a mesh');
    expect(schema).toContain('"examples":["torch"]');
    expect(schema).not.toContain('"cache"');
    expect(schema).not.toContain('"Parent"');
  });
});
