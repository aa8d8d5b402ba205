import { EclipticError, type Arena, type ArenaBlock } from '@ecliptic/core';
import { sceneDisposed } from '../query/query-errors.js';
import { touchPages } from '../storage/touch-pages.js';
import { INDEX_BITS, INDEX_MASK, MAX_GENERATION, type EntityId } from './entity-id.js';

/** Slots that must be free before one is used again, as long as unused ones are left. */
const MIN_FREE_SLOTS = 1_024;

const FIRST_GENERATION = 1 << INDEX_BITS;

/** Imported constants are looked up at each use; those of the module itself are part of the engine's code. */
const SLOT_MASK = INDEX_MASK;
const SLOT_BITS = INDEX_BITS;
const LAST_GENERATION = MAX_GENERATION;

/** Of one entry in each of the arrays. */
const ENTRY_BYTES = 4;

/**
 * Which entities live, and where their rows are. Slots are given out again first-in first-out and not before
 * {@link MIN_FREE_SLOTS} are free, so a stale handle is caught for at least 1,024 × 1,023 spawns, unless the scene is so full that there is no
 * other slot. Arrays by slot, in the arena, so that workers see them.
 */
export class EntityRegistry {
  capacity: number;
  /** Id of the living entity of a slot; negative (the last id) where it is dead, 0 where it was never used. */
  ids: Int32Array;
  /** Index of the table that holds the entity. */
  tables: Uint32Array;
  /** Row in that table. */
  rows: Int32Array;
  /** Ring of freed slots. */
  readonly #free: Uint32Array;
  #freeHead = 0;
  #freeCount = 0;
  #used = 0;
  readonly #arena: Arena;
  readonly #blocks: ArenaBlock[] = [];
  readonly #owner: string;

