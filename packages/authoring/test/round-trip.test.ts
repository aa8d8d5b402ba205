import { INVALID_ENTITY, type EntityId, type Scene } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  captureScene,
  decodeScene,
  encodeScene,
  formatScene,
  loadScene,
  parseScene,
} from '../src/index.js';
import {
  COMPONENTS,
  entitySpecs,
  Follows,
  makeScene,
  Notes,
  populate,
  type EntitySpec,
} from './support.js';

/** What a scene has, told without any code of this package: by UUID, values as bits where they are numbers. */
function contentOf(scene: Scene): Record<string, unknown> {
  const uuid = (entity: EntityId): string | undefined => scene.getComponent(entity, Uuid)?.value;
  const content: Record<string, unknown> = {};
  scene.forEach([], (entity) => {
    const values: Record<string, unknown> = {
      parent: uuid(scene.parentOf(entity)),
      children: scene.childrenOf(entity).map(uuid),
    };
    for (const component of COMPONENTS) {
      const view = scene.getComponent(entity, component) as Record<string, unknown> | undefined;
      if (view === undefined) continue;
      values[component.name] = component.fields
        .filter(({ field }) => !field.runtime)
        .map(({ name }) => {
          const value = view[name] as { toArray?: () => number[] } | undefined;
          if (component === Follows && name === 'target') return uuid(value as unknown as EntityId);
          return typeof value?.toArray === 'function' ? value.toArray() : value;
        });
    }
    content[uuid(entity) ?? ''] = values;
  });
  return content;
}

describe('a scene, saved and loaded', () => {
  test('is the same scene by UUID, whatever it has; from then on it has the same hash, too', async () => {
    await fc.assert(
      fc.asyncProperty(entitySpecs, fc.nat(5), async (specs, waste) => {
        const scene = makeScene();
        populate(scene, specs, waste);
        const text = formatScene(captureScene(scene));
        const loaded = makeScene();
        const report = loadScene(loaded, parseScene(text));
        expect(report).toEqual({ entities: specs.length, repairs: [], warnings: [] });
        expect(contentOf(loaded)).toEqual(contentOf(scene));
        // Equal documents: all the same bytes.
        expect(formatScene(captureScene(loaded))).toBe(text);
        // The ids follow from the file: what is loaded, saved and loaded again in a new scene has the same hash. That of the first
        // scene may be another, since hashes tell ids, which follow from the order in which it was built.
        const again = makeScene();
        loadScene(again, parseScene(formatScene(captureScene(loaded))));
        expect(again.stateHash()).toBe(loaded.stateHash());
        // And the binary twin is the same document.
        const binary = await decodeScene(
          await encodeScene(captureScene(scene, { numbers: 'exact' })),
        );
        const shipped = makeScene();
        loadScene(shipped, binary);
        expect(shipped.stateHash()).toBe(loaded.stateHash());
        expect(contentOf(shipped)).toEqual(contentOf(scene));
        for (const each of [scene, loaded, again, shipped]) each.dispose();
      }),
      { numRuns: 80 },
    );
  });

  test('has the same hash as the scene that was saved, where that was made in the order of loading', () => {
    const setOf = ({ target, components }: EntitySpec): string =>
      [target !== null, ...components.map(([{ name }]) => name)].join();
    fc.assert(
      fc.property(entitySpecs, (specs) => {
        const scene = makeScene();
        // Loading makes roots before children, those of one set of components together, in the order of the file: that of UUIDs.
        const roots = specs.map((spec) => ({ ...spec, parent: null }));
        const sets = [...new Set(roots.map(setOf))];
        populate(
          scene,
          sets.flatMap((set) => roots.filter((spec) => setOf(spec) === set)),
        );
        const loaded = makeScene();
        loadScene(loaded, parseScene(formatScene(captureScene(scene))));
        expect(loaded.stateHash()).toBe(scene.stateHash());
        scene.dispose();
        loaded.dispose();
      }),
    );
  });

  test('replaces what a scene had: old ids are dead, equal content has equal files', () => {
    fc.assert(
      fc.property(entitySpecs, entitySpecs, (before, after) => {
        const scene = makeScene();
        const old = populate(scene, before, 3);
        const other = makeScene();
        populate(other, after);
        const text = formatScene(captureScene(other));
        loadScene(scene, parseScene(text));
        expect(old.filter((entity) => scene.isAlive(entity))).toEqual([]);
        expect(formatScene(captureScene(scene))).toBe(text);
        expect(scene.entityCount).toBe(after.length);
        scene.dispose();
        other.dispose();
      }),
      { numRuns: 50 },
    );
  });

  test('keeps values that JSON has no numbers for', () => {
    const scene = makeScene();
    const id =
      populate(scene, [{ parent: null, target: null, components: [] }])[0] ?? INVALID_ENTITY;
    scene.addComponent(id, Follows, { offset: [-0, Infinity, -Infinity] });
    scene.addComponent(id, Notes, { data: { deep: [1, { two: null }], text: '__proto__' } });
    const text = formatScene(captureScene(scene));
    expect(text).toContain('"offset": [-0, "Infinity", "-Infinity"]');
    const loaded = makeScene();
    expect(loadScene(loaded, parseScene(text)).repairs).toEqual([]);
    expect(loaded.stateHash()).toBe(scene.stateHash());
    expect(contentOf(loaded)).toEqual(contentOf(scene));
  });
});
