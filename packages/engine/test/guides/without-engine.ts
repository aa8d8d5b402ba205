import { Actor, ActorManager } from '@ecliptic/actors';
import { systemClock } from '@ecliptic/core';
import { Commands, defineComponent, f32, query, Scene, write } from '@ecliptic/ecs';
import {
  defineSystem,
  FixedTimestepAccumulator,
  FrameRateCap,
  FrameTimer,
  WorldTick,
} from '@ecliptic/scheduler';

const Heat = defineComponent('Heat', { kelvin: f32({ default: 300 }) });

const cooling = defineSystem({
  name: 'game.cooling',
  queries: { bodies: query(write(Heat)) },
  update({ bodies }, { dt }) {
    bodies.forEach((_entity, heat) => {
      heat.kelvin -= 10 * dt;
    });
  },
});

class Star extends Actor {
  override onCreate(): void {
    this.addComponent(Heat, { kelvin: 5_800 });
  }
}

const scene = new Scene();
const commands = new Commands(scene);
const actors = new ActorManager(scene);
const worldTick = new WorldTick(scene);
worldTick.registerSystem(cooling);
worldTick.commit();
const star = actors.create(Star);

const clock = systemClock();
const timer = new FrameTimer(clock);
const accumulator = new FixedTimestepAccumulator({ rate: 60 });
const cap = new FrameRateCap(clock, { rate: 300 });
while (accumulator.stepCount < 6) {
  accumulator.accumulate(timer.tick());
  while (accumulator.stepsDue > 0) {
    await worldTick.tick(accumulator.fixedDelta, commands);
    commands.flush();
    actors.tick(accumulator.fixedDelta);
    scene.snapshotTransforms();
    accumulator.consumeStep();
  }
  // draw, with accumulator.alpha
  await cap.wait();
}
console.log(actors.access(star)?.getComponent(Heat)?.kelvin.toFixed(0)); // 5799

actors.shutdown();
await worldTick.dispose();
scene.dispose();
