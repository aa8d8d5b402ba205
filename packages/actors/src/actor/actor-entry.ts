import type { EntityId } from '@ecliptic/ecs';
import type { Actor } from './actor.js';
import type { ActorHandle } from './actor-handle.js';

/** `ending`: `onDestroy` is running. `leaving`: the entity is going. `ended`: all that is over. */
type ActorPhase = 'creating' | 'live' | 'ending' | 'leaving' | 'ended';

/** What the manager knows of one actor. */
export interface ActorEntry {
  readonly actor: Actor;
  readonly entity: EntityId;
  handle: ActorHandle;
  phase: ActorPhase;
  /** Whether `onTick` is still called. */
  ticks: boolean;
  /** How many times `onTick` threw. */
  failures: number;
  /** Place in the order of creation; {@link CreationOrder} sets it. */
  place: number;
}
