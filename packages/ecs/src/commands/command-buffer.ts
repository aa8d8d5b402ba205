import { EclipticError } from '@ecliptic/core';
import { INDEX_BITS, INDEX_MASK, INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import type { FieldSlot } from '../schema/component.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Heap } from '../storage/heap.js';
import type { CutReporter } from '../storage/packed-rows.js';
import { objectsOf } from '../storage/row-values.js';
import { PrivateMemory, type CommandMemory } from './command-memory.js';
import { objectsFromText, objectsToText } from './object-text.js';
import type { RecordedCommands, RecordedRun } from './recorded-commands.js';

/** What a record asks for; `cut` only notes that a text was too long. */
export const CommandKind = { create: 0, destroy: 1, add: 2, set: 3, remove: 4, cut: 5 } as const;
export type CommandKind = (typeof CommandKind)[keyof typeof CommandKind];

/** Called in flush with the id that the entity really got. */
export type SpawnCallback = (entity: EntityId) => void;

/** Words of a record before its row: kind and type, target, mask or callback, list of objects. */
const HEADER = 4;
const HEADER_BYTES = HEADER * 4;
/** Most entities created in one buffer. Placeholders start over when half of them are used up between flushes. */
const MAX_SPAWNS: number = INDEX_MASK >> 1;

/**
 * Records one after the other in one piece of memory: 16 bytes and, where there is a value, the packed row. Knows no scene, so that any
 * thread can fill one: {@link CommandRecorder}.
 *
 * Entities to be created are named by placeholders: ids of generation 0, which no scene has.
 */
export class CommandBuffer {
  #heap: Heap;
  readonly #memory: CommandMemory;
  #end = 0;
  /** Placeholder of the first entity created here. */
  #first = 1;
  #spawns = 0;
  readonly callbacks: SpawnCallback[] = [];
  /** Values that hold `object()` fields. */
  readonly objects: (object | undefined)[] = [];

  /** @param memory - where records are kept */
  constructor(memory: CommandMemory = new PrivateMemory()) {
    this.#memory = memory;
    this.#heap = memory.heap;
  }

  /** Bytes in use; records begin at 0. */
  get end(): number {
    return this.#end;
  }

  get heap(): Heap {
    return this.#heap;
  }

  get firstPlaceholder(): number {
    return this.#first;
  }

  get spawns(): number {
    return this.#spawns;
  }

  create(callback: SpawnCallback | undefined): EntityId {
    this.#requireSpawns(1);
    const placeholder = this.#first + this.#spawns++;
    const tag = callback ? this.callbacks.push(callback) : 0;
    this.#record(CommandKind.create, 0, placeholder, tag, 0, 0);
    return placeholder;
  }

  destroy(entity: EntityId): void {
    this.#record(CommandKind.destroy, 0, entity, 0, 0, 0);
  }

  remove(entity: EntityId, type: ComponentType): void {
    this.#record(CommandKind.remove, type.id, entity, 0, 0, 0);
  }

  /** @param onCut - told where a text was too long */
  put(
    kind: CommandKind,
    entity: EntityId,
    type: ComponentType,
    value: object | undefined,
    onCut: CutReporter,
  ): void {
    const { rowBytes } = type.component;
    const at = this.#record(kind, type.id, entity, 0, 0, rowBytes);
    try {
      const heap = this.#heap;
      const mask = type.pack(type, heap, at + HEADER_BYTES, value, onCut);
      // A getter of the value may have recorded more, so that the memory is another.
      if (heap !== this.#heap)
        this.#heap.u8.set(heap.u8.subarray(at, at + HEADER_BYTES + rowBytes), at);
      this.#heap.i32[(at >>> 2) + 2] = mask;
      if (type.hasObjects && value !== undefined) {
        this.#heap.i32[(at >>> 2) + 3] = this.objects.push(objectsOf(type, value));
      }
    } catch (error) {
      this.#end = at;
      throw error;
    }
  }

  /** Notes that the text of a field was cut. */
  noteCut(type: ComponentType, field: number): void {
    this.#record(CommandKind.cut, type.id, INVALID_ENTITY, field, 0, 0);
  }

  /** Puts the objects of the newest record, which began at `at`, behind it as text: another thread can read that. */
  packObjects(at: number): void {
    const objects = this.objects.pop();
    if (objects === undefined) return;
    let text: Uint8Array;
    try {
      text = objectsToText(objects);
      this.#reserve(paddedLength(text.length));
    } catch (error) {
      this.#end = at;
      throw error;
    }
    this.#heap.u8.set(text, this.#end);
    this.#heap.i32[(at >>> 2) + 3] = text.length;
    this.#end += paddedLength(text.length);
  }

  /** Appends another buffer's records, its placeholders made this one's, and empties it. */
  take(other: CommandBuffer, types: readonly ComponentType[]): void {
    this.#requireSpawns(other.#spawns);
    const shift = this.#first + this.#spawns - other.#first;
    const start = this.#end;
    this.#reserve(other.#end);
    this.#heap.u8.set(other.#heap.u8.subarray(0, other.#end), start);
    this.#end += other.#end;
    const { i32 } = this.#heap;
    const renumber = (word: number): void => {
      const id = i32[word] as number;
      i32[word] = renumbered(id, other.#first, other.#spawns, shift);
    };
    for (let at = start; at < this.#end;) {
      const word = at >>> 2;
      const kind = kindOf(i32[word] as number);
      const type = types[typeIdOf(i32[word] as number)] as ComponentType;
      renumber(word + 1);
      if (kind === CommandKind.create && i32[word + 2] !== 0) {
        i32[word + 2] = (i32[word + 2] as number) + this.callbacks.length;
      }
      at += HEADER_BYTES;
      if (kind !== CommandKind.add && kind !== CommandKind.set) continue;
      for (const { offset } of type.references) renumber((at + offset) >>> 2);
      if (i32[word + 3] !== 0) i32[word + 3] = (i32[word + 3] as number) + this.objects.length;
      at += type.component.rowBytes;
    }
    this.#spawns += other.#spawns;
    for (const callback of other.callbacks) this.callbacks.push(callback);
    for (const value of other.objects) this.objects.push(value);
    other.reset();
  }

  /**
   * Appends records that another thread made, their placeholders and types made this one's.
   *
   * @param typeOf - the type of a component by its number in the records
   */
  append(
    recorded: RecordedCommands,
    { from, to, firstPlaceholder, created }: RecordedRun,
    typeOf: (component: number) => ComponentType,
    onCut: CutReporter,
  ): void {
    this.#requireSpawns(created);
    this.#reserve(to - from);
    const source = recorded.heap;
    const { i32 } = this.#heap;
    const given = source.i32;
    const shift = this.#first + this.#spawns - firstPlaceholder;
    const own = (id: number): number => renumbered(id, firstPlaceholder, created, shift);
    let target = this.#end >>> 2;
    for (let word = from >>> 2; word < to >>> 2;) {
      const kind = kindOf(given[word] as number);
      if (kind <= CommandKind.destroy) {
        i32[target] = kind;
        i32[target + 1] = own(given[word + 1] as number);
        i32[target + 2] = 0;
        i32[target + 3] = 0;
        word += HEADER;
        target += HEADER;
        continue;
      }
      const type = typeOf(typeIdOf(given[word] as number));
      if (kind === CommandKind.cut) {
        onCut(type, type.fields[given[word + 2] as number] as FieldSlot);
        word += HEADER;
        continue;
      }
      const words = HEADER + (kind === CommandKind.remove ? 0 : type.component.rowBytes >>> 2);
      for (let i = 1; i < words; i++) i32[target + i] = given[word + i] as number;
      i32[target] = kind | (type.id << 8);
      i32[target + 1] = own(i32[target + 1] as number);
      word += words;
      const textBytes = i32[target + 3] as number;
      if (textBytes > 0) {
        const objects = objectsFromText(source.u8.slice(word << 2, (word << 2) + textBytes));
        i32[target + 3] = this.objects.push(objects);
        word += paddedLength(textBytes) >>> 2;
      }
      if (words > HEADER) {
        for (const { offset } of type.references) {
          const at = target + HEADER + (offset >>> 2);
          i32[at] = own(i32[at] as number);
        }
      }
      target += words;
    }
    this.#end = target << 2;
    this.#spawns += created;
  }

  /** Forgets the records from byte `end` on, of values without objects; their placeholders are not given out again. */
  rewind(end: number): void {
    this.#end = end;
  }

  /** Forgets all records. Placeholders given out so far are not given out again soon. */
  reset(): void {
    this.#end = 0;
    this.#first += this.#spawns;
    if (this.#first > INDEX_MASK - MAX_SPAWNS) this.#first = 1;
    this.#spawns = 0;
    this.callbacks.length = 0;
    this.objects.length = 0;
  }

  #record(
    kind: CommandKind,
    typeId: number,
    target: EntityId,
    tag: number,
    objects: number,
    rowBytes: number,
  ): number {
    this.#reserve(HEADER_BYTES + rowBytes);
    const at = this.#end;
    const { i32 } = this.#heap;
    const word = at >>> 2;
    i32[word] = kind | (typeId << 8);
    i32[word + 1] = idOf(target);
    i32[word + 2] = tag;
    i32[word + 3] = objects;
    this.#end = at + HEADER_BYTES + rowBytes;
    return at;
  }

  #requireSpawns(count: number): void {
    if (this.#spawns + count <= MAX_SPAWNS) return;
    throw new EclipticError('ecs/command-budget', `More than ${MAX_SPAWNS} creations queued`, {
      subjects: { spawns: this.#spawns + count },
      fix: 'Flush in between.',
    });
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed > this.#heap.u8.length) this.#heap = this.#memory.grow(needed, this.#end);
  }
}

/** An id as it is stored: what could be none must not become another entity's. */
function idOf(entity: EntityId): EntityId {
  return typeof entity === 'number' && (entity | 0) === entity ? entity : INVALID_ENTITY;
}

/** An id in its new buffer: a placeholder from elsewhere must not become another entity's either. */
function renumbered(id: EntityId, first: number, count: number, shift: number): EntityId {
  if (id >> INDEX_BITS !== 0) return id;
  return id >= first && id < first + count ? id + shift : INVALID_ENTITY;
}

/** Rows hold numbers of eight bytes, so everything begins at a multiple of them. */
function paddedLength(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Kind in the first word of a record. */
export function kindOf(word: number): CommandKind {
  return (word & 0xff) as CommandKind;
}

/** Component type in the first word of a record. */
export function typeIdOf(word: number): number {
  return word >>> 8;
}

/** Bytes of a record before its row. */
export const RECORD_BYTES: number = HEADER_BYTES;
