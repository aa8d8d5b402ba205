import { Commands, defineComponent, f32, Scene, type Component } from '@ecliptic/ecs';
import { describe, expect, it } from 'vitest';
import { CommandStage, STAGE_BYTES, type ComponentName } from '../src/workers/command-stage.js';
import { GrowingBuffer } from '../src/workers/growing-buffer.js';

const Heat = defineComponent('Größe', { value: f32() });
const Mark = defineComponent('Mark', { value: f32() });

const never = (): never => {
  throw new Error('workers look nothing up');
};

/** A stage as a worker has it, and as the owner has it. */
function setUp(records = GrowingBuffer.allocate()) {
  const directory = new SharedArrayBuffer(STAGE_BYTES);
  const asked: string[] = [];
  const find = ({ name }: ComponentName): Component => {
    asked.push(name);
    return name === Heat.name ? Heat : Mark;
  };
  const worker = (): CommandStage => new CommandStage(directory, 0, records, never, true);
  return { worker, owner: new CommandStage(directory, 0, records, find, true), asked };
}

function job(start: number) {
  return { system: 2, part: 1, start, end: start + 64 };
}

describe('CommandStage', () => {
  it('hands over what jobs recorded that went well, and only that', () => {
    const { worker, owner } = setUp();
    const stage = worker();
    stage.begin();
    stage.end(job(0));
    expect(owner.isEmpty).toBe(true);
    stage.begin();
    const first = stage.commands.createEntity();
    stage.commands.addComponent(first, Heat, { value: 1 });
    stage.end(job(64));
    stage.begin();
    stage.commands.createEntity();
    // This job threw.
    stage.begin();
    const third = stage.commands.createEntity();
    stage.commands.addComponent(third, Mark, { value: 3 });
    stage.end(job(192));
    const scene = new Scene({ maxEntities: 64 });
    const commands = new Commands(scene);
    const runs = owner.drain();
    expect(runs.map(({ system, part, start, created }) => [system, part, start, created])).toEqual([
      [2, 1, 64, 1],
      [2, 1, 192, 1],
    ]);
    for (const run of runs) commands.append(run.recorded, run);
    commands.flush();
    expect(scene.entityCount).toBe(2);
    expect(owner.isEmpty).toBe(true);
    scene.dispose();
  });

  it('grows past its first memory, and loses nothing', () => {
    const { worker, owner } = setUp();
    const stage = worker();
    const scene = new Scene({ maxEntities: 16_384 });
    const commands = new Commands(scene);
    for (let wave = 0; wave < 2; wave++) {
      stage.begin();
      for (let i = 0; i < 8_000; i++) {
        stage.commands.addComponent(stage.commands.createEntity(), Heat, { value: i });
      }
      stage.end(job(0));
      for (const run of owner.drain()) commands.append(run.recorded, run);
      commands.flush();
    }
    expect(scene.entityCount).toBe(16_000);
    scene.dispose();
  });

  it('takes back what jobs recorded that threw: they leave no less room to others', () => {
    const { worker, owner } = setUp(new SharedArrayBuffer(4_096));
    const stage = worker();
    for (let start = 0; start < 6_400; start += 64) {
      stage.begin();
      for (let i = 0; i < 50; i++) {
        stage.commands.addComponent(stage.commands.createEntity(), Heat, { value: start });
      }
      if (start % 6_336 === 0) stage.end(job(start));
    }
    const runs = owner.drain();
    expect(runs.map(({ start }) => start)).toEqual([0, 6_336]);
    expect(runs[1]?.from).toBe(runs[0]?.to);
    const scene = new Scene({ maxEntities: 128 });
    const commands = new Commands(scene);
    for (const run of runs) commands.append(run.recorded, run);
    commands.flush();
    const values: number[] = [];
    scene.forEach([Heat], (_, { value }) => void values.push(value));
    expect(values).toEqual([
      ...Array.from({ length: 50 }, () => 0),
      ...Array.from({ length: 50 }, () => 6_336),
    ]);
    scene.dispose();
  });

  it('says so where memory can not grow', () => {
    const stage = setUp(new SharedArrayBuffer(1_024)).worker();
    stage.begin();
    expect(() => {
      for (let i = 0; i < 100; i++) stage.commands.createEntity();
    }).toThrow(expect.objectContaining({ code: 'ecs/command-memory' }));
  });

  it('looks up each component once, also for a worker that takes the place of another', () => {
    const { worker, owner, asked } = setUp();
    const scene = new Scene({ maxEntities: 64 });
    const commands = new Commands(scene);
    for (const components of [[Heat], [Mark, Heat], [Heat, Mark]]) {
      const stage = worker();
      stage.begin();
      const entity = stage.commands.createEntity();
      for (const component of components) stage.commands.addComponent(entity, component);
      stage.end(job(0));
      for (const run of owner.drain()) commands.append(run.recorded, run);
    }
    commands.flush();
    expect(asked).toEqual([Heat.name, Mark.name]);
    expect(scene.entityCount).toBe(3);
    scene.dispose();
  });
});
