import { createEngine, OrbitController } from '@ecliptic/engine';
import { browserPlatform } from '@ecliptic/engine/browser';
import { cameraControl, ecs, scheduler } from '@ecliptic/engine/plugins';

export async function play(canvas: HTMLCanvasElement): Promise<void> {
  await using engine = createEngine({
    platform: browserPlatform({ canvas }),
    plugins: [ecs(), scheduler(), cameraControl(new OrbitController({ distance: 30 }))],
  });
  await engine.initialize();
  await engine.run();
}
