import { defineComponent, type Component } from '../schema/component.js';
import type {
  ArrayField,
  BoolField,
  EntityField,
  F32Field,
  F64Field,
  TextField,
  U16Field,
  U32Field,
} from '../schema/field-shapes.js';
import { fixedArray } from '../schema/array-field.js';
import { bool, entity, f32, f64, u16, u32 } from '../schema/number-fields.js';
import { uuid } from '../schema/uuid-field.js';

/** Most morph targets of one entity that have a weight. */
export const MAX_MORPH_WEIGHTS = 60;

/** Which node of a spawned prefab an entity is: how skins and animations, which know nodes by number, find entities. */
export const PrefabNode: Component<{
  readonly root: EntityField;
  readonly index: U32Field;
}> = defineComponent('PrefabNode', {
  root: entity({
    description: 'names the spawned prefab: its first root; the same for all its nodes',
  }),
  index: u32({ description: 'of the node in the prefab' }),
});

/** A skeleton that bends the mesh of this entity. Its joints are nodes of a spawned prefab. */
export const Skeleton: Component<{
  readonly skinUuid: TextField;
  readonly root: EntityField;
}> = defineComponent('Skeleton', {
  skinUuid: uuid({ description: 'the skin asset; nil leaves the mesh rigid' }),
  root: entity({ description: 'PrefabNode.root of its joints' }),
});

/** How much of each morph target is in the mesh of this entity. Without it, a mesh has its own weights. */
export const MorphWeights: Component<{
  readonly weights: ArrayField<Float32Array>;
  readonly count: U16Field;
}> = defineComponent('MorphWeights', {
  weights: fixedArray(f32(), MAX_MORPH_WEIGHTS),
  count: u16({ max: MAX_MORPH_WEIGHTS, description: 'how many of them count' }),
});

/**
 * Plays an animation on the nodes of a spawned prefab, or a mixture of two; belongs on its `PrefabNode.root`. Going from one animation
 * to another, the second is the one that was played before, and its share goes to 0: see `crossFade` of `@ecliptic/render-sync`.
 */
export const Animator: Component<{
  readonly animationUuid: TextField;
  readonly time: F64Field;
  readonly speed: F32Field;
  readonly isPlaying: BoolField;
  readonly isLooping: BoolField;
  readonly blendUuid: TextField;
  readonly blendTime: F64Field;
  readonly blendWeight: F32Field;
  readonly blendRate: F32Field;
}> = defineComponent('Animator', {
  animationUuid: uuid({ description: 'the animation asset; nil plays nothing' }),
  time: f64({ min: 0, description: 'in seconds from its start' }),
  speed: f32({ default: 1, description: 'negative plays backwards, 0 holds the pose of `time`' }),
  isPlaying: bool({ default: true, description: 'nothing is moved while false' }),
  isLooping: bool({ default: true, description: 'else isPlaying becomes false at the end' }),
  blendUuid: uuid({ description: 'a second animation, mixed into the first; nil mixes nothing' }),
  blendTime: f64({ min: 0, description: 'in seconds from the start of the second' }),
  blendWeight: f32({ min: 0, max: 1, description: 'share of the second; the first has the rest' }),
  blendRate: f32({ description: 'change of that share a second; at 0 the second is dropped' }),
});
