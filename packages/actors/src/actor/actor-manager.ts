import { EclipticError, EventLog, HandleTable } from '@ecliptic/core';
import type { EntityId, Scene } from '@ecliptic/ecs';
import type { ActorEntry } from './actor-entry.js';
import { bindActor, type Actor } from './actor.js';
import {
  createFailed,
  deadEntity,
  destroyFailed,
  entityTaken,
  failedTicks,
  full,
  shutDown,
} from './actor-errors.js';
import type { ActorHandle } from './actor-handle.js';
import { constructActor, type ActorClass } from './construct-actor.js';
import { CreationOrder } from './creation-order.js';
import { HookFailures, type TickErrorPolicy } from './hook-failures.js';

/** Options of an {@link ActorManager}. */
export interface ActorManagerOptions {
  /** How many actors may live at once; default 1,024. A budget: one more is a coded error. */
  readonly capacity?: number;
  /**
   * What an error thrown by an `onTick` leads to, once the other actors have had their turn:
   * `retain` (default) reports it and ticks the actor again in the next step, `disable` reports it and
   * never ticks that actor again, `reject` makes {@link ActorManager.tick} throw.
   */
  readonly tickErrors?: TickErrorPolicy;
  /**
   * Called with each error that is reported and not thrown, also with the repeats that the log leaves out. What it throws
   * itself ends the tick.
   */
  readonly onError?: (error: EclipticError) => void;
  /** Where reports go; default a log of the subsystem `actors`. */
  readonly log?: EventLog;
}

const DEFAULT_CAPACITY = 1_024;

/**
 * Owns the actors of one scene: creates, ticks and destroys them. Actors tick in the order of their
 * creation and are shut down in the reverse order.
 *
 * Every hook may create and destroy any actor, itself included, and shut the manager down. Not
 * thread-safe: it belongs to the simulation thread. Shut it down before the scene.
 *
 * @example
 * ```ts
 * const actors = new ActorManager(scene);
 * const player = actors.create(Player, 'Ada');
 * actors.tick(1 / 60);
 * actors.access(player)?.jump();
 * actors.destroy(player);
 * actors.isLive(player); // false
 * ```
 */
export class ActorManager {
  /** The scene that the actors' entities live in. */
  readonly scene: Scene;
  /** How many actors may live at once. */
  readonly capacity: number;
  readonly #failures: HookFailures;
  readonly #entries: HandleTable<ActorEntry>;
  readonly #byEntity = new Map<EntityId, ActorEntry>();
  readonly #order = new CreationOrder();
  readonly #unobserve: () => void;
  #state: 'open' | 'closing' | 'closed' = 'open';

