import { Actor } from '@ecliptic/actors';
import { Camera, Name, Transform } from '@ecliptic/ecs/components';
import type { ProjectCamera } from '../world/project.js';

/** The main camera: circles the sun at a height and looks at it. */
export class CameraRig extends Actor {
  readonly #path: ProjectCamera;
  #angle = 0;

  constructor(path: ProjectCamera) {
    super();
    this.#path = path;
  }

  override onCreate(): void {
    this.addComponent(Transform);
    this.addComponent(Name, { value: 'Camera' });
    this.addComponent(Camera, { isMain: true, fovY: (this.#path.fovY * Math.PI) / 180, far: 500 });
    this.#place();
    // Where it is, from the first frame on: it glides only from step to step.
    this.scene.snapTransform(this.entity);
  }

  override onTick(dt: number): void {
    this.#angle += (dt / this.#path.period) * 2 * Math.PI;
    this.#place();
  }

  #place(): void {
    const transform = this.getComponent(Transform);
    if (!transform) return;
    const { distance, height } = this.#path;
    const [sin, cos] = [Math.sin(this.#angle), Math.cos(this.#angle)];
    transform.position.set(distance * sin, height, distance * cos);
    // Turned around Y towards the sun, then tilted down: yaw · pitch.
    const halfPitch = -Math.atan2(height, distance) / 2;
    const halfYaw = this.#angle / 2;
    transform.rotation.set(
      Math.cos(halfYaw) * Math.sin(halfPitch),
      Math.sin(halfYaw) * Math.cos(halfPitch),
      -Math.sin(halfYaw) * Math.sin(halfPitch),
      Math.cos(halfYaw) * Math.cos(halfPitch),
    );
  }
}
