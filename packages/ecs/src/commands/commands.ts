import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, INDEX_BITS, type EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ComponentInit } from '../schema/component-types.js';
import { validateValue } from '../schema/validate-value.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { Scene } from '../scene/scene.js';
import { createPacked } from '../scene/create-entity.js';
import { destroy, putComponent, takeComponent, type PackedRow } from '../scene/structure.js';
import { reportCut } from '../scene/structure-checks.js';
import type { ComponentType } from '../storage/component-type.js';
import type { CutReporter } from '../storage/row-values.js';
import {
  CommandBuffer,
  CommandKind,
  kindOf,
  RECORD_BYTES,
  typeIdOf,
  type SpawnCallback,
} from './command-buffer.js';
import type { RecordedCommands, RecordedRun } from './recorded-commands.js';

/** How often spawn callbacks of one flush may queue more commands for the same flush. */
const MAX_FLUSH_ROUNDS = 64;

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
  /** Real ids by placeholder, of the flush that runs or ran last. */
  readonly #real: EntityId[] = [];
  /** How many of them count. */
  #created = 0;
  #realFirst = 1;
  #flushing = false;
  #skipped = 0;
  readonly #rows: number[] = [];
  /** The value that is being put. */
  readonly #packed: PackedRow = { heap: this.#buffer.heap, at: 0, mask: 0 };
  readonly #onCut: CutReporter;

  constructor(scene: Scene) {
    const { core } = scene;
    this.#core = core;
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
    return this.#skipped;
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
    const errors: unknown[] = [];
    try {
      this.#realFirst = this.#buffer.firstPlaceholder;
      this.#created = 0;
      this.#applyAll(errors);
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
    if (entity >> INDEX_BITS !== 0) return entity;
    const known = entity - this.#realFirst;
    return known >= 0 && known < this.#created ? (this.#real[known] as EntityId) : INVALID_ENTITY;
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

  #applyAll(errors: unknown[]): void {
    const buffer = this.#buffer;
    let at = 0;
    for (let round = 0; at < buffer.end; round++) {
      if (round === MAX_FLUSH_ROUNDS) {
        errors.push(
          new EclipticError(
            'ecs/command-flood',
            `Spawn callbacks queued more commands ${round} times in one flush`,
            {
              subjects: { scene: this.#core.name },
              fix: 'A callback that spawns with a callback that spawns … must end.',
            },
          ),
        );
        return;
      }
      const end = buffer.end;
      while (at < end) {
        const next = at + this.#sizeAt(at);
        try {
          at = this.#apply(at, next, end);
        } catch (error) {
          errors.push(error);
          at = next;
        }
      }
    }
  }

  #sizeAt(at: number): number {
    const word = this.#buffer.heap.i32[at >>> 2] as number;
    const kind = kindOf(word);
    if (kind !== CommandKind.add && kind !== CommandKind.set) return RECORD_BYTES;
    return RECORD_BYTES + this.#typeAt(at).component.rowBytes;
  }

  #typeAt(at: number): ComponentType {
    const word = this.#buffer.heap.i32[at >>> 2] as number;
    return this.#core.components.types[typeIdOf(word)] as ComponentType;
  }

  /**
   * Applies one record, or a creation with the components that follow.
   *
   * @param next - end of the record
   * @returns where the next one that is to be applied begins
   */
  #apply(at: number, next: number, end: number): number {
    const { i32 } = this.#buffer.heap;
    const word = at >>> 2;
    const kind = kindOf(i32[word] as number);
    if (kind === CommandKind.create) return this.#create(at, end);
    const core = this.#core;
    const target = i32[word + 1] as number;
    const entity = this.resolve(target);
    if (!core.entities.isAlive(entity)) {
      if (kind !== CommandKind.destroy) this.#skip('command_target_dead', entity || target, kind);
      return next;
    }
    if (kind === CommandKind.destroy) destroy(core, entity);
    else if (kind === CommandKind.remove) takeComponent(core, entity, this.#typeAt(at).component);
    else this.#putRow(at, kind, entity);
    return next;
  }

  #putRow(at: number, kind: CommandKind, entity: EntityId): void {
    const core = this.#core;
    const { heap, objects } = this.#buffer;
    const type = this.#typeAt(at);
    const packed = this.#packed;
    if (kind === CommandKind.add && core.holds(entity, type)) {
      this.#skip('command_duplicate_component', entity, kind);
      return;
    }
    this.#resolveReferences(type, at + RECORD_BYTES);
    packed.heap = heap;
    packed.at = at + RECORD_BYTES;
    packed.mask = heap.i32[(at >>> 2) + 2] as number;
    const tag = heap.i32[(at >>> 2) + 3] as number;
    putComponent(core, entity, type, tag > 0 ? objects[tag - 1] : undefined, packed, true);
  }

  /** Makes an entity, at once in the table of all components that directly follow for it. */
  #create(at: number, end: number): number {
    const core = this.#core;
    const { heap, callbacks } = this.#buffer;
    const { i32 } = heap;
    const placeholder = i32[(at >>> 2) + 1] as number;
    // Position + 1: an element at -1 would be looked up the slow way.
    const tag = i32[(at >>> 2) + 2] as number;
    const callback = tag > 0 ? callbacks[tag - 1] : undefined;
    let next = at + RECORD_BYTES;
    const rows = this.#rows;
    let placement = core.graph.root;
    // A callback sees the entity as it is before them.
    while (callback === undefined && next < end && i32[(next >>> 2) + 1] === placeholder) {
      const kind = kindOf(i32[next >>> 2] as number);
      if (kind !== CommandKind.add && kind !== CommandKind.set) break;
      const type = this.#typeAt(next);
      if (
        type.hasObjects ||
        type.index ||
        placement.types.length >= core.limits.maxComponentsPerEntity ||
        placement.types.includes(type)
      )
        break;
      this.#resolveReferences(type, next + RECORD_BYTES);
      rows[placement.types.length] = next + RECORD_BYTES;
      placement = placement.with(type);
      next += this.#sizeAt(next);
    }
    // Creations come in the order of their placeholders.
    const known = this.#created++;
    this.#real[known] = INVALID_ENTITY;
    const entity = createPacked(core, placement, heap, rows);
    this.#real[known] = entity;
    callback?.(entity);
    return next;
  }

  #resolveReferences({ references }: ComponentType, at: number): void {
    if (references.length === 0) return;
    const { i32 } = this.#buffer.heap;
    for (const { offset } of references) {
      const word = (at + offset) >>> 2;
      const id = i32[word] as number;
      if (id > 0 && id >> INDEX_BITS === 0) i32[word] = this.resolve(id);
    }
  }

  #skip(event: string, entity: EntityId, kind: CommandKind): void {
    this.#skipped++;
    const command = Object.keys(CommandKind)[kind];
    this.#core.log.warnOnce(event, entity, { scene: this.#core.name, command });
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