  /** @throws EclipticError `actors/capacity` unless `capacity` is a whole number of at least 1 */
  constructor(scene: Scene, options: ActorManagerOptions = {}) {
    const capacity = options.capacity ?? DEFAULT_CAPACITY;
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new EclipticError('actors/capacity', `An actor manager can't hold ${capacity} actors`, {
        subjects: { capacity },
        fix: 'Pass a whole number of at least 1.',
      });
    }
    this.scene = scene;
    this.capacity = capacity;
    this.#failures = new HookFailures(
      options.tickErrors ?? 'retain',
      options.log ?? new EventLog('actors'),
      options.onError,
    );
    this.#entries = new HandleTable<ActorEntry>({ name: 'actors', capacity });
    this.#unobserve = scene.observeDestroy((entity) => this.#entityDestroyed(entity));
  }

  /** Actors that are alive now. */
  get size(): number {
    return this.#byEntity.size;
  }

  /**
   * Makes an actor on a new entity and runs its `onCreate`. Inside `onTick` it is allowed; the new
   * actor ticks from the next step on.
   *
   * @param type - the actor's class
   * @param args - what its constructor takes
   * @returns the handle to refer to it by; already stale if `onCreate` destroyed the actor
   * @throws EclipticError `actors/create-failed` if the constructor or `onCreate` throws; the entity and
   *   the slot are free again. `actors/full` past the capacity. `actors/shut-down` from shutdown on.
   *   `actors/not-an-actor` for another kind of class. The scene's own errors, as they are.
   */
  create<T extends Actor, A extends readonly unknown[]>(
    type: ActorClass<T, A>,
    ...args: A
  ): ActorHandle<T> {
    this.#assertRoom(type.name);
    const actor = constructActor(type, args);
    this.#assertRoom(type.name); // the constructor may have created others
    const entity = this.scene.createEntity();
    try {
      return this.#admit(actor, entity);
    } catch (error) {
      if (this.scene.isAlive(entity)) this.scene.destroyEntity(entity);
      throw error;
    }
  }

  /**
   * Makes an actor on an entity that exists already, as one loaded from a scene file or spawned from a
   * prefab; otherwise as {@link ActorManager.create}. From now on the actor owns the entity and takes it
   * along when it is destroyed; if `onCreate` throws, the entity stays.
   *
   * @throws EclipticError `actors/dead-entity`; `actors/entity-taken` if another actor owns it; and those of `create`
   */
  createOn<T extends Actor, A extends readonly unknown[]>(
    entity: EntityId,
    type: ActorClass<T, A>,
    ...args: A
  ): ActorHandle<T> {
    this.#assertRoom(type.name);
    this.#assertFree(entity, type.name);
    const actor = constructActor(type, args);
    this.#assertRoom(type.name);
    this.#assertFree(entity, type.name); // the constructor may have taken or destroyed it
    return this.#admit(actor, entity);
  }

  /**
   * Runs the actor's `onDestroy`, then destroys its entity and frees its slot. A stale handle, or an
   * actor that is being destroyed, is left alone.
   *
   * @returns whether this call destroyed the actor
   * @throws EclipticError `actors/destroy-failed` if `onDestroy` throws; the actor is gone all the same
   */
  destroy(handle: ActorHandle): boolean {
    const entry = this.#entries.get(handle);
    if (entry === undefined || entry.phase === 'ending' || entry.phase === 'leaving') return false;
    const failure = this.#end(entry);
    try {
      entry.phase = 'leaving';
      if (this.scene.isAlive(entry.entity)) this.scene.destroyEntity(entry.entity);
    } catch (error) {
      entry.phase = 'ended'; // refused, as from inside an iteration: another destroy() tries again
      throw error;
    }
    this.#release(entry);
    if (failure) throw failure;
    return true;
  }

  /** The actor, or `undefined` if the handle is stale. O(1). Don't keep the object; keep the handle. */
  access<T extends Actor>(handle: ActorHandle<T>): T | undefined {
    const entry = this.#entries.get(handle);
    if (entry === undefined || !this.scene.isAlive(entry.entity)) return undefined;
    if (entry.phase === 'leaving' || entry.phase === 'ended') return undefined;
    return entry.actor as T;
  }

  /** Whether the handle's actor is alive; `true` inside its `onDestroy`, `false` after it. */
  isLive(handle: ActorHandle): boolean {
    return this.access(handle) !== undefined;
  }

  /** The handle of the actor that owns this entity, or `undefined`. O(1). */
  actorOf(entity: EntityId): ActorHandle | undefined {
    return this.#byEntity.get(entity)?.handle;
  }

  /**
   * Calls `onTick` of every actor that was alive when the step began and still is, in order of
   * creation. Called once a fixed step, after the systems and the flush of their commands. Allocates
   * nothing unless an actor throws.
   *
   * @param dt - length of the step in seconds; finite, at least 0
   * @throws EclipticError `actors/tick-failed` under the policy `reject`, after all actors had their turn;
   *   its cause is the actor's error, or an `AggregateError` of several. `actors/nested-tick` from
   *   inside an `onTick`. `actors/bad-dt`. `actors/shut-down`.
   */
  tick(dt: number): void {
    if (!Number.isFinite(dt) || dt < 0) {
      throw new EclipticError('actors/bad-dt', `Can't tick actors by ${dt} s`, {
        subjects: { dt },
        fix: 'Pass the length of the step in seconds, 0 or more.',
      });
    }
    if (this.#state !== 'open') throw shutDown('tick');
    if (this.#order.held) {
      throw new EclipticError('actors/nested-tick', 'tick() was called from inside an onTick', {
        fix: 'Let the loop call tick(), once a step.',
      });
    }
    this.#order.held = true;
    let failures: EclipticError[] | undefined;
    try {
      const end = this.#order.length;
      for (let i = 0; i < end; i++) {
        const entry = this.#order.at(i);
        if (entry === undefined || entry.phase !== 'live' || !entry.ticks) continue;
        if (!this.scene.isAlive(entry.entity)) {
          this.#entityDestroyed(entry.entity);
          continue;
        }
        try {
          const result: unknown = entry.actor.onTick(dt);
          if (result !== undefined) this.#failures.checkResult(entry, 'onTick', result);
        } catch (error) {
          const failure = this.#failures.ofTick(entry, error);
          if (failure) (failures ??= []).push(failure);
        }
      }
    } finally {
      this.#order.held = false;
    }
    if (failures) throw failedTicks(failures);
  }

  /**
   * Destroys all actors, the latest created first, and lets nobody create more. All are destroyed
   * whatever their hooks throw. A second call does nothing.
   *
   * @throws EclipticError `actors/shutdown-failed` if hooks threw; its cause is an `AggregateError` in the
   *   order of destruction
   */
  shutdown(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    const failures: unknown[] = [];
    for (let i = this.#order.length - 1; i >= 0; i--) {
      const entry = this.#order.at(i);
      if (entry === undefined) continue;
      try {
        this.destroy(entry.handle);
      } catch (error) {
        failures.push(error);
      }
    }
    this.#state = 'closed';
    this.#unobserve();
    this.#failures.flush();
    if (failures.length > 0) {
      throw new EclipticError(
        'actors/shutdown-failed',
        `${failures.length} actors failed to shut down`,
        {
          subjects: { failures: failures.length },
          cause: new AggregateError(failures),
        },
      );
    }
  }

  /** Binds the actor to its entity, gives it a slot and runs `onCreate`; undoes the slot if that throws. */
  #admit<T extends Actor>(actor: T, entity: EntityId): ActorHandle<T> {
    const entry: ActorEntry = {
      actor,
      entity,
      handle: 0 as ActorHandle,
      phase: 'creating',
      ticks: true,
      failures: 0,
      place: 0,
    };
    entry.handle = this.#entries.insert(entry) as ActorHandle;
    this.#byEntity.set(entity, entry);
    this.#order.add(entry);
    bindActor(actor, { manager: this, scene: this.scene, entity, handle: entry.handle });
    try {
      this.#failures.checkResult(entry, 'onCreate', actor.onCreate());
    } catch (error) {
      this.#release(entry);
      throw createFailed(actor.constructor.name, 'onCreate', error);
    }
    if (entry.phase === 'creating') entry.phase = 'live';
    return entry.handle as ActorHandle<T>;
  }

  /** Runs `onDestroy`, once whatever happens; returns its error. */
  #end(entry: ActorEntry): EclipticError | undefined {
    if (entry.phase === 'ended') return undefined; // the scene refused to destroy the entity the last time
    entry.phase = 'ending';
    try {
      this.#failures.checkResult(entry, 'onDestroy', entry.actor.onDestroy());
      return undefined;
    } catch (error) {
      return destroyFailed(entry.actor.constructor.name, entry.entity, error);
    } finally {
      entry.phase = 'ended';
    }
  }

  /** Frees the slot, and reports what the log left out about this actor. */
  #release(entry: ActorEntry): void {
    if (this.#byEntity.get(entry.entity) !== entry) return;
    this.#byEntity.delete(entry.entity);
    this.#entries.remove(entry.handle);
    this.#order.remove(entry);
    entry.phase = 'ended';
    this.#failures.summarize(entry);
  }

  /** The scene destroyed an entity: if by another hand than ours, its actor ends with it. */
  #entityDestroyed(entity: EntityId): void {
    const entry = this.#byEntity.get(entity);
    // While a hook or destroy() is at it, they see to the rest; `ended`: the scene refused to destroy the entity the last time.
    if (entry === undefined || entry.phase === 'ending' || entry.phase === 'leaving') return;
    const failure = this.#end(entry);
    this.#release(entry);
    if (failure) this.#failures.report('destroy_failed', failure);
  }

  #assertRoom(actor: string): void {
    if (this.#state !== 'open') throw shutDown(`create ${actor}`);
    if (this.size >= this.capacity) throw full(actor, this.capacity);
  }

  #assertFree(entity: EntityId, actor: string): void {
    if (!this.scene.isAlive(entity)) throw deadEntity(actor, entity);
    const owner = this.#byEntity.get(entity);
    if (owner) throw entityTaken(actor, entity, owner.actor.constructor.name);
  }
}
