import { AFFINE_FLOATS } from '../math/affine-rows.js';
import type { VersionedRows } from './row-pool.js';
import { RowSlot } from './row-slot.js';
import {
  CAMERA_FLOATS,
  DEBUG_LINE_FLOATS,
  DEFORM_INTS,
  FRAME_HEADER,
  LIGHT_FLOATS,
  type FrameStateLayout,
} from './frame-state-layout.js';

/** Changes when the layout does. */
const LAYOUT_VERSION = 4;

/**
 * One complete picture of what is to be rendered, in one block of memory: transforms of the last two
 * fixed steps, cameras, lights, sky and target size. It has to be complete, since a mailbox drops
 * states that came too early; what may not be lost (meshes, names, which instance has which mesh) goes
 * through the reliable queue and is referred to by instance id.
 *
 * Arrays have the budget's length; the first `instanceCount`, `lightCount`, `cameraCount`, `deformCount`, `jointCount`,
 * `weightCount` and `debugLineCount` entries count. Transforms are {@link AFFINE_FLOATS} rows, see there; `previous` and `current` are the ends that
 * a renderer interpolates between.
 *
 * @example
 * ```ts
 * const format = frameStateFormat({ instances: 1_000 });
 * const state = format.view(new ArrayBuffer(format.byteLength), 0);
 * state.instanceIds[0] = 7;
 * state.instanceCount = 1;
 * ```
 */
export class RenderFrameState {
  readonly layout: FrameStateLayout;
  readonly header: Float64Array;
  readonly skyColor: Float32Array;
  readonly skyEnvironment: Uint8Array;
  readonly cameraIds: Uint32Array;
  readonly cameraParameters: Float32Array;
  readonly cameraPrevious: Float32Array;
  readonly cameraCurrent: Float32Array;
  readonly lightIds: Uint32Array;
  readonly lightKinds: Uint32Array;
  readonly lightParameters: Float32Array;
  readonly lightPrevious: Float32Array;
  readonly lightCurrent: Float32Array;
  readonly instanceIds: Uint32Array;
  readonly instanceFlags: Uint32Array;
  readonly #rows: RowSlot;
  /** {@link DEFORM_INTS} numbers for each instance with a skeleton or morph weights. */
  readonly deforms: Uint32Array;
  /**
   * Affine rows of joints: each takes a vertex of the mesh to the world. The instance's own transform has no part in it.
   */
  readonly jointPrevious: Float32Array;
  readonly jointCurrent: Float32Array;
  readonly weightPrevious: Float32Array;
  readonly weightCurrent: Float32Array;
  /** {@link DEBUG_LINE_FLOATS} numbers a line. */
  readonly debugLines: Float32Array;
  /** Of each line: linear red in the lowest byte, green, blue, alpha in the highest, 0 to 255. */
  readonly debugColors: Uint32Array;

