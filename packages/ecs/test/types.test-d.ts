import {
  Commands,
  defineComponent,
  defineResource,
  defineTag,
  entity,
  f32,
  f64,
  fixedArray,
  having,
  mat4,
  object,
  oneOf,
  optional,
  query,
  quat,
  read,
  Scene,
  text,
  u8,
  vec3,
  without,
  write,
  type ComponentInit,
  type ComponentValue,
  type ComponentView,
  type EntityId,
  type QuatView,
  Vec3View,
} from '../src/index.js';

// Checked by `tsc -b test`: what follows must compile, and each line after @ts-expect-error must not.

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(...different: Equal<A, B> extends true ? [] : [never]): number =>
  different.length;

const Body = defineComponent('Body', {
  place: vec3(),
  turn: quat(),
  mass: f32(),
  kind: oneOf('static', 'dynamic'),
  name: text(8),
  owner: entity(),
  bones: fixedArray(f64(), 4),
  world: mat4(),
  mesh: object<{ id: number }>(),
});
const Speed = defineComponent('Speed', { value: vec3(), level: u8() });
const Flag = defineTag('Flag');
const Gravity = defineResource<{ y: number }>('Gravity');

type Body = typeof Body;
const scene = new Scene();
const id: EntityId = scene.createEntity(Body, [Speed, { value: [1, 2, 3] }], Flag);

same<ComponentValue<Body>['place'], [number, number, number]>();
same<ComponentValue<Body>['kind'], 'static' | 'dynamic'>();
same<ComponentValue<Body>['mesh'], { id: number } | undefined>();
same<ComponentView<Body>['turn'], QuatView>();
const given: ComponentInit<Body> = { place: { x: 1, y: 2, z: 3 }, kind: 'static' };
scene.addComponent(id, Body, given);
// @ts-expect-error no such field
scene.addComponent(id, Body, { nonsense: 1 });
// @ts-expect-error no such choice
scene.addComponent(id, Body, { kind: 'soft' });
// @ts-expect-error too short
scene.setComponent(id, Body, { place: [1, 2] });
// @ts-expect-error no such field
scene.createEntity([Speed, { nonsense: 1 }]);
// @ts-expect-error a text is no number
scene.createEntity(Flag, [Speed, { level: '1' }]);
// @ts-expect-error no such choice
scene.createEntity([Body, { kind: 'soft' }]);
scene.createEntity(Flag, [Body, { kind: 'static', place: { x: 1, y: 2, z: 3 } }]);
// @ts-expect-error no component
scene.createEntity('Speed');
// @ts-expect-error no such field
new Commands(scene).addComponent(id, Speed, { nonsense: 1 });

const body = scene.getComponent(id, Body);
// @ts-expect-error it may be absent
same<typeof body.mass, number>();
if (body) {
  body.mass = 2;
  body.kind = 'dynamic';
  body.place.x = 1;
  body.place.set(1, 2, 3);
  same<typeof body.place, Vec3View>();
  same<typeof body.mesh, { id: number } | undefined>();
  // @ts-expect-error composites are written through their own setters
  body.place = new Vec3View(body as never, 0);
  // @ts-expect-error no such choice
  body.kind = 'soft';
}

const movers = query(
  write(Body),
  read(Speed),
  optional(read(Body)),
  having(Flag),
  without(Flag),
  Speed,
);
scene.query(movers).each((row, own, speed, maybe, bare) => {
  same<typeof row, number>();
  same<typeof own.place, Float32Array>();
  same<typeof own.kind, Uint8Array>();
  same<typeof own.bones, Float64Array>();
  own.place[row] = 1;
  own.$touch(row);
  bare.level[row] = 1;
  // @ts-expect-error read only
  speed.value[row] = 1;
  // @ts-expect-error it may be absent
  same<typeof maybe.place, Float32Array>();
});
scene.query(write(Body), read(Speed)).forEach((entity_, own, speed) => {
  same<typeof entity_, EntityId>();
  own.mass += speed.level;
  own.place.x += speed.value.x;
  // @ts-expect-error read only
  speed.level = 1;
  // @ts-expect-error read only
  speed.value.x = 1;
  // @ts-expect-error read only
  speed.value.set(1, 2, 3);
});
scene.forEach([Body, read(Speed)], (_id, own, speed) => {
  own.place.x += speed.value.x;
});
for (const table of scene.query(Body).tables()) {
  same<ReturnType<typeof table.column<Body>>['mass'], Float32Array>();
}
// @ts-expect-error more parameters than columns
scene.query(read(Speed)).each((_row, _speed, _more) => undefined);
// @ts-expect-error no term
scene.query('Body');

same<ReturnType<typeof scene.getResource<{ y: number }>>, { y: number }>();
scene.setResource(Gravity, { y: 1 });
// @ts-expect-error wrong type
scene.setResource(Gravity, { x: 1 });

// Batches: columns by component, in order; values and functions of values by component.
const batch: Int32Array = scene.createEntities(
  2,
  [Body, [Speed, { level: 1 }], Flag],
  (ids, body, speed) => {
    same<typeof ids, Int32Array>();
    body.place[0] = 1;
    body.mesh[0] = { id: 1 };
    speed.level[1] = 2;
    // @ts-expect-error no such field
    void speed.nothing;
  },
);
scene.createEntities(batch, [[Speed, (i, ids) => ({ value: [i, ids.length, 0] })]]);
// @ts-expect-error a wrong field
scene.createEntities(2, [[Speed, { level: 'high' }]]);
// @ts-expect-error a function of wrong values
scene.createEntities(2, [[Speed, (i) => ({ level: String(i) })]]);
