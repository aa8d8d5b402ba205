import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, INDEX_BITS, type EntityId } from '../entities/entity-id.js';
import { createPackedBatch } from '../scene/create-entities.js';
import { announce, createPacked } from '../scene/create-entity.js';
import type { SceneCore } from '../scene/scene-core.js';
import { destroy, putComponent, takeType, type PackedRow } from '../scene/structure.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Placement } from '../storage/placement.js';
import {
  CommandKind,
  kindOf,
  RECORD_BYTES,
  typeIdOf,
  type CommandBuffer,
} from './command-buffer.js';

/** Constants of this module are part of the engine's code; imported ones are looked up at each use. */
const { create: CREATE, destroy: DESTROY, add: ADD, set: SET, remove: REMOVE } = CommandKind;
const HEAD_BYTES = RECORD_BYTES;
const SLOT_BITS = INDEX_BITS;

/** How often spawn callbacks of one flush may queue more commands for the same flush. */
const MAX_FLUSH_ROUNDS = 64;

/** Creations of one kind in a row from which on they are applied together. */
const FEW_ALIKE = 8;

/** Applies the records of a buffer to a scene, and knows what placeholders became. */
export class CommandReplay {
  /** Commands skipped since the start. */
  skipped = 0;
  readonly #core: SceneCore;
  readonly #buffer: CommandBuffer;
  /** Real ids by placeholder, of the replay that runs or ran last. */
  readonly #real: EntityId[] = [];
  /** How many of them count. */
  #created = 0;
  #realFirst = 1;
  readonly #rows: number[] = [];
  /** The value that is being put. */
  readonly #packed: PackedRow;

  constructor(core: SceneCore, buffer: CommandBuffer) {
    this.#core = core;
    this.#buffer = buffer;
    this.#packed = { heap: buffer.heap, at: 0, mask: 0 };
  }

  /** See `Commands.resolve`. */
  resolve(entity: EntityId): EntityId {
    if (entity >> SLOT_BITS !== 0) return entity;
    const known = entity - this.#realFirst;
    return known >= 0 && known < this.#created ? (this.#real[known] as EntityId) : INVALID_ENTITY;
  }

