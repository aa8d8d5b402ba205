import type { Component, ComponentInit, EntityId } from '@ecliptic/ecs';

/** Structural changes that a worker system may ask for: those of `Commands`, without callbacks. */
export interface WorkerCommands {
  /**
   * Queues a creation.
   *
   * @returns a placeholder, good in this call of `update` only, also as the value of `entity()` fields
   */
  createEntity(): EntityId;
  destroyEntity(entity: EntityId): void;
  addComponent<C extends Component>(entity: EntityId, component: C, value?: ComponentInit<C>): void;
  setComponent<C extends Component>(entity: EntityId, component: C, value?: ComponentInit<C>): void;
  removeComponent(entity: EntityId, component: Component): void;
}
