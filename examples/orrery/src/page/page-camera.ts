import { read, write } from '@ecliptic/ecs';
import { Camera, Name, Transform } from '@ecliptic/ecs/components';
import type { EnginePlugin } from '@ecliptic/engine';
import { SCENE } from '@ecliptic/engine/plugins';

/** A camera that the user moves, instead of the orrery's own. */
export function pageCamera(): EnginePlugin {
  return {
    id: 'orrery.pageCamera',
    after: ['orrery'],
    start({ get }) {
      const scene = get(SCENE);
      scene.query(write(Camera), read(Transform)).forEach((_, camera) => {
        camera.isMain = false;
      });
      scene.createEntity([Name, { value: 'Viewer' }], Transform, [
        Camera,
        { isMain: true, fovY: 0.87, near: 0.1, far: 600 },
      ]);
    },
  };
}