  constructor(arena: Arena, capacity: number, owner: string) {
    this.capacity = capacity;
    this.#arena = arena;
    this.#owner = owner;
    try {
      for (let list = 0; list < 4; list++) {
        this.#blocks.push(arena.allocate(ENTRY_BYTES * capacity, `${owner}.entities`));
      }
    } catch (error) {
      for (const block of this.#blocks) arena.free(block);
      throw error;
    }
    const [ids = 0, tables = 0, rows = 0, free = 0] = this.#blocks.map(({ offset }) => offset);
    this.ids = new Int32Array(arena.buffer, ids, capacity);
    this.tables = new Uint32Array(arena.buffer, tables, capacity);
    this.rows = new Int32Array(arena.buffer, rows, capacity);
    this.#free = new Uint32Array(arena.buffer, free, capacity);
  }

  /** Living entities. */
  get alive(): number {
    return this.#used - this.#freeCount;
  }

  /** Slots that were ever used; living entities are below it. */
  get used(): number {
    return this.#used;
  }

  /** Offsets of the arrays in the arena: ids, tables, rows. */
  get offsets(): readonly number[] {
    return this.#blocks.slice(0, 3).map(({ offset }) => offset);
  }

  isAlive(id: EntityId): boolean {
    return typeof id === 'number' && id > 0 && this.ids[id & SLOT_MASK] === id;
  }

  /**
   * A new id; the caller gives it a row.
   *
   * @throws EclipticError `ecs/entity-budget` when every slot is in use
   */
  create(): EntityId {
    let id: EntityId;
    if (this.#freeCount < MIN_FREE_SLOTS && this.#used < this.capacity) {
      id = FIRST_GENERATION | this.#used++;
    } else {
      if (this.#freeCount === 0) throw this.#overBudget();
      // As #again, which would be one more call.
      const slot = this.#free[this.#freeHead] as number;
      const last = -(this.ids[slot] as number) >> SLOT_BITS;
      id = ((last === LAST_GENERATION ? 1 : last + 1) << SLOT_BITS) | slot;
      this.#freeHead = this.#freeHead + 1 === this.capacity ? 0 : this.#freeHead + 1;
      this.#freeCount--;
    }
    this.ids[id & SLOT_MASK] = id;
    return id;
  }

  /** The id that a freed slot gets next. */
  #again(slot: number): EntityId {
    const last = -(this.ids[slot] as number) >> SLOT_BITS;
    return ((last === LAST_GENERATION ? 1 : last + 1) << SLOT_BITS) | slot;
  }

  /**
   * Writes the ids that the next `count` creations would get, without creating them. The caller has required them.
   *
   * @param at - where in `out` they begin
   */
  foresee(out: Int32Array, at: number, count: number): void {
    let head = this.#freeHead;
    let free = this.#freeCount;
    let used = this.#used;
    for (let i = at; i < at + count; i++) {
      if (free >= MIN_FREE_SLOTS || used === this.capacity) {
        out[i] = this.#again(this.#free[head] as number);
        head = head + 1 === this.capacity ? 0 : head + 1;
        free--;
      } else out[i] = FIRST_GENERATION | used++;
    }
  }

  /** Creates all that {@link foresee} wrote. */
  adopt(foreseen: Int32Array): void {
    let again = 0;
    for (let i = 0; i < foreseen.length; i++) {
      const id = foreseen[i] as number;
      const slot = id & SLOT_MASK;
      this.ids[slot] = id;
      if (slot === this.#used) this.#used++;
      else again++;
    }
    this.#freeHead = (this.#freeHead + again) % this.capacity;
    this.#freeCount -= again;
  }

  /** Makes a foreseen id alive for {@link isAlive} only. @returns what to give to {@link conceal} */
  reveal(id: EntityId): number {
    const slot = id & SLOT_MASK;
    const before = this.ids[slot] as number;
    this.ids[slot] = id;
    return before;
  }

  /** Undoes {@link reveal}. */
  conceal(id: EntityId, before: number): void {
    this.ids[id & SLOT_MASK] = before;
  }

  /** @throws EclipticError `ecs/entity-budget` unless `count` more can be created */
  require(count: number): void {
    if (this.alive + count > this.capacity) throw this.#overBudget();
  }

  /** Touches the memory of the next `count` entities that get slots of their own. */
  prepare(count: number): void {
    const bytes = new Uint8Array(this.#arena.buffer);
    const from = this.#used * ENTRY_BYTES;
    const to = Math.min(this.#used + count, this.capacity) * ENTRY_BYTES;
    for (const offset of this.offsets) touchPages(bytes, offset + from, offset + to);
  }

  /** Ends a living entity. */
  destroy(id: EntityId): void {
    const slot = id & SLOT_MASK;
    this.ids[slot] = -id;
    const tail = this.#freeHead + this.#freeCount;
    this.#free[tail >= this.capacity ? tail - this.capacity : tail] = slot;
    this.#freeCount++;
  }

  /** Freed slots, those that are given out first coming first. Allocates. */
  freeSlots(): Uint32Array {
    const out = new Uint32Array(this.#freeCount);
    const first = Math.min(this.#freeCount, this.capacity - this.#freeHead);
    out.set(this.#free.subarray(this.#freeHead, this.#freeHead + first));
    out.set(this.#free.subarray(0, this.#freeCount - first), first);
    return out;
  }

  /** Puts a captured state in place, which the caller has checked; tables and rows are the caller's too. */
  restore(ids: Int32Array, free: Uint32Array): void {
    this.ids.set(ids);
    this.ids.fill(0, ids.length, Math.max(ids.length, this.#used));
    this.#free.set(free);
    this.#freeHead = 0;
    this.#freeCount = free.length;
    this.#used = ids.length;
  }

  /** Gives the arrays back: nothing is alive any more, and nothing can be. */
  dispose(): void {
    for (const block of this.#blocks) this.#arena.free(block);
    this.#blocks.length = 0;
    this.capacity = 0;
    this.#used = 0;
    this.#freeCount = 0;
    this.ids = new Int32Array(0);
    this.tables = new Uint32Array(0);
    this.rows = new Int32Array(0);
  }

  #overBudget(): EclipticError {
    if (this.capacity === 0) return sceneDisposed(this.#owner);
    return new EclipticError(
      'ecs/entity-budget',
      `Scene "${this.#owner}" is full: ${this.capacity} entities`,
      {
        subjects: { scene: this.#owner, maxEntities: this.capacity },
        fix: 'Destroy entities that are not needed, or raise the option maxEntities.',
      },
    );
  }
}
