import {
  FlyController,
  OrbitController,
  type CameraController,
  type InputState,
} from '@ecliptic/engine';

const START = { distance: 44, yaw: 0.4, pitch: -0.36 } as const;

/** Two cameras, of which one is followed. Flying starts where the orbit was. */
export class SwitchedCamera implements CameraController {
  enabled = true;
  readonly #orbit = new OrbitController({ ...START, minDistance: 3, maxDistance: 300 });
  #current: CameraController = this.#orbit;

  get position(): Float64Array {
    return this.#current.position;
  }

  get rotation(): Float64Array {
    return this.#current.rotation;
  }

  set mode(mode: 'orbit' | 'fly') {
    if (mode === 'orbit') {
      this.#current = this.#orbit;
      return;
    }
    const [x = 0, y = 0, z = 0] = this.position;
    const flat = Math.hypot(x, z);
    this.#current = new FlyController({
      position: [x, y, z],
      yaw: Math.atan2(x, z),
      pitch: -Math.atan2(y, flat),
      speed: 12,
      lookButton: 'Mouse0',
    });
  }

  update(input: InputState, dt: number): void {
    if (this.enabled) this.#current.update(input, dt);
  }
}
