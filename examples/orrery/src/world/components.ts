import {
  defineComponent,
  f32,
  vec3,
  type Component,
  type F32Field,
  type Vec3Field,
} from '@ecliptic/ecs';

/** A circular path around the parent, or around the origin. */
export const Orbit: Component<{
  readonly distance: F32Field;
  readonly angle: F32Field;
  readonly speed: F32Field;
  readonly inclination: F32Field;
}> = defineComponent('Orbit', {
  distance: f32({ min: 0, description: 'radius of the path' }),
  angle: f32({ description: 'where on the path, radians' }),
  speed: f32({ description: 'radians a second' }),
  inclination: f32({ description: 'tilt of the path against the ecliptic, radians' }),
});

/** Rotation at a constant speed around an axis of the entity's own. */
export const Spin: Component<{
  readonly axis: Vec3Field;
  readonly angle: F32Field;
  readonly speed: F32Field;
}> = defineComponent('Spin', {
  axis: vec3({ default: [0, 1, 0], description: 'unit vector' }),
  angle: f32({ description: 'radians' }),
  speed: f32({ description: 'radians a second' }),
});
