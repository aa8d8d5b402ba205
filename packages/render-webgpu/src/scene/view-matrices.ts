import { PROJECTIONS, type CameraView } from '@ecliptic/render-sync';
import { mat4 } from 'wgpu-matrix';
import { FRUSTUM_FLOATS, frustumPlanes } from './frustum.js';

/** Index into `PROJECTIONS`. */
export const ORTHOGRAPHIC: number = PROJECTIONS.indexOf('orthographic');

/** What is needed to draw from somewhere. Depth is reversed: 1 at the near plane, 0 far away. */
export class ViewMatrices {
  readonly viewProjection: Float32Array = new Float32Array(16);
  readonly inverseViewProjection: Float32Array = new Float32Array(16);
  readonly position: Float32Array = new Float32Array(3);
  readonly planes: Float32Array = new Float32Array(FRUSTUM_FLOATS);
  readonly #world = new Float32Array(16);
  readonly #view = new Float32Array(16);
  readonly #projection = new Float32Array(16);

  /**
   * Follows a camera.
   *
   * @returns false when it can't see: a number isn't finite, or its lens or transform is flat
   */
  setCamera(camera: CameraView): boolean {
    const { fovY, near, far, aspect, projection, orthographicHeight: height } = camera;
    if (projection === ORTHOGRAPHIC)
      this.#orthographic((height * aspect) / 2, height / 2, near, far);
    else mat4.perspectiveReverseZ(fovY, aspect, near, far, this.#projection);
    return this.#set(camera.transform, 0);
  }

  /** Looks along the −z axis of affine rows at `at`, with a square cone of `angle` radians. */
  setSpot(rows: Float32Array, at: number, angle: number, near: number, far: number): boolean {
    mat4.perspectiveReverseZ(angle, 1, near, far, this.#projection);
    return this.#set(rows, at);
  }

  /** Looks along the −z axis of affine rows at everything within `radius` of `center`. */
  setDirectional(
    rows: Float32Array,
    at: number,
    center: ArrayLike<number>,
    radius: number,
  ): boolean {
    const placed = Float32Array.from({ length: 12 }, (_, i) => rows[at + i] ?? 0);
    for (let row = 0; row < 3; row++) {
      const back = placed[row * 4 + 2] ?? 0;
      placed[row * 4 + 3] = (center[row] ?? 0) + back * radius;
    }
    this.#orthographic(radius, radius, 0, radius * 2);
    return this.#set(placed, 0);
  }

  #orthographic(halfWidth: number, halfHeight: number, near: number, far: number): void {
    // Near and far change places: that reverses depth.
    mat4.ortho(-halfWidth, halfWidth, -halfHeight, halfHeight, far, near, this.#projection);
  }

  #set(rows: Float32Array, at: number): boolean {
    const world = this.#world;
    // Without its scale, which a camera doesn't have.
    for (let column = 0; column < 3; column++) {
      const x = rows[at + column] as number;
      const y = rows[at + 4 + column] as number;
      const z = rows[at + 8 + column] as number;
      const scale = 1 / Math.hypot(x, y, z);
      world[column * 4] = x * scale;
      world[column * 4 + 1] = y * scale;
      world[column * 4 + 2] = z * scale;
    }
    for (let row = 0; row < 3; row++) {
      const translation = rows[at + row * 4 + 3] as number;
      world[12 + row] = translation;
      this.position[row] = translation;
    }
    world[15] = 1;
    mat4.invert(world, this.#view);
    mat4.multiply(this.#projection, this.#view, this.viewProjection);
    mat4.invert(this.viewProjection, this.inverseViewProjection);
    if (!this.viewProjection.every(Number.isFinite)) return false;
    if (!this.inverseViewProjection.every(Number.isFinite)) return false;
    frustumPlanes(this.planes, this.viewProjection);
    return true;
  }
}
