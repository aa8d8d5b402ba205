import { EclipticError } from '@ecliptic/core';
import {
  added,
  captureSnapshot,
  changed,
  Commands,
  defineComponent,
  definePrefab,
  defineResource,
  defineTag,
  entity,
  f32,
  healComponent,
  oneOf,
  read,
  restoreSnapshot,
  Scene,
  spawnPrefab,
  vec3,
  without,
  write,
} from '@ecliptic/ecs';

const Position = defineComponent('Position', { value: vec3() });
const Velocity = defineComponent('Velocity', { value: vec3() });
const Health = defineComponent('Health', {
  points: f32({ default: 100, min: 0 }),
  state: oneOf('well', 'poisoned'),
});
const Target = defineComponent('Target', { entity: entity() });
const Frozen = defineTag('Frozen', { storage: 'sparse' });

const scene = new Scene({ name: 'arena' });
const ball = scene.createEntity(Position, [Velocity, { value: [1, 0, 0] }]);
scene.addComponent(ball, Health);
scene.setComponent(ball, Health, { state: 'poisoned' }); // points stay as they are
scene.addComponent(ball, Frozen);
scene.removeComponent(ball, Frozen);
console.log(scene.getComponent(ball, Health)?.points); // 100

const crowd = scene.createEntities(100, [Position, Velocity], (_ids, position, velocity) => {
  for (let i = 0; i < 100; i++) {
    position.value[3 * i] = i;
    velocity.value[3 * i + 1] = 0.1 * i;
  }
});
const followers = scene.createEntities(3, [[Target, (i) => ({ entity: crowd[i] })]]);
console.log(scene.getComponent(followers[2], Target)?.entity === crowd[2]); // true
for (const id of [...crowd, ...followers]) scene.destroyEntity(id);

const bodies = scene.query(write(Position), read(Velocity));
const movers = scene.query(write(Position), read(Velocity), without(Frozen));

function moveColumns(dt: number): void {
  for (const table of bodies.tables()) {
    const p = table.column(Position).value;
    const v = table.column(Velocity).value;
    for (let i = 0; i < table.count * 3; i++) p[i] += v[i] * dt;
  }
}

function moveRows(dt: number): void {
  movers.each((row, position, velocity) => {
    const p = position.value;
    const v = velocity.value;
    const i = row * 3;
    p[i] += v[i] * dt;
    p[i + 1] += v[i + 1] * dt;
    p[i + 2] += v[i + 2] * dt;
  });
}

function moveViews(dt: number): void {
  movers.forEach((_entity, position, velocity) => {
    position.value.x += velocity.value.x * dt;
  });
}

moveColumns(1);
moveRows(1);
moveViews(1);
console.log(scene.getComponent(ball, Position)?.value.x); // 3

const newcomers = scene.query(read(Health), added(Health));
const moved = scene.query(read(Position), changed(Position));
const count = (visit: (fn: () => void) => void): number => {
  let visits = 0;
  visit(() => visits++);
  return visits;
};
console.log(count(newcomers.each), count(newcomers.each)); // 1 0
console.log(count(moved.each), count(moved.each)); // 1 0
moveRows(1);
console.log(count(moved.each)); // 1

const commands = new Commands(scene);
movers.forEach((id) => {
  const missile = commands.createEntity(); // a placeholder, for this buffer only
  commands.addComponent(missile, Target, { entity: id });
});
commands.flush();
console.log(scene.query(read(Target)).count()); // 1

const wheel = scene.createEntity(Position);
scene.setParent(wheel, ball);
const stop = scene.observe('remove', Position, (id) => {
  if (id === wheel) console.log('the wheel is gone');
});
const Gravity = defineResource<{ y: number }>('Gravity');
scene.setResource(Gravity, { y: -9.81 });
console.log(scene.childrenOf(ball).length, scene.getResource(Gravity).y); // 1 -9.81

const Missile = definePrefab('missile', {
  components: [Position, [Velocity, { value: [0, 0, 9] }]],
});
const Heavy = definePrefab('heavy', { extends: Missile, components: [[Health, { points: 300 }]] });
const heavy = spawnPrefab(scene, Heavy, { components: [[Position, { value: [0, 1, 0] }]] });
console.log(scene.getComponent(heavy, Health)?.points); // 300

const before = captureSnapshot(scene);
scene.destroyEntity(ball); // the wheel is gone
stop();
const changes = captureSnapshot(scene, { base: before });
restoreSnapshot(scene, before);
console.log(scene.isAlive(ball)); // true
restoreSnapshot(scene, changes, { base: before });
console.log(scene.isAlive(ball)); // false

const healed = healComponent(Health, { hp: 30, state: 'asleep' });
console.log(healed.value.state, healed.repairs.length); // well 3
const Life = defineComponent('Life', { points: f32() }, { version: 2 });
const saved = { hp: 30 };
const migrations = { 1: ({ hp }: Record<string, unknown>) => ({ points: hp }) };
console.log(healComponent(Life, saved, { version: 1, migrations }).value.points); // 30

function codeOf(misuse: () => unknown): string {
  try {
    misuse();
  } catch (error) {
    if (error instanceof EclipticError) return error.code;
  }
  return 'nothing';
}

console.log(codeOf(() => scene.addComponent(ball, Health))); // ecs/stale-entity
console.log(codeOf(() => scene.addComponent(heavy, Health))); // ecs/duplicate-component
console.log(codeOf(() => scene.setComponent(heavy, Health, { points: -1 }))); // ecs/invalid-value
console.log(codeOf(() => movers.forEach((id) => scene.destroyEntity(id)))); // ecs/structural-change-while-iterating
console.log(codeOf(() => movers.tables())); // ecs/row-filter
