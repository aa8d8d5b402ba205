import { EclipticError } from '@ecliptic/core';
import type { InputState } from '../input/input-state.js';

/**
 * Moves a camera by what the user does, once a frame, after the application had its turn: so it can
 * switch the controller off while the pointer is over a panel. Right-handed, Y is up, a camera looks
 * along its −Z, as in glTF.
 */
export interface CameraController {
  /** Whether input is followed. What was under way by then still comes to rest. */
  enabled: boolean;
  /** Where the camera is; x, y, z. */
  readonly position: Float64Array;
  /** How it is turned; a unit quaternion x, y, z, w. */
  readonly rotation: Float64Array;
  /**
   * Takes in one frame.
   *
   * @param dt - seconds since the last one
   */
  update(input: InputState, dt: number): void;
}

/** Just short of straight up and down, where left and right would flip. */
export const MAX_PITCH: number = (89.9 / 180) * Math.PI;

/** Writes the rotation by `yaw` about Y after `pitch` about X into a quaternion. Radians. */
export function setYawPitch(rotation: Float64Array, yaw: number, pitch: number): void {
  const [sinYaw, cosYaw] = [Math.sin(yaw / 2), Math.cos(yaw / 2)];
  const [sinPitch, cosPitch] = [Math.sin(pitch / 2), Math.cos(pitch / 2)];
  rotation[0] = cosYaw * sinPitch;
  rotation[1] = sinYaw * cosPitch;
  rotation[2] = -sinYaw * sinPitch;
  rotation[3] = cosYaw * cosPitch;
}

/** How much of the way to its goal something goes in `dt`, if it needs `time` for 63 % of it, at any frame rate. */
export function approach(dt: number, time: number): number {
  return time > 0 ? 1 - Math.exp(-dt / time) : 1;
}

/** @throws EclipticError `engine/invalid-camera` for an option that should be a number and isn't, as one that is `undefined` */
export function checkNumbers(controller: string, options: object): void {
  for (const [option, value] of Object.entries(options) as [string, unknown][]) {
    const numbers: unknown[] = Array.isArray(value) ? value : [value];
    if (numbers.every((number) => typeof number === 'number' && !Number.isNaN(number))) continue;
    throw new EclipticError(
      'engine/invalid-camera',
      `${option} of ${controller} can't be ${String(value)}`,
      { subjects: { controller, option, value }, fix: 'Pass a number, or leave it out.' },
    );
  }
}

/** `value`, but not outside of `min` and `max`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
