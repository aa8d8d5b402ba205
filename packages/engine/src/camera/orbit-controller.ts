import type { InputState } from '../input/input-state.js';
import {
  approach,
  checkNumbers,
  clamp,
  MAX_PITCH,
  setYawPitch,
  type CameraController,
} from './camera-controller.js';

/** Options of an {@link OrbitController}. */
export interface OrbitControllerOptions {
  /** What is looked at; default the origin. */
  readonly target?: readonly [x: number, y: number, z: number];
  /** Distance from it; default 10. */
  readonly distance?: number;
  /** Limits of the distance; default 0.1 and 10,000. */
  readonly minDistance?: number;
  readonly maxDistance?: number;
  /** Where the camera is around the target, radians: 0 is on +Z, π/2 on +X. Default 0. */
  readonly yaw?: number;
  /** How far down it looks, radians; −π/2 is from straight above. Default −π/6. */
  readonly pitch?: number;
  /** Radians for each CSS pixel; default 0.005. */
  readonly rotateSpeed?: number;
  /** Part of the distance for each 100 pixels of the wheel; default 0.1. */
  readonly zoomSpeed?: number;
  /** Seconds to come 63 % closer to where the user wants it; 0 is at once. Default 0.05. */
  readonly smoothing?: number;
}

/**
 * Circles around a point: the left button turns, the right one moves the point, the wheel changes the
 * distance. For looking at things; to move among them use {@link FlyController}.
 *
 * @example
 * ```ts
 * const orbit = new OrbitController({ distance: 30 });
 * createEngine({ platform, plugins: [ecs(), cameraControl(orbit)] });
 * orbit.target.set([0, 2, 0]);
 * ```
 */
export class OrbitController implements CameraController {
  enabled = true;
  /** What is looked at; write to it to look elsewhere. */
  readonly target: Float64Array = new Float64Array(3);
  readonly position: Float64Array = new Float64Array(3);
  readonly rotation: Float64Array = new Float64Array(4);
  readonly #options: Required<OrbitControllerOptions>;
  /** Where the user wants it. */
  readonly #goal: { yaw: number; pitch: number; distance: number };
  /** Where it is on the way there. */
  readonly #now: { yaw: number; pitch: number; distance: number };

  /** @throws EclipticError `engine/invalid-camera` */
  constructor(options: OrbitControllerOptions = {}) {
    this.#options = {
      target: [0, 0, 0],
      distance: 10,
      minDistance: 0.1,
      maxDistance: 10_000,
      yaw: 0,
      pitch: -Math.PI / 6,
      rotateSpeed: 0.005,
      zoomSpeed: 0.1,
      smoothing: 0.05,
      ...options,
    };
    checkNumbers('OrbitController', this.#options);
    const { target, yaw, pitch, distance, minDistance, maxDistance } = this.#options;
    this.target.set(target);
    this.#goal = {
      yaw,
      pitch: clamp(pitch, -MAX_PITCH, MAX_PITCH),
      distance: clamp(distance, minDistance, maxDistance),
    };
    this.#now = { ...this.#goal };
    this.#place();
  }

  /** Distance from the target. */
  get distance(): number {
    return this.#now.distance;
  }

  update(input: InputState, dt: number): void {
    if (this.enabled) this.#follow(input);
    const part = approach(dt, this.#options.smoothing);
    this.#now.yaw += (this.#goal.yaw - this.#now.yaw) * part;
    this.#now.pitch += (this.#goal.pitch - this.#now.pitch) * part;
    this.#now.distance += (this.#goal.distance - this.#now.distance) * part;
    this.#place();
  }

  #follow(input: InputState): void {
    const { rotateSpeed, zoomSpeed, minDistance, maxDistance } = this.#options;
    const goal = this.#goal;
    if (input.isDown('Mouse0')) {
      goal.yaw -= input.pointerDeltaX * rotateSpeed;
      goal.pitch = clamp(goal.pitch - input.pointerDeltaY * rotateSpeed, -MAX_PITCH, MAX_PITCH);
    }
    if (input.isDown('Mouse2')) this.#pan(input);
    const zoomed = goal.distance * (1 + zoomSpeed) ** (input.wheelY / 100);
    goal.distance = clamp(zoomed, minDistance, maxDistance);
  }

  /** Moves the target in the plane of the screen, at about the speed of the pointer over it. */
  #pan(input: InputState): void {
    const { yaw, pitch, distance } = this.#now;
    const right = -input.pointerDeltaX * distance * 0.001;
    const up = input.pointerDeltaY * distance * 0.001;
    const [sinYaw, cosYaw] = [Math.sin(yaw), Math.cos(yaw)];
    move(this.target, 0, cosYaw * right + sinYaw * Math.sin(pitch) * up);
    move(this.target, 1, Math.cos(pitch) * up);
    move(this.target, 2, -sinYaw * right + cosYaw * Math.sin(pitch) * up);
  }

  #place(): void {
    const { yaw, pitch, distance } = this.#now;
    const [x = 0, y = 0, z = 0] = this.target;
    this.position[0] = x + distance * Math.cos(pitch) * Math.sin(yaw);
    this.position[1] = y - distance * Math.sin(pitch);
    this.position[2] = z + distance * Math.cos(pitch) * Math.cos(yaw);
    setYawPitch(this.rotation, yaw, pitch);
  }
}

function move(vector: Float64Array, axis: number, by: number): void {
  vector[axis] = (vector[axis] ?? 0) + by;
}
