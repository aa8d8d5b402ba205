import {
  Commands,
  defineComponent,
  defineTag,
  f32,
  read,
  Scene,
  vec3,
  without,
  write,
} from '@ecliptic/ecs';

const Position = defineComponent('Position', { value: vec3() });
const Velocity = defineComponent('Velocity', {
  value: vec3(),
  drag: f32({ default: 0.1, min: 0 }),
});
const Frozen = defineTag('Frozen', { storage: 'sparse' });

const scene = new Scene({ name: 'arena' });
const ball = scene.createEntity(
  [Position, { value: [0, 10, 0] }],
  [Velocity, { value: [1, 0, 0] }],
);
const movers = scene.query(write(Position), read(Velocity), without(Frozen));

function move(dt: number): void {
  movers.each((row, position, velocity) => {
    const p = position.value;
    const v = velocity.value;
    const i = row * 3;
    p[i] += v[i] * dt;
    p[i + 1] += v[i + 1] * dt;
    p[i + 2] += v[i + 2] * dt;
  });
}
move(1 / 60);
console.log(scene.getComponent(ball, Position)?.value.toArray());

const commands = new Commands(scene);
const spark = commands.createEntity(); // a placeholder, good in this buffer at once
commands.addComponent(spark, Position, { value: [1, 2, 3] });
commands.flush();
scene.destroyEntity(commands.resolve(spark));
