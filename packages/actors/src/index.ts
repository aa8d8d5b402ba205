/**
 * Actors: few, complex game objects with an identity and behaviour of their own, over the entities
 * of a scene.
 *
 * @packageDocumentation
 */
export { Actor } from './actor/actor.js';
export type { ActorHandle } from './actor/actor-handle.js';
export { ActorManager, type ActorManagerOptions } from './actor/actor-manager.js';
export type { TickErrorPolicy } from './actor/hook-failures.js';
export type { ActorClass } from './actor/construct-actor.js';
