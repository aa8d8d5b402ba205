import type { Handle } from '@ecliptic/core';
import type { Actor } from './actor.js';

declare const actorType: unique symbol;

/**
 * Refers to an actor, and goes stale when the actor is destroyed. A number: copy, store and compare it
 * freely. It means something only to the manager that issued it.
 */
export type ActorHandle<T extends Actor = Actor> = Handle & { readonly [actorType]?: T };
