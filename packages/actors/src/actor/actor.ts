import { EclipticError } from '@ecliptic/core';
import type { Component, ComponentInit, ComponentView, EntityId, Scene } from '@ecliptic/ecs';
import type { ActorHandle } from './actor-handle.js';
import type { ActorManager } from './actor-manager.js';

/** What ties an actor to its entity; made by the manager, once an actor. */
interface Binding {
  readonly manager: ActorManager;
  readonly scene: Scene;
  readonly entity: EntityId;
  readonly handle: ActorHandle;
}

/**
 * Ties an actor to its entity. Only {@link ActorManager} calls it; it is not exported from the
 * package.
 *
 * @internal
 */
export let bindActor: (actor: Actor, binding: Binding) => void;

/**
 * A game object with an identity and behaviour of its own: the player, a camera, a vehicle. It owns
 * one entity and reaches that entity's components through the scene; it stores none itself, so every
 * query and system sees an actor's components as it sees anyone's.
 *
 * Subclass it, add components in `onCreate`, and make it with {@link ActorManager.create}. Not for
 * crowds: things that come in thousands are plain entities.
 *
 * The constructor gets the arguments that `create` was given. It runs before the actor has an entity,
 * so components are added in `onCreate`, not there.
 *
 * @example
 * ```ts
 * class Probe extends Actor {
 *   readonly speed: number;
 *   constructor(speed: number) {
 *     super();
 *     this.speed = speed;
 *   }
 *   override onCreate(): void {
 *     this.addComponent(Transform);
 *   }
 *   override onTick(dt: number): void {
 *     const transform = this.getComponent(Transform);
 *     if (transform) transform.position.x += this.speed * dt;
 *   }
 * }
 * const probe = actors.create(Probe, 2);
 * ```
 */
export class Actor {
  #binding: Binding | undefined;

  static {
    bindActor = (actor, binding) => {
      actor.#binding = binding;
    };
  }

  /** Runs once, inside `create`, when the entity is alive: add components here. */
  onCreate(): void {}

  /** Runs once, before the entity goes, whoever destroys it: its components can still be read. */
  onDestroy(): void {}

  /**
   * Runs every fixed step, after the systems and their commands. Structural changes are applied at once.
   *
   * @param _dt - length of the step in seconds
   */
  onTick(_dt: number): void {}

  /**
   * The entity that this actor owns; stays readable after the actor's end, when it is no longer alive.
   *
   * @throws EclipticError `actors/not-attached` in the constructor
   */
  get entity(): EntityId {
    return this.#bound('entity').entity;
  }

  /**
   * The scene that the entity lives in.
   *
   * @throws EclipticError `actors/not-attached` in the constructor
   */
  get scene(): Scene {
    return this.#bound('scene').scene;
  }

  /**
   * The manager that owns this actor: create and destroy others through it.
   *
   * @throws EclipticError `actors/not-attached` in the constructor
   */
  get manager(): ActorManager {
    return this.#bound('manager').manager;
  }

  /**
   * The handle by which others refer to this actor. Give this away, never the object: a handle goes stale.
   *
   * @throws EclipticError `actors/not-attached` in the constructor
   */
  get handle(): ActorHandle<this> {
    return this.#bound('handle').handle as ActorHandle<this>;
  }

  /** Whether the actor has an entity and that entity is alive. `false` in the constructor. */
  isAlive(): boolean {
    return this.#binding !== undefined && this.#binding.scene.isAlive(this.#binding.entity);
  }

  /** Destroys this actor; a second call does nothing. Allowed in every hook. */
  destroy(): void {
    const { manager, handle } = this.#bound('destroy()');
    manager.destroy(handle);
  }

  /**
   * Adds a component that the entity does not have yet. Errors are those of `Scene.addComponent`.
   *
   * @param value - missing fields take their defaults
   */
  addComponent<C extends Component>(component: C, value?: ComponentInit<C>): void {
    const { scene, entity } = this.#bound('addComponent()');
    scene.addComponent(entity, component, value);
  }

  /** Adds a component, or updates the given fields of it in place. Errors are those of `Scene.setComponent`. */
  setComponent<C extends Component>(component: C, value?: ComponentInit<C>): void {
    const { scene, entity } = this.#bound('setComponent()');
    scene.setComponent(entity, component, value);
  }

  /**
   * A view of the component, or `undefined` if the entity has none of that type or is dead. Valid until a component is added or
   * removed, as that of `Scene.getComponent`.
   */
  getComponent<C extends Component>(component: C): ComponentView<C> | undefined {
    const { scene, entity } = this.#bound('getComponent()');
    return scene.getComponent(entity, component);
  }

  /** Whether the entity is alive and has the component. */
  hasComponent(component: Component): boolean {
    const { scene, entity } = this.#bound('hasComponent()');
    return scene.hasComponent(entity, component);
  }

  /** Removes the component; nothing happens if the entity lacks it. Errors are those of `Scene.removeComponent`. */
  removeComponent(component: Component): void {
    const { scene, entity } = this.#bound('removeComponent()');
    scene.removeComponent(entity, component);
  }

  #bound(member: string): Binding {
    if (this.#binding) return this.#binding;
    const name = this.constructor.name;
    throw new EclipticError(
      'actors/not-attached',
      `${name}.${member} was used before ${name} had an entity`,
      {
        subjects: { actor: name, member },
        fix: 'Make actors with ActorManager.create(), and touch the entity from onCreate() on, not in the constructor.',
      },
    );
  }
}
