import {
  CAMERA_FLOATS,
  DEFORM_INTS,
  INSTANCE_HIDDEN,
  INSTANCE_MOVING,
  SKY_KINDS,
} from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';
import { InstanceKernel } from './instance-kernel.js';
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

/** Which meshes a backend has, and what bends them. */
export type ResidentMeshes = Pick<RenderResources, 'version' | 'isResident' | 'jointsFor'>;

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
  /** Instances that are bent: by a skeleton, by morph weights, or by both. */
  deformCount = 0;
  /** Grows when {@link RenderView.deforms} changes. */
  deformsVersion = 0;
  /**
   * {@link DEFORM_INTS} numbers each: index of the instance in this view, its first joint, how many, its first morph weight,
   * how many. Joints are there only for a mesh with `JOINTS_0`, and then as many as its vertices refer to, or more; weights
   * may be more or fewer than the mesh has targets. Ascending by instance is not promised.
   */
  deforms: Uint32Array = new Uint32Array(0);
  /**
   * Where each joint is now, affine rows: takes a vertex from the mesh, as it was modelled, to the world. A skinned instance's own
   * transform is not to be applied; its bounds are around the mesh's bounds, moved by each of its joints.
   */
  joints: Float32Array = new Float32Array(0);
  /** Each morph weight now. */
  morphWeights: Float32Array = new Float32Array(0);
  #state: RenderFrameState | undefined;
  readonly #module: WebAssembly.Module | undefined;
  readonly #interpolator = new RowsInterpolator();
  readonly #cameraTransform = new Float32Array(AFFINE_FLOATS);
  #kernel: InstanceKernel | undefined;
  #sources: Uint32Array = new Uint32Array(0);
  /** By dense index of the state: the index here, or −1. */
  #places: Int32Array = new Int32Array(0);
  #membershipSeen = -1;
  #epochSeen = -1;
  #resourcesSeen = -1;
  #instancesSeen = -1;

  /** @param module - of {@link loadInstanceKernel}, where there is WebAssembly */
  constructor(module?: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * Where there is WebAssembly: {@link RenderView.transforms} are in its memory, and with them it moves bounding spheres, those of the
   * meshes once they are set. Another one when there are more instances; then {@link RenderView.recordsVersion} grows, too.
   */
  get kernel(): InstanceKernel | undefined {
    return this.#kernel;
  }

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
    resources: ResidentMeshes,
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
    this.#placeDeforms(state, resources);
    this.#placeLights(state);
    this.#placeCamera(state);
  }

  #collect(
    state: RenderFrameState,
    instances: ReadonlyMap<number, InstanceRecord>,
    resources: ResidentMeshes,
  ): void {
    const { instanceIds, instanceFlags, instanceCount } = state;
    if (this.#sources.length < instanceCount) {
      const length = Math.min(instanceIds.length, Math.max(64, instanceCount * 2));
      const kernel = this.#module && new InstanceKernel(this.#module, length);
      this.#kernel = kernel;
      this.#sources = kernel?.sources ?? new Uint32Array(length);
      this.#places = new Int32Array(length);
      this.transforms = kernel?.transforms ?? new Float32Array(length * AFFINE_FLOATS);
    }
    let count = 0;
    for (let dense = 0; dense < instanceCount; dense++) {
      this.#places[dense] = -1;
      if (((instanceFlags[dense] as number) & INSTANCE_HIDDEN) !== 0) continue;
      const record = instances.get(instanceIds[dense] as number);
      if (record === undefined || !resources.isResident('mesh', record.meshUuid)) continue;
      this.records[count] = record;
      this.#places[dense] = count;
      this.#sources[count++] = dense;
    }
    this.records.length = count;
    this.instanceCount = count;
    this.recordsVersion++;
  }

  #placeInstances(state: RenderFrameState): void {
    const { instanceFlags, instancePrevious, instanceCurrent } = state;
    const { transforms, alpha } = this;
    const kernel = this.#kernel;
    const count = kernel ? kernel.place(state, this.instanceCount, alpha) : this.instanceCount;
    for (let k = 0; k < count; k++) {
      const i = kernel ? (kernel.far[k] as number) : k;
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
        for (let n = 0; n < AFFINE_FLOATS; n++) {
          transforms[to + n] = instanceCurrent[from + n] as number;
        }
      }
      kernel?.moveSpheres(i, 1);
    }
  }

  #placeDeforms(state: RenderFrameState, resources: ResidentMeshes): void {
    const { deformCount, jointCount, weightCount } = state;
    if (this.deforms.length < deformCount * DEFORM_INTS) {
      this.deforms = new Uint32Array(state.deforms.length);
    }
    if (this.joints.length < jointCount * AFFINE_FLOATS) {
      this.joints = new Float32Array(
        Math.min(state.jointCurrent.length, jointCount * AFFINE_FLOATS * 2),
      );
    }
    if (this.morphWeights.length < weightCount) {
      this.morphWeights = new Float32Array(Math.min(state.weightCurrent.length, weightCount * 2));
    }
    const { deforms, alpha } = this;
    let count = 0;
    let changed = false;
    for (let from = 0; from < deformCount * DEFORM_INTS; from += DEFORM_INTS) {
      const place = this.#places[state.deforms[from] as number] as number;
      const record = this.records[place];
      if (record === undefined) continue;
      const joints = resources.jointsFor(record.meshUuid, state.deforms[from + 2] as number);
      if (joints === 0 && state.deforms[from + 4] === 0) continue;
      const to = count++ * DEFORM_INTS;
      for (let k = 0; k < DEFORM_INTS; k++) {
        const value = k === 0 ? place : k === 2 ? joints : (state.deforms[from + k] as number);
        changed ||= deforms[to + k] !== value;
        deforms[to + k] = value;
      }
    }
    if (changed || count !== this.deformCount) this.deformsVersion++;
    this.deformCount = count;
    mix(this.joints, state.jointPrevious, state.jointCurrent, jointCount * AFFINE_FLOATS, alpha);
    mix(this.morphWeights, state.weightPrevious, state.weightCurrent, weightCount, alpha);
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

/** Straight lines: each vertex of a skinned mesh moves on one, from its place in one step to that in the next. */
function mix(
  out: Float32Array,
  previous: Float32Array,
  current: Float32Array,
  length: number,
  alpha: number,
): void {
  for (let i = 0; i < length; i++) {
    const from = previous[i] as number;
    out[i] = from + ((current[i] as number) - from) * alpha;
  }
}
