import { EclipticError } from '@ecliptic/core';
import {
  bool,
  color,
  defineComponent,
  defineTag,
  entity,
  f32,
  f64,
  fixedArray,
  i16,
  INVALID_ENTITY,
  object,
  oneOf,
  quat,
  Scene,
  text,
  u32,
  uuid,
  vec3,
  type Component,
  type EntityId,
} from '@ecliptic/ecs';
import { Mesh, Name, Transform, Uuid } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { expect } from 'vitest';

export const Everything = defineComponent('Everything', {
  speed: f32({ default: 2, min: -1_000, max: 1_000 }),
  time: f64(),
  level: i16({ min: -5, max: 5 }),
  count: u32(),
  on: bool({ default: true }),
  turn: quat(),
  tint: color(0.5, 0.5, 0.5, 0.25),
  kind: oneOf('point', 'spot'),
  label: text(16),
  asset: uuid({ asset: 'mesh' }),
  list: fixedArray(i16(), 3),
  cache: f32({ runtime: true }),
});
export const Follows = defineComponent('Follows', { target: entity(), offset: vec3() });
export const Sparse = defineComponent('Sparse', { value: f64() }, { storage: 'sparse' });
export const Marked = defineTag('Marked');
export const Notes = defineComponent('Notes', { data: object<unknown>() });

/** Everything that test scenes have. */
export const COMPONENTS: readonly Component[] = [
  Everything,
  Follows,
  Sparse,
  Marked,
  Notes,
  Transform,
  Mesh,
  Name,
];

/** A UUID that is easy to tell. */
export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** A scene that knows all components. */
export function makeScene(name = 'test'): Scene {
  const scene = new Scene({ name, maxEntities: 256, arenaBudget: 16 * 1024 * 1024 });
  for (const component of COMPONENTS) scene.registerComponent(component);
  return scene;
}

/** Runs `action`, which must throw an EclipticError of that code, and gives it. */
export function expectError(code: string, action: () => unknown): EclipticError {
  try {
    action();
  } catch (error) {
    return coded(code, error);
  }
  throw new Error(`nothing was thrown, expected ${code}`);
}

/** As {@link expectError}, for promises. */
export async function expectRejection(
  code: string,
  promise: Promise<unknown>,
): Promise<EclipticError> {
  try {
    await promise;
  } catch (error) {
    return coded(code, error);
  }
  throw new Error(`nothing was rejected, expected ${code}`);
}

function coded(code: string, error: unknown): EclipticError {
  expect(error).toBeInstanceOf(EclipticError);
  expect((error as EclipticError).code).toBe(code);
  if (code.startsWith('authoring/') && !(error as EclipticError).fix)
    throw new Error(`${code} has no fix`);
  return error as EclipticError;
}

/** A random entity: UUID, parent and references are places in the list of entities. */
export interface EntitySpec {
  readonly parent: number | null;
  readonly target: number | null;
  readonly components: readonly (readonly [Component, object])[];
}

const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const turn = fc.tuple(float, float, float).map(([x, y, z]) => {
  const list = [x, y, z, 1];
  const largest = Math.max(...list.map(Math.abs));
  const scaled = list.map((each) => each / largest);
  const length = Math.hypot(...scaled);
  return scaled.map((each) => each / length);
});
const plain = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

const everything = fc.record({
  speed: fc.float({ min: -1_000, max: 1_000, noNaN: true }),
  time: fc.double({ noNaN: true }),
  level: fc.integer({ min: -5, max: 5 }),
  count: fc.integer({ min: 0, max: 0xffff_ffff }),
  on: fc.boolean(),
  turn,
  tint: fc.array(fc.float({ noNaN: true }), { minLength: 4, maxLength: 4 }),
  kind: fc.constantFrom('point', 'spot'),
  label: fc.string({ unit: 'grapheme', maxLength: 3 }),
  asset: fc.integer({ min: 0, max: 9 }).map(uuidOf),
  list: fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 3, maxLength: 3 }),
  cache: float,
});
const components = fc
  .tuple(
    fc.option(everything),
    fc.option(fc.record({ value: fc.double({ noNaN: true }) })),
    fc.boolean(),
    fc.option(fc.record({ data: plain })),
    fc.option(fc.record({ position: fc.tuple(float, float, float), rotation: turn })),
    fc.option(fc.record({ value: fc.string({ maxLength: 40 }) })),
  )
  .map(([all, sparse, marked, notes, transform, name]) => {
    const found: (readonly [Component, object])[] = [];
    if (all) found.push([Everything, all]);
    if (sparse) found.push([Sparse, sparse]);
    if (marked) found.push([Marked, {}]);
    if (notes) found.push([Notes, notes]);
    if (transform) found.push([Transform, transform]);
    if (name) found.push([Name, name]);
    return found;
  });

/** Random entities; a parent is always an earlier one. */
export const entitySpecs: fc.Arbitrary<EntitySpec[]> = fc
  .array(fc.tuple(fc.option(fc.nat(30)), fc.option(fc.nat(30)), components), { maxLength: 20 })
  .map((list) =>
    list.map(([parent, target, given], i): EntitySpec => ({
      parent: parent === null || i === 0 ? null : parent % i,
      target: target === null ? null : target % list.length,
      components: given,
    })),
  );

/** Makes the entities in a scene; some slots are used and freed before, so that ids are not places. */
export function populate(scene: Scene, specs: readonly EntitySpec[], waste = 0): EntityId[] {
  const wasted = Array.from({ length: waste }, () => scene.createEntity());
  const ids: EntityId[] = [];
  for (const [i, { parent, components: given }] of specs.entries()) {
    if (i % 2 === 0) for (const each of wasted.splice(0, 1)) scene.destroyEntity(each);
    const id = scene.createEntity([Uuid, { value: uuidOf(100 + i) }], ...given);
    if (parent !== null) scene.setParent(id, ids[parent] ?? INVALID_ENTITY);
    ids.push(id);
  }
  for (const [i, { target }] of specs.entries()) {
    if (target !== null)
      scene.addComponent(ids[i] as EntityId, Follows, { target: ids[target] ?? 0 });
  }
  for (const each of wasted) scene.destroyEntity(each);
  return ids;
}
