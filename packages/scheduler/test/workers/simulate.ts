// One run of the stress systems; the same on any platform.
import { Commands, Scene } from '@ecliptic/ecs';
import { WorldTick, type WorkerOptions } from '@ecliptic/scheduler';
import { Bond, fields, stressSystems } from './stress-systems.js';

/** What a run came to. */
export interface SimulationResult {
  readonly hash: string;
  /** Greatest share that workers had in a system. */
  readonly workerShare: number;
  /** Ticks that had to be waited for. */
  readonly awaited: number;
}

/** Runs `ticks` over some thousand rows. */
export async function simulate(
  ticks: number,
  workers: WorkerOptions | undefined,
): Promise<SimulationResult> {
  const scene = new Scene({ maxEntities: 8_192, arenaBudget: 16 * 1024 * 1024 });
  scene.registerComponent(Bond);
  const worldTick = new WorldTick(scene, {
    conflicts: 'off',
    ...(workers !== undefined && { workers }),
  });
  for (const system of stressSystems) worldTick.registerSystem(system);
  worldTick.commit();
  await worldTick.workersReady();
  for (let i = 0; i < 6_000; i++) {
    const entity = scene.createEntity();
    for (const [k, field] of fields.entries()) {
      if ((i >> k) % 3 > 0) scene.addComponent(entity, field, { value: i * k, wave: i });
    }
  }
  const commands = new Commands(scene);
  let awaited = 0;
  let workerShare = 0;
  for (let tick = 0; tick < ticks; tick++) {
    const pending = worldTick.tick(1 / 60, commands);
    if (pending !== undefined) awaited++;
    await pending;
    commands.flush();
    for (const system of worldTick.metrics()) {
      workerShare = Math.max(workerShare, system.workerShare);
    }
  }
  const hash = scene.stateHash();
  await worldTick.dispose();
  scene.dispose();
  return { hash, workerShare, awaited };
}
