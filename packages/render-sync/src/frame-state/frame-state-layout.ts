import { EclipticError } from '@ecliptic/core';
import { AFFINE_FLOATS } from '../math/affine-rows.js';

/** How much one frame state can hold. Both sides of a mailbox need the same numbers. */
export interface FrameBudget {
  /** Mesh instances; 112 bytes each, three times in shared memory. Default 65,536. */
  readonly instances: number;
  /** Default 1,024. */
  readonly lights: number;
  /** Default 16. */
  readonly cameras: number;
  /** Instances with a skeleton or morph weights. Default 1,024. */
  readonly deforms: number;
  /** Joints of all of them together; 96 bytes each. Default 8,192. */
  readonly joints: number;
  /** Morph weights of all of them together. Default 8,192. */
  readonly morphWeights: number;
  /** Lines of debug drawing; 28 bytes each. Default 8,192. */
  readonly debugLines: number;
}

/** The budget of a frame state when nothing else is said: about 8 MiB a slot. */
export const DEFAULT_FRAME_BUDGET: FrameBudget = {
  instances: 65_536,
  lights: 1_024,
  cameras: 16,
  deforms: 1_024,
  joints: 8_192,
  morphWeights: 8_192,
  debugLines: 8_192,
};

/** Numbers of the header, by index into its `Float64Array`. All are exact integers or seconds. */
export const FRAME_HEADER = {
  /** Tells layouts apart: version and size. 0 in memory that was never written. */
  layout: 0,
  /** Number of the publication, from 1. */
  sequence: 1,
  /** Fixed steps run when `current` was true. */
  tick: 2,
  /** Time of that step's end, in nanoseconds of the engine's clock. */
  tickTime: 3,
  /** Length of a fixed step in nanoseconds; 0 when nothing is to be interpolated. */
  stepDuration: 4,
  /** How far the publisher was between `previous` and `current`, 0 to 1. */
  alpha: 5,
  /** Time for which `alpha` is right, in nanoseconds of the engine's clock. */
  frameTime: 6,
  /** Speed of simulated time against the clock: 1, 0 when paused. */
  timeScale: 7,
  /** Lifecycle epoch: grows when the scene is replaced. */
  epoch: 8,
  /** Grows when instances appear, vanish or change their place in the arrays. */
  membership: 9,
  instanceCount: 10,
  cameraCount: 11,
  /** Index of the main camera among the cameras; −1 for none. */
  mainCamera: 12,
  lightCount: 13,
  /** Size of the target in physical pixels. */
  width: 14,
  height: 15,
  /** Physical pixels a logical pixel. */
  pixelRatio: 16,
  /** Index into {@link SKY_KINDS}. */
  skyKind: 17,
  /** Multiplies the sky's light. */
  skyIntensity: 18,
  /** Turn about the y axis, in radians. */
  skyRotation: 19,
  deformCount: 20,
  jointCount: 21,
  weightCount: 22,
  debugLineCount: 23,
  /** Where the transforms of instances are: 0 for the state's own bytes, else 1 + a buffer of its mailbox. */
  previousRows: 24,
  currentRows: 25,
} as const;

/** Numbers of the header, with room to grow. */
const HEADER_FLOATS = 32;

/** What the background is: nothing, one colour, an analytic sky, an environment map. */
export const SKY_KINDS = ['none', 'color', 'analytic', 'environment'] as const;
/** Kinds of light, by number in the `lightKinds` of a frame state. */
export const LIGHT_KINDS = ['directional', 'point', 'spot'] as const;

/** Kinds of projection, by number in `cameraParameters`. */
export const PROJECTIONS = ['perspective', 'orthographic'] as const;

/**
 * Numbers of one camera in `cameraParameters`: vertical field of view in radians, near, far, aspect (0: the
 * target's), projection, height of an orthographic view in metres, 2 unused.
 */
export const CAMERA_FLOATS = 8;
/**
 * Numbers of one light in `lightParameters`: red, green, blue (linear), intensity, range in metres, outer and inner
 * cone angle in radians, 1 if it casts shadows.
 */
