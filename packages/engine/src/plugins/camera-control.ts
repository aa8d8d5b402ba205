import { read, type EntityId } from '@ecliptic/ecs';
import { Camera, Transform } from '@ecliptic/ecs/components';
import type { CameraController } from '../camera/camera-controller.js';
import type { EnginePlugin } from '../plugin/engine-plugin.js';
import { createToken, type Token } from '../services/token.js';
import { SCENE } from './ecs.js';

/** The camera controller, for the application to switch off while the pointer is elsewhere. */
export const CAMERA_CONTROLLER: Token<CameraController> =
  createToken<CameraController>('engine.cameraController');

/**
 * Lets the user move the main camera: once a frame, after all hooks at `update`, the controller takes in what the user did, and
 * where that moved it goes to the transform of the entity whose `Camera` is `isMain`.
 *
 * Binds {@link CAMERA_CONTROLLER}; needs {@link SCENE}.
 */
export function cameraControl(controller: CameraController): EnginePlugin {
  return {
    id: 'ecliptic.cameraControl',
    after: ['ecliptic.ecs'],
    configure: (services) => services.bindValue(CAMERA_CONTROLLER, controller),
    initialize({ get, frame, input }) {
      const scene = get(SCENE);
      const cameras = scene.query(read(Camera), read(Transform));
      const pose = new Pose();
      frame.on('camera', 'move the main camera', ({ rawDelta }) => {
        controller.update(input.frame, rawDelta);
        let main: EntityId | undefined;
        cameras.forEach((entity, camera) => {
          if (camera.isMain) main ??= entity;
        });
        if (main === undefined || !pose.changes(main, controller)) return;
        const transform = scene.getComponent(main, Transform);
        const [x = 0, y = 0, z = 0] = controller.position;
        const [qx = 0, qy = 0, qz = 0, qw = 1] = controller.rotation;
        transform?.position.set(x, y, z);
        transform?.rotation.set(qx, qy, qz, qw);
        scene.snapTransform(main);
      });
    },
  };
}

/** Where the camera was put last, so that one that stands still is not written, and doesn't count as changed. */
class Pose {
  #entity: EntityId | undefined;
  readonly #numbers = new Float64Array(7);

  /** Remembers the pose; whether it is another one than before. */
  changes(entity: EntityId, { position, rotation }: CameraController): boolean {
    let changed = entity !== this.#entity;
    this.#entity = entity;
    for (let i = 0; i < 7; i++) {
      const value = (i < 3 ? position[i] : rotation[i - 3]) ?? 0;
      changed ||= this.#numbers[i] !== value;
      this.#numbers[i] = value;
    }
    return changed;
  }
}
