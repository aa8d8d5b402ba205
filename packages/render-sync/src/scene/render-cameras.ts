import { CAMERA_FLOATS } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';

/** A camera's lens. It looks along its negative z axis. */
export interface CameraLens {
  /** Vertical field of view in radians. */
  readonly fovY: number;
  /** Metres, above 0. */
  readonly near: number;
  /** Metres, above `near`. */
  readonly far: number;
  /** Width by height; 0 for that of the target. */
  readonly aspect: number;
  /** Index into {@link PROJECTIONS}. */
  readonly projection: number;
  /** Height of an orthographic view, metres. */
  readonly orthographicHeight: number;
}

/** The cameras of a render scene: filled anew each frame, packed as in a frame state. */
export class RenderCameras {
  readonly capacity: number;
  /** Cameras that found no room since the last {@link RenderCameras.clear}. */
  overflow = 0;
  /** Index of the camera to draw with; −1 for none. */
  main = -1;
  #count = 0;
  readonly #ids: Uint32Array;
  readonly #parameters: Float32Array;
  readonly #previous: Float32Array;
  readonly #current: Float32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#ids = new Uint32Array(capacity);
    this.#parameters = new Float32Array(capacity * CAMERA_FLOATS);
    this.#previous = new Float32Array(capacity * AFFINE_FLOATS);
    this.#current = new Float32Array(capacity * AFFINE_FLOATS);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all cameras. */
  clear(): void {
    this.#count = 0;
    this.overflow = 0;
    this.main = -1;
  }

  /**
   * Adds a camera.
   *
   * @param previous - affine rows at `p`
   * @param current - affine rows at `c`
   * @returns its index, or −1 when there was no room
   */
  add(
    id: number,
    lens: CameraLens,
    previous: Float32Array,
    p: number,
    current: Float32Array,
    c: number,
  ): number {
    if (this.#count === this.capacity) {
      this.overflow++;
      return -1;
    }
    const index = this.#count++;
    this.#ids[index] = id;
    const at = index * CAMERA_FLOATS;
    this.#parameters[at] = lens.fovY;
    this.#parameters[at + 1] = lens.near;
    this.#parameters[at + 2] = lens.far;
    this.#parameters[at + 3] = lens.aspect;
    this.#parameters[at + 4] = lens.projection;
    this.#parameters[at + 5] = lens.orthographicHeight;
    const to = index * AFFINE_FLOATS;
    for (let i = 0; i < AFFINE_FLOATS; i++) {
      this.#previous[to + i] = previous[p + i] as number;
      this.#current[to + i] = current[c + i] as number;
    }
    return index;
  }

  /** Copies the cameras into a frame state. */
  writeTo(state: RenderFrameState): void {
    const count = this.#count;
    state.cameraCount = count;
    state.mainCamera = this.main;
    state.cameraIds.set(this.#ids.subarray(0, count));
    state.cameraParameters.set(this.#parameters.subarray(0, count * CAMERA_FLOATS));
    state.cameraPrevious.set(this.#previous.subarray(0, count * AFFINE_FLOATS));
    state.cameraCurrent.set(this.#current.subarray(0, count * AFFINE_FLOATS));
  }
}