export const LIGHT_FLOATS = 8;

/**
 * Numbers of one bent instance in `deforms`: its index among the instances, its first joint, how many, its first morph
 * weight, how many.
 */
export const DEFORM_INTS = 5;

/** Numbers of one line in `debugLines`: x, y, z of its two ends, in world space. */
export const DEBUG_LINE_FLOATS = 6;

/** Flag of an instance: it moved in the last step, so `previous` and `current` differ. */
export const INSTANCE_MOVING = 1;
/** Flag of an instance: it isn't to be drawn. */
export const INSTANCE_HIDDEN = 2;

/** Where each part of a frame state lies, in bytes from its start; every part starts on 64. */
export interface FrameStateLayout {
  readonly budget: FrameBudget;
  readonly byteLength: number;
  readonly header: number;
  /** 4 numbers: red, green, blue (linear), unused. */
  readonly skyColor: number;
  /** 16 bytes: uuid of the environment map. */
  readonly skyEnvironment: number;
  readonly cameraIds: number;
  readonly cameraParameters: number;
  readonly cameraPrevious: number;
  readonly cameraCurrent: number;
  readonly lightIds: number;
  readonly lightKinds: number;
  readonly lightParameters: number;
  readonly lightPrevious: number;
  readonly lightCurrent: number;
  readonly instanceIds: number;
  readonly instanceFlags: number;
  readonly instancePrevious: number;
  readonly instanceCurrent: number;
  readonly deforms: number;
  readonly jointPrevious: number;
  readonly jointCurrent: number;
  readonly weightPrevious: number;
  readonly weightCurrent: number;
  readonly debugLines: number;
  readonly debugColors: number;
}

/**
 * Lays a frame state out for a budget. The same budget gives the same layout everywhere.
 *
 * @throws EclipticError `render-sync/frame-budget` when a number isn't a whole one of 1 or more
 */
export function frameStateLayout(budget: Partial<FrameBudget> = {}): FrameStateLayout {
  const full = { ...DEFAULT_FRAME_BUDGET, ...budget };
  for (const [what, count] of Object.entries(full)) {
    if (!Number.isSafeInteger(count) || count < 1 || count > 0xff_ffff) {
      throw new EclipticError('render-sync/frame-budget', `A frame can't hold ${count} ${what}`, {
        subjects: { what, count },
        fix: 'Use a whole number from 1 to 16,777,215.',
      });
    }
  }
  const { instances, lights, cameras, deforms, joints, morphWeights, debugLines } = full;
  let end = 0;
  const part = (bytes: number): number => {
    const start = end;
    end = Math.ceil((start + bytes) / 64) * 64;
    return start;
  };
  const transforms = AFFINE_FLOATS * 4;
  const parts = {
    header: part(HEADER_FLOATS * 8),
    skyColor: part(16),
    skyEnvironment: part(16),
    cameraIds: part(cameras * 4),
    cameraParameters: part(cameras * CAMERA_FLOATS * 4),
    cameraPrevious: part(cameras * transforms),
    cameraCurrent: part(cameras * transforms),
    lightIds: part(lights * 4),
    lightKinds: part(lights * 4),
    lightParameters: part(lights * LIGHT_FLOATS * 4),
    lightPrevious: part(lights * transforms),
    lightCurrent: part(lights * transforms),
    instanceIds: part(instances * 4),
    instanceFlags: part(instances * 4),
    instancePrevious: part(instances * transforms),
    instanceCurrent: part(instances * transforms),
    deforms: part(deforms * DEFORM_INTS * 4),
    jointPrevious: part(joints * transforms),
    jointCurrent: part(joints * transforms),
    weightPrevious: part(morphWeights * 4),
    weightCurrent: part(morphWeights * 4),
    debugLines: part(debugLines * DEBUG_LINE_FLOATS * 4),
    debugColors: part(debugLines * 4),
  };
  return { budget: full, byteLength: end, ...parts };
}
