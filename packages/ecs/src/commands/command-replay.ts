import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, INDEX_BITS, type EntityId } from '../entities/entity-id.js';
import { announce, createPacked } from '../scene/create-entity.js';
import type { SceneCore } from '../scene/scene-core.js';
import { destroy, putComponent, takeComponent, type PackedRow } from '../scene/structure.js';
import type { ComponentType } from '../storage/component-type.js';
import {
  CommandKind,
  kindOf,
  RECORD_BYTES,
  typeIdOf,
  type CommandBuffer,
} from './command-buffer.js';

/** How often spawn callbacks of one flush may queue more commands for the same flush. */
const MAX_FLUSH_ROUNDS = 64;

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
    if (entity >> INDEX_BITS !== 0) return entity;
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
        const next = at + this.#sizeAt(at);
        try {
          at = this.#apply(at, next, end, errors);
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
  #apply(at: number, next: number, end: number, errors: unknown[]): number {
    const { i32 } = this.#buffer.heap;
    const word = at >>> 2;
    const kind = kindOf(i32[word] as number);
    if (kind === CommandKind.create) return this.#create(at, end, errors);
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
    if (type.references.length > 0) this.#resolveReferences(type, at + RECORD_BYTES);
    packed.heap = heap;
    packed.at = at + RECORD_BYTES;
    packed.mask = heap.i32[(at >>> 2) + 2] as number;
    const tag = heap.i32[(at >>> 2) + 3] as number;
    const value = tag > 0 ? objects[tag - 1] : undefined;
    if (!putComponent(core, entity, type, value, packed, kind === CommandKind.set)) {
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
    let next = at + RECORD_BYTES;
    const rows = this.#rows;
    let placement = core.graph.root;
    // A callback sees the entity as it is before them.
    while (callback === undefined && next < end && i32[(next >>> 2) + 1] === placeholder) {
      const kind = kindOf(i32[next >>> 2] as number);
      if (kind !== CommandKind.add && kind !== CommandKind.set) break;
      const type = this.#typeAt(next);
      const row = next + RECORD_BYTES;
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
    // Creations come in the order of their placeholders.
    const known = this.#created++;
    this.#real[known] = INVALID_ENTITY;
    const entity = createPacked(core, placement, heap, rows);
    this.#real[known] = entity;
    try {
      if (core.watched) announce(core, placement, entity);
      callback?.(entity);
    } catch (error) {
      // The entity is there, with all that directly followed.
      errors.push(error);
    }
    return next;
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
      if (id > 0 && id >> INDEX_BITS === 0) i32[word] = this.resolve(id);
    }
  }

  #skip(event: string, entity: EntityId, kind: CommandKind): void {
    this.skipped++;
    const command = Object.keys(CommandKind)[kind];
    this.#core.log.warnOnce(event, entity, { scene: this.#core.name, command });
  }
}
