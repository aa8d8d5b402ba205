import { defineComponent, type Component } from '../schema/component.js';
import type {
  BoolField,
  ColorField,
  F32Field,
  OneOfField,
  TextField,
  U32Field,
} from '../schema/field-shapes.js';
import { bool, f32, u32 } from '../schema/number-fields.js';
import { oneOf } from '../schema/one-of-field.js';
import { uuid } from '../schema/uuid-field.js';
import { color } from '../schema/vector-fields.js';

/** Value of `Mesh.renderInstanceId` where no render instance is bound. */
export const NO_RENDER_INSTANCE = 0xffff_ffff;

/** What to draw: a mesh asset. */
export const Mesh: Component<{
  readonly meshUuid: TextField;
  readonly renderInstanceId: U32Field;
  readonly visible: BoolField;
}> = defineComponent('Mesh', {
  meshUuid: uuid({ asset: 'mesh', description: 'the mesh asset; nil draws nothing' }),
  renderInstanceId: u32({
    default: NO_RENDER_INSTANCE,
    runtime: true,
    description: 'instance in the render scene, bound at run time; 4294967295 where there is none',
  }),
  visible: bool({ default: true }),
});

/** A point of view. Exactly one should be `isMain`. */
export const Camera: Component<{
  readonly projection: OneOfField<'perspective' | 'orthographic'>;
  readonly fovY: F32Field;
  readonly near: F32Field;
  readonly far: F32Field;
  readonly aspectRatio: F32Field;
  readonly orthographicHeight: F32Field;
  readonly isMain: BoolField;
}> = defineComponent('Camera', {
  projection: oneOf('perspective', 'orthographic'),
  fovY: f32({ default: Math.PI / 3, min: 0.001, max: 3.14, description: 'vertical, in radians' }),
  near: f32({ default: 0.1, min: 0.000_001, description: 'in metres' }),
  far: f32({ default: 1_000, min: 0.000_001, description: 'in metres' }),
  aspectRatio: f32({ min: 0, description: 'width / height; 0 for that of what is drawn to' }),
  orthographicHeight: f32({ default: 10, min: 0.000_001, description: 'in metres' }),
  isMain: bool(),
});

/** A source of light. `range` and the cone are unused for directional lights. */
export const Light: Component<{
  readonly kind: OneOfField<'directional' | 'point' | 'spot'>;
  readonly color: ColorField;
  readonly intensity: F32Field;
  readonly range: F32Field;
  readonly spotAngle: F32Field;
  readonly innerSpotAngle: F32Field;
  readonly castsShadow: BoolField;
}> = defineComponent('Light', {
  kind: oneOf('directional', 'point', 'spot'),
  color: color(1, 1, 1),
  intensity: f32({ default: 1, min: 0 }),
  range: f32({ default: 10, min: 0, description: 'in metres' }),
  spotAngle: f32({
    default: Math.PI / 4,
    min: 0,
    max: Math.PI,
    description: 'outer cone, in radians',
  }),
  innerSpotAngle: f32({ min: 0, max: Math.PI, description: 'full light inside, in radians' }),
  castsShadow: bool(),
});

/** A material for this entity, instead of those that its mesh brings. */
export const Material: Component<{ readonly materialUuid: TextField }> = defineComponent(
  'Material',
  {
    materialUuid: uuid({
      asset: 'material',
      description: 'the material asset; nil leaves the mesh its own',
    }),
  },
);
