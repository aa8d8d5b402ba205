import { EclipticError } from '@ecliptic/core';
import type { EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ComponentInit } from '../schema/component-types.js';
import { validateValue } from '../schema/validate-value.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { Scene } from '../scene/scene.js';
import { reportCut } from '../scene/structure-checks.js';
import type { ComponentType } from '../storage/component-type.js';
import type { CutReporter } from '../storage/packed-rows.js';
import { CommandBuffer, CommandKind, type SpawnCallback } from './command-buffer.js';
import { CommandReplay } from './command-replay.js';
import type { RecordedCommands, RecordedRun } from './recorded-commands.js';

/**
 * Structural changes recorded now and applied in {@link Commands.flush}, in order: what systems use instead of changing the scene
 * while others iterate it. One a system; the scheduler merges and flushes them.
 *
 * Not for changing values of components that are there: write those through queries at once.
 *
 * @example
 * ```ts
 * const commands = new Commands(scene);
 * const bullet = commands.createEntity();          // a placeholder: good in this buffer
 * commands.addComponent(bullet, Velocity, { linear: [0, 0, 50] });
 * commands.addComponent(bullet, Owner, { entity: player });
 * commands.flush();
 * commands.resolve(bullet);                        // the real id
 * ```
 */
export class Commands {
  readonly #core: SceneCore;
  readonly #buffer = new CommandBuffer();
  readonly #replay: CommandReplay;
  #flushing = false;
  readonly #onCut: CutReporter;

  constructor(scene: Scene) {
    const { core } = scene;
    this.#core = core;
    this.#replay = new CommandReplay(core, this.#buffer);
    this.#onCut = (type, cut) => reportCut(core, type, cut);
  }

  /**
   * Queues a creation.
   *
   * @param onSpawned - called in flush with the real id; it may queue more commands here, which the same flush applies
   * @returns a placeholder, to be used in this buffer only, also as the value of `entity()` fields. No scene knows it:
   *   `isAlive` is false for it. After the flush, {@link Commands.resolve} gives the real id.
   */
  createEntity(onSpawned?: SpawnCallback): EntityId {
    return this.#buffer.create(onSpawned);
  }

  /** Queues a destruction. Twice is once. */
  destroyEntity(entity: EntityId): void {
    this.#buffer.destroy(entity);
  }

  /**
   * Queues the addition of a component; skipped, and warned about, where the entity has it by then.
   *
   * @param value - copied now; missing fields take their defaults
   * @throws EclipticError `ecs/invalid-value`
   */
  addComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#put(CommandKind.add, entity, component, value);
  }

  /**
   * Queues adding a component, or updating the given fields of it.
   *
   * @throws EclipticError `ecs/invalid-value`
   */
  setComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#put(CommandKind.set, entity, component, value);
  }

  /** Queues the removal of a component; nothing where the entity lacks it by then. */
  removeComponent(entity: EntityId, component: Component): void {
    this.#buffer.remove(entity, this.#core.typeOf(component));
  }

  /** Nothing is queued. */
  isEmpty(): boolean {
    return this.#buffer.end === 0;
  }

  /** Commands skipped since the start because their target was dead by their turn, or had the component already. */
  get skipped(): number {
    return this.#replay.skipped;
  }

  /**
   * Applies everything in order, and what spawn callbacks queue after it.
   *
   * A command whose target is dead by its turn is skipped, counted, and warned about once. One that fails does not stop the rest.
   *
   * @throws EclipticError `ecs/command-failed` at the end, when commands or callbacks failed; its cause is the error, or an `AggregateError`.
   *   `ecs/structural-change-while-iterating`, `ecs/structure-locked`, `ecs/nested-flush` at once, with nothing applied. `ecs/command-flood` when callbacks
   *   queue more for the 64th time; the rest is dropped.
   */
  flush(): void {
    this.#requireIdle('flush()');
    this.#core.guard.checkAll('flush()');
    this.#flushing = true;
    let errors: readonly unknown[];
    try {
      errors = this.#replay.run();
    } finally {
      this.#flushing = false;
      this.#buffer.reset();
    }
    if (errors.length > 0) throw this.#failed(errors);
  }

  /** Drops everything queued, callbacks too. @throws EclipticError `ecs/nested-flush` inside a flush */
  clear(): void {
    this.#requireIdle('clear()');
    this.#buffer.reset();
  }

  /**
   * Appends everything that `other` has queued, and empties it. Merging the buffers of systems in the order of their registration
   * makes the result independent of which worker finished first. Placeholders of `other` are no longer known to it.
   *
   * @throws EclipticError `ecs/foreign-commands` when `other` is of another scene, or this one; `ecs/nested-flush` when `other` is being flushed
   */
  merge(other: Commands): void {
    if (other === this || other.#core !== this.#core) {
      throw new EclipticError('ecs/foreign-commands', 'These commands can’t be merged', {
        subjects: { scene: this.#core.name, other: other.#core.name },
        fix: 'Merge different buffers of one scene.',
      });
    }
    other.#requireIdle('merge()');
    this.#buffer.take(other.#buffer, this.#core.components.types);
  }

  /**
   * Appends what a {@link CommandRecorder} of another thread recorded, in its order.
   *
   * @throws EclipticError `ecs/nested-flush` inside a flush; `ecs/no-component`, `ecs/component-type-budget` and what finding a component
   *   throws: nothing is appended then
   */
  append(recorded: RecordedCommands, run: RecordedRun): void {
    this.#requireIdle('append()');
    const typeOf = (component: number): ComponentType =>
      this.#core.typeOf(recorded.componentOf(component));
    this.#buffer.append(recorded, run, typeOf, this.#onCut);
  }

  /**
   * The real id of a placeholder of the last flush, until the next one; a real id gives itself. `INVALID_ENTITY` where nothing was created for it.
   */
  resolve(entity: EntityId): EntityId {
    return this.#replay.resolve(entity);
  }

  #requireIdle(call: string): void {
    if (!this.#flushing) return;
    throw new EclipticError('ecs/nested-flush', `${call} inside a flush of these commands`, {
      subjects: { scene: this.#core.name },
      fix: 'Queue commands only: the running flush applies them.',
    });
  }

  #put(kind: CommandKind, entity: EntityId, component: Component, value: object | undefined): void {
    if (this.#core.development && value !== undefined) validateValue(component, value);
    this.#buffer.put(kind, entity, this.#core.typeOf(component), value, this.#onCut);
  }

  #failed(errors: readonly unknown[]): EclipticError {
    const [first] = errors;
    return new EclipticError(
      'ecs/command-failed',
      `${errors.length} commands failed in scene "${this.#core.name}": ${String(first)}`,
      {
        subjects: { scene: this.#core.name, failed: errors.length },
        fix: 'The other commands were applied. Look at the cause.',
        cause: errors.length === 1 ? first : new AggregateError(errors),
      },
    );
  }
}
