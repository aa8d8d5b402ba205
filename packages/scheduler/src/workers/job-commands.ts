import type { Component, ComponentInit, EntityId } from '@ecliptic/ecs';
import { RecordKind, type CommandLog } from './command-log.js';
import type { Job } from './job-board.js';

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

/** Writes what a job asks for into a log. */
export class JobCommands implements WorkerCommands {
  readonly #log: CommandLog;
  #job: Job = { system: 0, part: 0, start: 0, end: 0 };
  #created = 0;

  constructor(log: CommandLog) {
    this.#log = log;
  }

  /** What follows is of this job. */
  begin(job: Job): void {
    this.#job = job;
    this.#created = 0;
  }

  createEntity(): EntityId {
    const placeholder = ++this.#created;
    this.#log.write(this.#job, RecordKind.create, placeholder, '');
    return placeholder;
  }

  destroyEntity(entity: EntityId): void {
    this.#log.write(this.#job, RecordKind.destroy, entity, '');
  }

  addComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#log.write(this.#job, RecordKind.add, entity, component.name, value);
  }

  setComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#log.write(this.#job, RecordKind.set, entity, component.name, value);
  }

  removeComponent(entity: EntityId, component: Component): void {
    this.#log.write(this.#job, RecordKind.remove, entity, component.name);
  }
}
