import { Actor, ActorManager } from '@ecliptic/actors';
import { defineComponent, f32, read, Scene, vec3 } from '@ecliptic/ecs';

const Position = defineComponent('Position', { value: vec3() });
const Thrust = defineComponent('Thrust', { force: f32({ default: 1 }) });

class Probe extends Actor {
  readonly callSign: string;

  constructor(callSign: string) {
    super(); // what `create` is given; there is no entity yet
    this.callSign = callSign;
  }

  override onCreate(): void {
    this.addComponent(Position);
    this.addComponent(Thrust, { force: 2 });
  }

  override onTick(dt: number): void {
    const position = this.getComponent(Position);
    const thrust = this.getComponent(Thrust);
    if (!position || !thrust) return;
    position.value.x += thrust.force * dt;
    if (position.value.x >= 1) this.destroy();
  }

  override onDestroy(): void {
    console.log(`${this.callSign} has arrived`);
  }
}

const scene = new Scene();
const actors = new ActorManager(scene);
const probe = actors.create(Probe, 'Ariel 1');

// Systems and queries see an actor's components like anyone's.
scene.query(read(Position)).forEach((entity, position) => console.log(entity, position.value.x));

for (let step = 0; step < 60; step++) actors.tick(1 / 60); // once a fixed step, after the systems

console.log(actors.isLive(probe)); // false: the handle is stale, and using it is harmless
actors.shutdown(); // before the scene
scene.dispose();
