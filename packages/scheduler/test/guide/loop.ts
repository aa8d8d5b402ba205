import { systemClock } from '@ecliptic/core';
import { Commands, Scene } from '@ecliptic/ecs';
import {
  FixedTimestepAccumulator,
  FrameRateCap,
  FrameTimer,
  MainThreadQueue,
  WorldTick,
} from '@ecliptic/scheduler';
import { Worker } from 'node:worker_threads';
import { gravity, ground, movement } from './systems.js';

export function makeGame() {
  const scene = new Scene();
  const commands = new Commands(scene);
  const worldTick = new WorldTick(scene, {
    workers: () => new Worker(new URL('./systems.worker.js', import.meta.url)),
  });
  for (const system of [gravity, movement, ground]) worldTick.registerSystem(system);
  worldTick.commit();
  return { scene, commands, worldTick };
}

export async function play({ commands, worldTick }: ReturnType<typeof makeGame>, frames: number) {
  const clock = systemClock();
  const timer = new FrameTimer(clock);
  const accumulator = new FixedTimestepAccumulator({ rate: 60, maxSteps: 5 });
  const cap = new FrameRateCap(clock, { rate: 300 });
  const queue = new MainThreadQueue();
  for (let frame = 0; frame < frames; frame++) {
    accumulator.accumulate(timer.tick());
    while (accumulator.stepsDue > 0) {
      await worldTick.tick(accumulator.fixedDelta, commands);
      commands.flush();
      accumulator.consumeStep();
    }
    await worldTick.tickFrame(timer.delta / 1e9, commands);
    commands.flush();
    queue.drain();
    await cap.wait();
  }
  return accumulator.stepCount;
}
