import { EclipticError } from '@ecliptic/core';
import type { EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ComponentInit } from '../schema/component-types.js';
import { validateValue } from '../schema/validate-value.js';
import { ComponentType } from '../storage/component-type.js';
import { Heap } from '../storage/heap.js';
import { CommandBuffer, CommandKind } from './command-buffer.js';
import type { CommandMemory } from './command-memory.js';

/** Memory that a recorder writes, and another thread reads: a buffer of fixed length, or one that can grow. */
export interface RecorderMemory {
  readonly buffer: ArrayBufferLike;
  /** Makes the buffer longer, to at least `bytes`, without moving it; false where it can't. */
  grow(bytes: number): boolean;
}

/**
 * Records structural changes as {@link Commands} does, on a thread that has no scene, into memory that the scene's thread
 * sees: there {@link RecordedCommands} and {@link Commands.append} take them over. For schedulers, which give one to systems on
 * workers.
 *
 * A command costs about what it costs in `Commands`, and allocates nothing once warm; values of `object()` fields, which no other thread
 * could see, travel as JSON, which is microseconds.
 */
export class CommandRecorder {
  readonly #buffer: CommandBuffer;
  readonly #numberOf: (component: Component) => number;
  readonly #development: boolean;
  readonly #types = new Map<Component, ComponentType>();
  readonly #cuts: number[] = [];
  #last: ComponentType | undefined = undefined;

  /**
   * @param numberOf - a number of each component, by which the other thread finds it; asked once for each
   * @param development - refuse values that don't fit the schema, as scenes in development builds do
   */
  constructor(
    memory: RecorderMemory,
    numberOf: (component: Component) => number,
    development: boolean,
  ) {
    this.#buffer = new CommandBuffer(new ForeignMemory(memory));
    this.#numberOf = numberOf;
    this.#development = development;
  }

  /** Bytes written so far. */
  get end(): number {
    return this.#buffer.end;
  }

  /** The placeholder that the next creation gets. */
  get nextPlaceholder(): number {
    return this.#buffer.firstPlaceholder + this.#buffer.spawns;
  }

  /**
   * Takes back all that was written from byte `end` on, which was the recorder's `end` once. Placeholders that were given out
   * meanwhile are nobody.
   */
  rewind(end: number): void {
    this.#buffer.rewind(end);
  }

  /** Begins at the first byte again: all that was written has been taken over. */
  reset(): void {
    this.#buffer.reset();
  }

  /** As {@link Commands.createEntity}, without a callback. */
  createEntity(): EntityId {
    return this.#buffer.create(undefined);
  }

  /** As {@link Commands.destroyEntity}. */
  destroyEntity(entity: EntityId): void {
    this.#buffer.destroy(entity);
  }

  /**
   * As {@link Commands.addComponent}.
   *
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
   * As {@link Commands.setComponent}.
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

  /** As {@link Commands.removeComponent}. */
  removeComponent(entity: EntityId, component: Component): void {
    this.#buffer.remove(entity, this.#typeOf(component));
  }

  #put(kind: CommandKind, entity: EntityId, component: Component, value: object | undefined): void {
    if (this.#development && value !== undefined) validateValue(component, value);
    const type = this.#typeOf(component);
    const buffer = this.#buffer;
    const at = buffer.end;
    this.#cuts.length = 0;
    buffer.put(kind, entity, type, value, this.#onCut);
    if (type.hasObjects) buffer.packObjects(at);
    while (this.#cuts.length > 0) buffer.noteCut(type, this.#cuts.pop() ?? 0);
  }

  readonly #onCut = (_type: ComponentType, { index }: { readonly index: number }): void => {
    this.#cuts.push(index);
  };

  #typeOf(component: Component): ComponentType {
    if (this.#last?.component === component) return this.#last;
    let type = this.#types.get(component);
    if (type === undefined) {
      type = new ComponentType(this.#numberOf(component), component);
      this.#types.set(component, type);
    }
    this.#last = type;
    return type;
  }
}

/** The memory of a recorder, as its buffer wants it. */
class ForeignMemory implements CommandMemory {
  readonly #memory: RecorderMemory;
  #heap: Heap;

  constructor(memory: RecorderMemory) {
    this.#memory = memory;
    this.#heap = new Heap(memory.buffer);
  }

  get heap(): Heap {
    return this.#heap;
  }

  grow(bytes: number): Heap {
    if (!this.#memory.grow(bytes)) {
      throw new EclipticError(
        'ecs/command-memory',
        `Commands of one thread need ${bytes} bytes, more than there can be`,
        { subjects: { bytes }, fix: 'Spread the changes over several flushes.' },
      );
    }
    this.#heap = new Heap(this.#memory.buffer);
    return this.#heap;
  }
}
