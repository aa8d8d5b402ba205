import {
  CAMERA_FLOATS,
  INSTANCE_HIDDEN,
  INSTANCE_MOVING,
  SKY_KINDS,
} from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';
import { RowsInterpolator } from '../math/interpolate-rows.js';
import type { RenderResources } from '../resources/render-resources.js';
import type { CameraLens } from '../scene/render-cameras.js';
import type { InstanceRecord } from '../scene/instance-record.js';

/** The camera to draw with, where it is now. */
export interface CameraView extends CameraLens {
  /** Id of its entity. */
  readonly id: number;
  /** Its world transform, affine rows; the view matrix is the inverse. */
  readonly transform: Float32Array;
}

/**
 * What a backend draws a frame from: a frame state at one moment, reduced to instances whose mesh is
 * resident. Owned by the render loop and filled again each frame: copy what must last.
 */
export class RenderView {
  /** Number of the rendered frame, from 1. */
  frame = 0;
  /** Where this frame is between the state's two ends, 0 to 1. */
  alpha = 1;
  /** The main camera; `undefined` when the scene has none: then only the sky and overlay are drawn. */
  camera: CameraView | undefined;
  instanceCount = 0;
  /**
   * Grows when {@link RenderView.records} changes: sort then, not each frame.
   */
  recordsVersion = 0;
  /** What each instance is. */
  readonly records: InstanceRecord[] = [];
  /** Where each instance is now, affine rows. */
  transforms: Float32Array = new Float32Array(0);
  /** Where each of the state's lights is now, affine rows; their other numbers are in the state. */
  lightTransforms: Float32Array = new Float32Array(0);
  #state: RenderFrameState | undefined;
  readonly #interpolator = new RowsInterpolator();
  readonly #cameraTransform = new Float32Array(AFFINE_FLOATS);
  #sources: Uint32Array = new Uint32Array(0);
  #membershipSeen = -1;
  #epochSeen = -1;
  #resourcesSeen = -1;
  #instancesSeen = -1;

  /** The state itself: lights, sky, size. */
  get state(): RenderFrameState {
    if (this.#state === undefined) throw new Error('A view was used before its first frame');
    return this.#state;
  }

  /** Kind of the sky, by name. */
  get sky(): (typeof SKY_KINDS)[number] {
    return SKY_KINDS[this.state.skyKind] ?? 'none';
  }

  /**
   * Fills the view.
   *
   * @param instances - what the renderer was told each instance is
   * @param instancesVersion - grows when `instances` changes
   */
  update(
    state: RenderFrameState,
    frame: number,
    alpha: number,
    instances: ReadonlyMap<number, InstanceRecord>,
    instancesVersion: number,
    resources: RenderResources,
  ): void {
    this.#state = state;
    this.frame = frame;
    this.alpha = alpha;
    if (
      state.membership !== this.#membershipSeen ||
      state.epoch !== this.#epochSeen ||
      resources.version !== this.#resourcesSeen ||
      instancesVersion !== this.#instancesSeen
    ) {
      this.#membershipSeen = state.membership;
      this.#epochSeen = state.epoch;
      this.#resourcesSeen = resources.version;
      this.#instancesSeen = instancesVersion;
      this.#collect(state, instances, resources);
    }
    this.#placeInstances(state);
    this.#placeLights(state);
    this.#placeCamera(state);
  }

  #collect(
    state: RenderFrameState,
    instances: ReadonlyMap<number, InstanceRecord>,
    resources: RenderResources,
  ): void {
    const { instanceIds, instanceFlags, instanceCount } = state;
    if (this.#sources.length < instanceCount) {
      const length = Math.min(instanceIds.length, Math.max(64, instanceCount * 2));
      this.#sources = new Uint32Array(length);
      this.transforms = new Float32Array(length * AFFINE_FLOATS);
    }
    let count = 0;
    for (let dense = 0; dense < instanceCount; dense++) {
      if (((instanceFlags[dense] as number) & INSTANCE_HIDDEN) !== 0) continue;
      const record = instances.get(instanceIds[dense] as number);
      if (record === undefined || !resources.isResident('mesh', record.meshUuid)) continue;
      this.records[count] = record;
      this.#sources[count++] = dense;
    }
    this.records.length = count;
    this.instanceCount = count;
    this.recordsVersion++;
  }

  #placeInstances(state: RenderFrameState): void {
    const { instanceFlags, instancePrevious, instanceCurrent } = state;
    const { transforms, alpha } = this;
    for (let i = 0; i < this.instanceCount; i++) {
      const dense = this.#sources[i] as number;
      const from = dense * AFFINE_FLOATS;
      const to = i * AFFINE_FLOATS;
      if (((instanceFlags[dense] as number) & INSTANCE_MOVING) !== 0) {
        this.#interpolator.interpolate(
          transforms,
          to,
          instancePrevious,
          from,
          instanceCurrent,
          from,
          alpha,
        );
      } else {
        for (let k = 0; k < AFFINE_FLOATS; k++) {
          transforms[to + k] = instanceCurrent[from + k] as number;
        }
      }
    }
  }

  #placeLights(state: RenderFrameState): void {
    const floats = state.lightCount * AFFINE_FLOATS;
    if (this.lightTransforms.length < floats) this.lightTransforms = new Float32Array(floats * 2);
    for (let at = 0; at < floats; at += AFFINE_FLOATS) {
      this.#interpolator.interpolate(
        this.lightTransforms,
        at,
        state.lightPrevious,
        at,
        state.lightCurrent,
        at,
        this.alpha,
      );
    }
  }

  #placeCamera(state: RenderFrameState): void {
    const index = state.mainCamera;
    if (index < 0 || index >= state.cameraCount) {
      this.camera = undefined;
      return;
    }
    const at = index * AFFINE_FLOATS;
    this.#interpolator.interpolate(
      this.#cameraTransform,
      0,
      state.cameraPrevious,
      at,
      state.cameraCurrent,
      at,
      this.alpha,
    );
    const lens = index * CAMERA_FLOATS;
    const aspect = state.cameraParameters[lens + 3] ?? 0;
    this.camera = {
      id: state.cameraIds[index] ?? 0,
      transform: this.#cameraTransform,
      fovY: state.cameraParameters[lens] ?? 0,
      near: state.cameraParameters[lens + 1] ?? 0,
      far: state.cameraParameters[lens + 2] ?? 0,
      projection: state.cameraParameters[lens + 4] ?? 0,
      orthographicHeight: state.cameraParameters[lens + 5] ?? 0,
      aspect: aspect > 0 ? aspect : state.width / Math.max(1, state.height),
    };
  }
}
