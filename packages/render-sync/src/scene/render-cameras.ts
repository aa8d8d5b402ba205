import { CAMERA_FLOATS } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { PlacedList } from './placed-list.js';

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
export class RenderCameras extends PlacedList {
  /** Index of the camera to draw with; −1 for none. */
  main = -1;

  constructor(capacity: number) {
    super(capacity, CAMERA_FLOATS);
  }

  /** Forgets all cameras. */
  override clear(): void {
    super.clear();
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
    const index = this.place(id, previous, p, current, c);
    if (index < 0) return -1;
    const at = index * CAMERA_FLOATS;
    this.parameters[at] = lens.fovY;
    this.parameters[at + 1] = lens.near;
    this.parameters[at + 2] = lens.far;
    this.parameters[at + 3] = lens.aspect;
    this.parameters[at + 4] = lens.projection;
    this.parameters[at + 5] = lens.orthographicHeight;
    return index;
  }

  /** Copies the cameras into a frame state. */
  writeTo(state: RenderFrameState): void {
    state.cameraCount = this.count;
    state.mainCamera = this.main;
    const { cameraIds, cameraParameters, cameraPrevious, cameraCurrent } = state;
    this.copyTo(cameraIds, cameraParameters, cameraPrevious, cameraCurrent);
  }
}
