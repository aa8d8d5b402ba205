import type { InputState } from '../input/input-state.js';
import {
  approach,
  checkNumbers,
  clamp,
  MAX_PITCH,
  setYawPitch,
  type CameraController,
} from './camera-controller.js';

/** Options of a {@link FlyController}. */
export interface FlyControllerOptions {
  /** Where it starts; default the origin. */
  readonly position?: readonly [x: number, y: number, z: number];
  /** Radians to the left of −Z; default 0. */
  readonly yaw?: number;
  /** Radians above the horizon; default 0. */
  readonly pitch?: number;
  /** Units a second; default 5. */
  readonly speed?: number;
  /** How many times that with the shift key; default 4. */
  readonly boost?: number;
  /** Radians for each CSS pixel; default 0.003. */
  readonly lookSpeed?: number;
  /** The button to hold to look around, or `undefined` to look always, as with a locked pointer. Default `Mouse2`. */
  readonly lookButton?: string | undefined;
  /** Seconds to come 63 % closer to the speed that the keys ask for; 0 is at once. Default 0.08. */
  readonly smoothing?: number;
}

/**
 * Flies freely: W, A, S, D along and across the view, E up, Q down, shift faster; the right button
 * looks around. To look at one thing from all sides use {@link OrbitController}.
 *
 * @example
 * ```ts
 * const fly = new FlyController({ position: [0, 2, 10] });
 * createEngine({ platform, plugins: [ecs(), cameraControl(fly)] });
 * ```
 */
export class FlyController implements CameraController {
  enabled = true;
  readonly position: Float64Array = new Float64Array(3);
  readonly rotation: Float64Array = new Float64Array(4);
  readonly #options: Required<FlyControllerOptions>;
  readonly #velocity = new Float64Array(3);
  readonly #wanted = new Float64Array(3);
  #yaw: number;
  #pitch: number;

  /** @throws EclipticError `engine/invalid-camera` */
  constructor(options: FlyControllerOptions = {}) {
    this.#options = {
      position: [0, 0, 0],
      yaw: 0,
      pitch: 0,
      speed: 5,
      boost: 4,
      lookSpeed: 0.003,
      lookButton: 'Mouse2',
      smoothing: 0.08,
      ...options,
    };
    const { lookButton: _button, ...numbers } = this.#options;
    checkNumbers('FlyController', numbers);
    this.position.set(this.#options.position);
    this.#yaw = this.#options.yaw;
    this.#pitch = clamp(this.#options.pitch, -MAX_PITCH, MAX_PITCH);
    setYawPitch(this.rotation, this.#yaw, this.#pitch);
  }

  update(input: InputState, dt: number): void {
    this.#wanted.fill(0);
    if (this.enabled) {
      this.#look(input);
      this.#steer(input);
    }
    const { smoothing } = this.#options;
    const part = approach(dt, smoothing);
    for (let axis = 0; axis < 3; axis++) {
      const before = this.#velocity[axis] ?? 0;
      const change = (this.#wanted[axis] ?? 0) - before;
      this.#velocity[axis] = before + change * part;
      // The exact way under this change of speed, so that the frame rate makes no difference.
      const way = (before + change) * dt - change * part * smoothing;
      this.position[axis] = (this.position[axis] ?? 0) + way;
    }
    setYawPitch(this.rotation, this.#yaw, this.#pitch);
  }

  #look(input: InputState): void {
    const { lookButton, lookSpeed } = this.#options;
    if (lookButton !== undefined && !input.isDown(lookButton)) return;
    this.#yaw -= input.pointerDeltaX * lookSpeed;
    this.#pitch = clamp(this.#pitch - input.pointerDeltaY * lookSpeed, -MAX_PITCH, MAX_PITCH);
  }

  /** The speed that the keys ask for: as fast in a diagonal as straight on. */
  #steer(input: InputState): void {
    const right = key(input, 'KeyD') - key(input, 'KeyA');
    const up = key(input, 'KeyE') - key(input, 'KeyQ');
    const ahead = key(input, 'KeyW') - key(input, 'KeyS');
    const length = Math.hypot(right, up, ahead);
    if (length === 0) return;
    const fast = input.isDown('ShiftLeft') || input.isDown('ShiftRight');
    const speed = (this.#options.speed * (fast ? this.#options.boost : 1)) / length;
    const [sinYaw, cosYaw] = [Math.sin(this.#yaw), Math.cos(this.#yaw)];
    const level = Math.cos(this.#pitch);
    this.#wanted[0] = (right * cosYaw - ahead * sinYaw * level) * speed;
    this.#wanted[1] = (up + ahead * Math.sin(this.#pitch)) * speed;
    this.#wanted[2] = (-right * sinYaw - ahead * cosYaw * level) * speed;
  }
}

function key(input: InputState, code: string): number {
  return input.isDown(code) ? 1 : 0;
}