  constructor(layout: FrameStateLayout, buffer: ArrayBufferLike, byteOffset: number) {
    const { instances, lights, cameras, deforms, joints, morphWeights, debugLines } = layout.budget;
    const floats = (at: number, length: number): Float32Array =>
      new Float32Array(buffer, byteOffset + at, length);
    const words = (at: number, length: number): Uint32Array =>
      new Uint32Array(buffer, byteOffset + at, length);
    this.layout = layout;
    this.header = new Float64Array(buffer, byteOffset, (layout.skyColor - layout.header) / 8);
    this.skyColor = floats(layout.skyColor, 4);
    this.skyEnvironment = new Uint8Array(buffer, byteOffset + layout.skyEnvironment, 16);
    this.cameraIds = words(layout.cameraIds, cameras);
    this.cameraParameters = floats(layout.cameraParameters, cameras * CAMERA_FLOATS);
    this.cameraPrevious = floats(layout.cameraPrevious, cameras * AFFINE_FLOATS);
    this.cameraCurrent = floats(layout.cameraCurrent, cameras * AFFINE_FLOATS);
    this.lightIds = words(layout.lightIds, lights);
    this.lightKinds = words(layout.lightKinds, lights);
    this.lightParameters = floats(layout.lightParameters, lights * LIGHT_FLOATS);
    this.lightPrevious = floats(layout.lightPrevious, lights * AFFINE_FLOATS);
    this.lightCurrent = floats(layout.lightCurrent, lights * AFFINE_FLOATS);
    this.instanceIds = words(layout.instanceIds, instances);
    this.instanceFlags = words(layout.instanceFlags, instances);
    this.#rows = new RowSlot(
      this.header,
      floats(layout.instancePrevious, instances * AFFINE_FLOATS),
      floats(layout.instanceCurrent, instances * AFFINE_FLOATS),
    );
    this.deforms = words(layout.deforms, deforms * DEFORM_INTS);
    this.jointPrevious = floats(layout.jointPrevious, joints * AFFINE_FLOATS);
    this.jointCurrent = floats(layout.jointCurrent, joints * AFFINE_FLOATS);
    this.weightPrevious = floats(layout.weightPrevious, morphWeights);
    this.weightCurrent = floats(layout.weightCurrent, morphWeights);
    this.debugLines = floats(layout.debugLines, debugLines * DEBUG_LINE_FLOATS);
    this.debugColors = words(layout.debugColors, debugLines);
  }

  /** Lets the states in the slots of one mailbox refer to each other's transforms of instances. */
  static link(states: readonly RenderFrameState[]): void {
    RowSlot.link(states.map((state) => state.#rows));
  }

  /** Transforms of instances one step back: of this publication, so don't keep it. */
  get instancePrevious(): Float32Array {
    return this.#rows.previous;
  }

  /** Transforms of instances of the last step: of this publication, so don't keep it. */
  get instanceCurrent(): Float32Array {
    return this.#rows.current;
  }

  /**
   * Writer: sets the transforms of instances. What is in the mailbox already is not copied again.
   *
   * @param count - instances
   */
  setInstanceRows(previous: VersionedRows, current: VersionedRows, count: number): void {
    this.#rows.write(previous, current, count * AFFINE_FLOATS);
  }

  /** Number of the publication, from 1. */
  get sequence(): number {
    return this.header[FRAME_HEADER.sequence] ?? 0;
  }
  set sequence(value: number) {
    this.header[FRAME_HEADER.sequence] = value;
  }

  /** Fixed steps run when `current` was true. */
  get tick(): number {
    return this.header[FRAME_HEADER.tick] ?? 0;
  }
  set tick(value: number) {
    this.header[FRAME_HEADER.tick] = value;
  }

  /** End of that step, in nanoseconds of the engine's clock. */
  get tickTime(): number {
    return this.header[FRAME_HEADER.tickTime] ?? 0;
  }
  set tickTime(value: number) {
    this.header[FRAME_HEADER.tickTime] = value;
  }

  /** Length of a fixed step in nanoseconds; 0 when nothing is to be interpolated. */
  get stepDuration(): number {
    return this.header[FRAME_HEADER.stepDuration] ?? 0;
  }
  set stepDuration(value: number) {
    this.header[FRAME_HEADER.stepDuration] = value;
  }

  /** How far the publisher was between `previous` and `current`, 0 to 1. */
  get alpha(): number {
    return this.header[FRAME_HEADER.alpha] ?? 0;
  }
  set alpha(value: number) {
    this.header[FRAME_HEADER.alpha] = value;
  }

  /** Time for which `alpha` is right, in nanoseconds of the engine's clock. */
  get frameTime(): number {
    return this.header[FRAME_HEADER.frameTime] ?? 0;
  }
  set frameTime(value: number) {
    this.header[FRAME_HEADER.frameTime] = value;
  }

  /** Speed of simulated time against the clock: 1, 0 when paused. */
  get timeScale(): number {
    return this.header[FRAME_HEADER.timeScale] ?? 0;
  }
  set timeScale(value: number) {
    this.header[FRAME_HEADER.timeScale] = value;
  }

  /** Lifecycle epoch: grows when the scene is replaced. */
  get epoch(): number {
    return this.header[FRAME_HEADER.epoch] ?? 0;
  }
  set epoch(value: number) {
    this.header[FRAME_HEADER.epoch] = value;
  }

  /** Grows when instances appear, vanish or change their place in the arrays. */
  get membership(): number {
    return this.header[FRAME_HEADER.membership] ?? 0;
  }
  set membership(value: number) {
    this.header[FRAME_HEADER.membership] = value;
  }

  get instanceCount(): number {
    return this.header[FRAME_HEADER.instanceCount] ?? 0;
  }
  set instanceCount(value: number) {
    this.header[FRAME_HEADER.instanceCount] = value;
  }

  get cameraCount(): number {
    return this.header[FRAME_HEADER.cameraCount] ?? 0;
  }
  set cameraCount(value: number) {
    this.header[FRAME_HEADER.cameraCount] = value;
  }

  /** Index among the cameras; −1 for none. */
  get mainCamera(): number {
    return this.header[FRAME_HEADER.mainCamera] ?? 0;
  }
  set mainCamera(value: number) {
    this.header[FRAME_HEADER.mainCamera] = value;
  }

  get lightCount(): number {
    return this.header[FRAME_HEADER.lightCount] ?? 0;
  }
  set lightCount(value: number) {
    this.header[FRAME_HEADER.lightCount] = value;
  }

  /** Target size in physical pixels. */
  get width(): number {
    return this.header[FRAME_HEADER.width] ?? 0;
  }
  set width(value: number) {
    this.header[FRAME_HEADER.width] = value;
  }

  /** Target size in physical pixels. */
  get height(): number {
    return this.header[FRAME_HEADER.height] ?? 0;
  }
  set height(value: number) {
    this.header[FRAME_HEADER.height] = value;
  }

  /** Physical pixels a logical pixel. */
  get pixelRatio(): number {
    return this.header[FRAME_HEADER.pixelRatio] ?? 0;
  }
  set pixelRatio(value: number) {
    this.header[FRAME_HEADER.pixelRatio] = value;
  }

  /** Index into {@link SKY_KINDS}. */
  get skyKind(): number {
    return this.header[FRAME_HEADER.skyKind] ?? 0;
  }
  set skyKind(value: number) {
    this.header[FRAME_HEADER.skyKind] = value;
  }

  get skyIntensity(): number {
    return this.header[FRAME_HEADER.skyIntensity] ?? 0;
  }
  set skyIntensity(value: number) {
    this.header[FRAME_HEADER.skyIntensity] = value;
  }

  /** Turn about the y axis, in radians. */
  get skyRotation(): number {
    return this.header[FRAME_HEADER.skyRotation] ?? 0;
  }
  set skyRotation(value: number) {
    this.header[FRAME_HEADER.skyRotation] = value;
  }

  /** Instances with a skeleton or morph weights. */
  get deformCount(): number {
    return this.header[FRAME_HEADER.deformCount] ?? 0;
  }
  set deformCount(value: number) {
    this.header[FRAME_HEADER.deformCount] = value;
  }

  /** Joints of all of them. */
  get jointCount(): number {
    return this.header[FRAME_HEADER.jointCount] ?? 0;
  }
  set jointCount(value: number) {
    this.header[FRAME_HEADER.jointCount] = value;
  }

  /** Morph weights of all of them. */
  get weightCount(): number {
    return this.header[FRAME_HEADER.weightCount] ?? 0;
  }
  set weightCount(value: number) {
    this.header[FRAME_HEADER.weightCount] = value;
  }

  /** Lines of debug drawing. */
  get debugLineCount(): number {
    return this.header[FRAME_HEADER.debugLineCount] ?? 0;
  }
  set debugLineCount(value: number) {
    this.header[FRAME_HEADER.debugLineCount] = value;
  }

  /** Whether a writer of this package's version and of this budget wrote it. */
  get isWritten(): boolean {
    return this.header[FRAME_HEADER.layout] === layoutMark(this.layout);
  }

  /** Writer: marks the state as of this layout, with empty counts. */
  reset(): void {
    this.header.fill(0);
    this.header[FRAME_HEADER.layout] = layoutMark(this.layout);
    this.header[FRAME_HEADER.mainCamera] = -1;
    this.header[FRAME_HEADER.pixelRatio] = 1;
  }
}

/** A number that differs between layouts. */
function layoutMark(layout: FrameStateLayout): number {
  return LAYOUT_VERSION * 2 ** 40 + layout.byteLength;
}
