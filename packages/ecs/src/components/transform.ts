import { defineComponent, type Component } from '../schema/component.js';
import type { MatrixField, QuatField, Vec3Field } from '../schema/field-shapes.js';
import { mat4, quat, vec3 } from '../schema/vector-fields.js';
import { Transforms } from '../scene/transforms.js';

const presentation = { runtime: true } as const;

type TransformSchema = {
  readonly position: Vec3Field;
  readonly rotation: QuatField;
  readonly scale: Vec3Field;
  readonly previousPosition: Vec3Field;
  readonly previousRotation: QuatField;
  readonly previousScale: Vec3Field;
  readonly currentPosition: Vec3Field;
  readonly currentRotation: QuatField;
  readonly currentScale: Vec3Field;
  readonly world: MatrixField;
};

/**
 * Where an entity is, relative to its parent if it has one. Systems read and write `position`, `rotation` and `scale`.
 *
 * `previous…` and `current…` are the presentation pair between which frames interpolate: `scene.snapshotTransforms` rotates it
 * after each fixed step, and a new entity starts with both equal to its live values. `world` is derived by hierarchy
 * systems. None of these are saved or part of `stateHash`.
 */
export const Transform: Component<TransformSchema> = defineComponent(
  'Transform',
  {
    position: vec3(),
    rotation: quat(),
    scale: vec3({ default: [1, 1, 1] }),
    previousPosition: vec3({ ...presentation, defaultFrom: 'position' }),
    previousRotation: quat({ ...presentation, defaultFrom: 'rotation' }),
    previousScale: vec3({ ...presentation, defaultFrom: 'scale' }),
    currentPosition: vec3({ ...presentation, defaultFrom: 'position' }),
    currentRotation: quat({ ...presentation, defaultFrom: 'rotation' }),
    currentScale: vec3({ ...presentation, defaultFrom: 'scale' }),
    world: mat4(presentation),
  },
  {
    description: 'position, rotation and scale relative to the parent',
    attach(core, type) {
      core.transforms = new Transforms(core, type);
    },
  },
);
