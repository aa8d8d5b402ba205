import { Actor } from './actor.js';
import { createFailed, notAnActor } from './actor-errors.js';

/** A class of actors and what its constructor takes. */
export type ActorClass<T extends Actor, A extends readonly unknown[]> = new (...args: A) => T;

/**
 * Runs the constructor.
 *
 * @throws EclipticError `actors/create-failed`, `actors/not-an-actor`
 */
export function constructActor<T extends Actor, A extends readonly unknown[]>(
  type: ActorClass<T, A>,
  args: A,
): T {
  let actor: T;
  try {
    actor = new type(...args);
  } catch (error) {
    throw createFailed(type.name, 'constructor', error);
  }
  if (!(actor instanceof Actor)) throw notAnActor(type.name);
  return actor;
}