  /** Applies everything, also what callbacks queue meanwhile. @returns what failed */
  run(): unknown[] {
    const errors: unknown[] = [];
    this.#realFirst = this.#buffer.firstPlaceholder;
    this.#created = 0;
    this.#applyAll(errors);
    return errors;
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
        try {
          at = this.#apply(at, end, errors);
        } catch (error) {
          errors.push(error);
          at += this.#sizeAt(at);
        }
      }
    }
  }

  #sizeAt(at: number): number {
    const kind = kindOf(this.#buffer.heap.i32[at >>> 2] as number);
    if (kind !== ADD && kind !== SET) return HEAD_BYTES;
    return HEAD_BYTES + this.#typeAt(at).component.rowBytes;
  }

  #typeAt(at: number): ComponentType {
    const word = this.#buffer.heap.i32[at >>> 2] as number;
    return this.#core.components.types[typeIdOf(word)] as ComponentType;
  }

  /**
   * Applies one record, or a creation with the components that follow, or several such.
   *
   * @returns where the next one that is to be applied begins
   */
  #apply(at: number, end: number, errors: unknown[]): number {
    const { i32 } = this.#buffer.heap;
    const word = at >>> 2;
    const kind = kindOf(i32[word] as number);
    if (kind === CREATE) return this.#create(at, end, errors);
    const core = this.#core;
    const target = i32[word + 1] as number;
    const entity = target >> SLOT_BITS === 0 ? this.resolve(target) : target;
    const alive = core.entities.isAlive(entity);
    if (!alive && kind !== DESTROY) this.#skip('command_target_dead', entity || target, kind);
    if (kind === DESTROY) {
      if (alive) destroy(core, entity);
      return at + HEAD_BYTES;
    }
    const type = this.#typeAt(at);
    if (kind === REMOVE) {
      if (alive) takeType(core, entity, type);
      return at + HEAD_BYTES;
    }
    if (alive) this.#putRow(at, kind, entity, type);
    return at + HEAD_BYTES + type.component.rowBytes;
  }

  #putRow(at: number, kind: CommandKind, entity: EntityId, type: ComponentType): void {
    const core = this.#core;
    const { heap, objects } = this.#buffer;
    const packed = this.#packed;
    if (type.references.length > 0) this.#resolveReferences(type, at + HEAD_BYTES);
    packed.heap = heap;
    packed.at = at + HEAD_BYTES;
    packed.mask = heap.i32[(at >>> 2) + 2] as number;
    const tag = heap.i32[(at >>> 2) + 3] as number;
    const value = tag > 0 ? objects[tag - 1] : undefined;
    if (!putComponent(core, entity, type, value, packed, kind === SET)) {
      this.#skip('command_duplicate_component', entity, kind);
    }
  }

  /** Makes an entity, at once in the table of all components that directly follow for it. */
  #create(at: number, end: number, errors: unknown[]): number {
    const core = this.#core;
    const { heap, callbacks } = this.#buffer;
    const { i32 } = heap;
    const placeholder = i32[(at >>> 2) + 1] as number;
    // Position + 1: an element at -1 would be looked up the slow way.
    const tag = i32[(at >>> 2) + 2] as number;
    const callback = tag > 0 ? callbacks[tag - 1] : undefined;
    let next = at + HEAD_BYTES;
    const rows = this.#rows;
    let placement = core.graph.root;
    // A callback sees the entity as it is before them.
    while (callback === undefined && next < end && i32[(next >>> 2) + 1] === placeholder) {
      const kind = kindOf(i32[next >>> 2] as number);
      if (kind !== ADD && kind !== SET) break;
      const type = this.#typeAt(next);
      const row = next + HEAD_BYTES;
      const more = placement.with(type);
      const count = placement.types.length;
      if (!more.takesPacked || count >= core.limits.maxComponentsPerEntity) break;
      if (type.references.length > 0) {
        // Its id is not known yet.
        if (this.#refersTo(placeholder, type, row)) break;
        this.#resolveReferences(type, row);
      }
      rows[count] = row;
      placement = more;
      next = row + type.component.rowBytes;
    }
    if (placement !== core.graph.root) {
      const stride = next - at;
      const count = this.#alike(placement, at, next, end);
      if (count >= FEW_ALIKE) {
        const ids = createPackedBatch(core, placement, count, heap, rows, stride);
        for (let i = 0; i < count; i++) {
          this.#became(i32[(at + i * stride + 4) >>> 2] as number, ids[i] as EntityId);
        }
        return at + count * stride;
      }
    }
    const entity = createPacked(core, placement, heap, rows);
    this.#became(placeholder, entity);
    try {
      if (core.watched) announce(core, placement, entity);
      callback?.(entity);
    } catch (error) {
      // The entity is there, with all that directly followed.
      errors.push(error);
    }
    return next;
  }

  /** Notes what a placeholder became. They come in order, but those whose creation failed or was taken back are left out. */
  #became(placeholder: EntityId, entity: EntityId): void {
    const known = placeholder - this.#realFirst;
    while (this.#created < known) this.#real[this.#created++] = INVALID_ENTITY;
    this.#real[known] = entity;
    this.#created = known + 1;
  }

  /**
   * How many creations in a row may be applied together, as if one by one: with the same components, room for all, and nobody who
   * watches or is looked at meanwhile.
   *
   * @param next - the end of the first of them
   */
  #alike(placement: Placement, at: number, next: number, end: number): number {
    const core = this.#core;
    const { table } = placement;
    if (core.watched || core.guard.busy || !table || !placement.takesBatches) return 1;
    const room = Math.min(
      table.capacity - table.count,
      core.entities.capacity - core.entities.alive,
      Math.floor((end - at) / (next - at)),
    );
    const { i32 } = this.#buffer.heap;
    const words = (next - at) >>> 2;
    let first = at >>> 2;
    let count = 1;
    for (; count < room; count++, first += words) {
      if (!this.#sameShape(i32, first, first + words, placement)) break;
    }
    // The last may have more components, and belongs into another table then.
    const after = first + words;
    return after < end >>> 2 && i32[after + 1] === i32[first + 1] ? count - 1 : count;
  }

  /** Whether the records of two creations ask for the same. @param from - their first words */
  #sameShape(i32: Int32Array, from: number, to: number, { types }: Placement): boolean {
    const target = i32[to + 1];
    if (i32[to] !== CREATE || i32[to + 2] !== 0) return false;
    let word = HEAD_BYTES >>> 2;
    for (let i = 0; i < types.length; i++) {
      if (i32[to + word] !== i32[from + word] || i32[to + word + 1] !== target) return false;
      word += (HEAD_BYTES + (types[i] as ComponentType).component.rowBytes) >>> 2;
    }
    return true;
  }

  #refersTo(placeholder: EntityId, { references }: ComponentType, at: number): boolean {
    const { i32 } = this.#buffer.heap;
    for (const { offset } of references) {
      if (i32[(at + offset) >>> 2] === placeholder) return true;
    }
    return false;
  }

  #resolveReferences({ references }: ComponentType, at: number): void {
    const { i32 } = this.#buffer.heap;
    for (const { offset } of references) {
      const word = (at + offset) >>> 2;
      const id = i32[word] as number;
      if (id > 0 && id >> SLOT_BITS === 0) i32[word] = this.resolve(id);
    }
  }

  #skip(event: string, entity: EntityId, kind: CommandKind): void {
    this.skipped++;
    const command = Object.keys(CommandKind)[kind];
    this.#core.log.warnOnce(event, entity, { scene: this.#core.name, command });
  }
}
