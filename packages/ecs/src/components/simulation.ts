import { defineComponent, type Component } from '../schema/component.js';
import type {
  BoolField,
  F32Field,
  OneOfField,
  TextField,
  U32Field,
  Vec3Field,
} from '../schema/field-shapes.js';
import { bool, f32, u32 } from '../schema/number-fields.js';
import { oneOf } from '../schema/one-of-field.js';
import { text } from '../schema/text-field.js';
import { vec3 } from '../schema/vector-fields.js';

/** Value of `RigidBody.bodyId` where the physics engine has no body. */
export const NO_BODY = 0xffff_ffff;

/** A body of the physics engine. */
export const RigidBody: Component<{
  readonly motion: OneOfField<'static' | 'kinematic' | 'dynamic'>;
  readonly mass: F32Field;
  readonly friction: F32Field;
  readonly restitution: F32Field;
  readonly linearVelocity: Vec3Field;
  readonly angularVelocity: Vec3Field;
  readonly bodyId: U32Field;
}> = defineComponent('RigidBody', {
  motion: oneOf('static', 'kinematic', 'dynamic'),
  mass: f32({ default: 1, min: 0, description: 'in kilograms' }),
  friction: f32({ default: 0.5, min: 0 }),
  restitution: f32({ min: 0, max: 1 }),
  linearVelocity: vec3({ description: 'in metres a second' }),
  angularVelocity: vec3({ description: 'in radians a second' }),
  bodyId: u32({
    default: NO_BODY,
    runtime: true,
    description: 'in the physics engine; 4294967295 where there is none',
  }),
});

/** The shape that collides. */
export const Collider: Component<{
  readonly shape: OneOfField<'box' | 'sphere' | 'capsule' | 'cylinder'>;
  readonly size: Vec3Field;
  readonly offset: Vec3Field;
  readonly isTrigger: BoolField;
}> = defineComponent('Collider', {
  shape: oneOf('box', 'sphere', 'capsule', 'cylinder'),
  size: vec3({
    default: [1, 1, 1],
    description: 'box: full extents; round shapes: diameter in x, height in y',
  }),
  offset: vec3({ description: 'of its centre from the entity' }),
  isTrigger: bool({ description: 'reports overlaps and stops nothing' }),
});

/** A source of particles. */
export const ParticleEmitter: Component<{
  readonly preset: TextField;
  readonly rate: F32Field;
  readonly lifetime: F32Field;
  readonly isEmitting: BoolField;
}> = defineComponent('ParticleEmitter', {
  preset: text(32),
  rate: f32({ default: 10, min: 0, description: 'particles a second' }),
  lifetime: f32({ default: 1, min: 0, description: 'of a particle, in seconds' }),
  isEmitting: bool({ default: true }),
});

/** Something that finds its way. */
export const NavAgent: Component<{
  readonly speed: F32Field;
  readonly radius: F32Field;
  readonly destination: Vec3Field;
  readonly hasDestination: BoolField;
}> = defineComponent('NavAgent', {
  speed: f32({ default: 1, min: 0, description: 'in metres a second' }),
  radius: f32({ default: 0.5, min: 0, description: 'in metres' }),
  destination: vec3(),
  hasDestination: bool(),
});
