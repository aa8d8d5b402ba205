/**
 * The standard components: what engines, renderers, physics and tools of this family agree on.
 *
 * @packageDocumentation
 */
export { Parent } from './hierarchy/parent.js';
export { Transform } from './components/transform.js';
export {
  Animator,
  MAX_MORPH_WEIGHTS,
  MorphWeights,
  PrefabNode,
  Skeleton,
} from './components/animation.js';
export { Camera, Light, Material, Mesh, NO_RENDER_INSTANCE } from './components/rendering.js';
export { Name, Uuid } from './components/identity.js';
export {
  Collider,
  NavAgent,
  NO_BODY,
  ParticleEmitter,
  RigidBody,
} from './components/simulation.js';
export { NetReplicated } from './components/network.js';
