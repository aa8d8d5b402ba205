import { EclipticError } from '../errors/ecliptic-error.js';
import {
  HANDLE_INDEX_BITS,
  MAX_HANDLE_GENERATION,
  MAX_HANDLE_INDEX_COUNT,
  type Handle,
} from './handle.js';

/** How to make a {@link HandleTable}. */
export interface HandleTableOptions {
  /** Named in errors. */
  readonly name: string;
  /** The most values at once, 1 to 1,048,576. */
  readonly capacity: number;
}

const INDEX_MASK = MAX_HANDLE_INDEX_COUNT - 1;
const GENERATION_STEP = 1 << HANDLE_INDEX_BITS;

/**
 * Owns values and gives out handles that go stale when the value is removed, instead of dangling.
 * Used where something has an identity but no class of its own to hold on to: actors, assets,
 * render resources.
 *
 * Slots are used again first-in first-out, once all have been used. A stale handle is caught until
 * its slot has been used again 1,023 times, and while `free` slots are free, uses of one slot are
 * at least `free` insertions apart: leave a table some room. Identity that must outlive that is a
 * uuid. All operations are O(1) and allocate nothing once warm; only `forEach` and `clear` are
 * O(slots used).
 *
 * @example
 * ```ts
 * const textures = new HandleTable<Texture>({ name: 'textures', capacity: 4_096 });
 * const rock = textures.insert(loadTexture('rock.png'));
 * textures.get(rock); // the texture
 * textures.remove(rock);
 * textures.get(rock); // undefined, also after its slot was used again
 * ```
 */
export class HandleTable<T> {
  /** For errors. */
  readonly name: string;
  /** The most values at once. */
  readonly capacity: number;
  readonly #values: (T | undefined)[] = [];
  /** By slot: the live handle, or, negative, the handle that was last alive there. */
  readonly #handles: Int32Array;
  /** Ring of free slots that have been used before. */
  readonly #recycled: Uint32Array;
  #recycledHead = 0;
  #recycledCount = 0;
  #size = 0;

  /** @throws EclipticError `core/handle-table-capacity` */
  constructor(options: HandleTableOptions) {
    const { name, capacity } = options;
    if (!Number.isSafeInteger(capacity) || capacity < 1 || capacity > MAX_HANDLE_INDEX_COUNT) {
      throw new EclipticError(
        'core/handle-table-capacity',
        `Table "${name}" can't hold ${capacity} values`,
        {
          subjects: { table: name, capacity },
          fix: `Use a whole number from 1 to ${MAX_HANDLE_INDEX_COUNT}.`,
        },
      );
    }
    this.name = name;
    this.capacity = capacity;
    this.#handles = new Int32Array(capacity);
    this.#recycled = new Uint32Array(capacity);
  }

  /** Values held now. */
  get size(): number {
    return this.#size;
  }

  /** @throws EclipticError `core/handle-table-full`; the table is as before */
  insert(value: T): Handle {
    const index = this.#takeSlot();
    const last = -(this.#handles[index] ?? 0);
    const generation = ((last >>> HANDLE_INDEX_BITS) % MAX_HANDLE_GENERATION) + 1;
    const handle = (generation * GENERATION_STEP + index) as Handle;
    this.#handles[index] = handle;
    this.#values[index] = value;
    this.#size++;
    return handle;
  }

  /**
   * @returns the value, or `undefined` for a handle that is stale or was never issued; any number
   * is safe to pass
   */
  get(handle: Handle): T | undefined {
    const index = handle & INDEX_MASK;
    return this.#handles[index] === handle ? this.#values[index] : undefined;
  }

  /** @returns whether the handle's value is still here; any number is safe to pass */
  has(handle: Handle): boolean {
    return handle > 0 && this.#handles[handle & INDEX_MASK] === handle;
  }

  /**
   * Takes a value out; its handle is stale from now on.
   *
   * @returns what it held, or `undefined` for a stale handle
   */
  remove(handle: Handle): T | undefined {
    if (!this.has(handle)) return undefined;
    const index = handle & INDEX_MASK;
    const value = this.#values[index];
    this.#values[index] = undefined;
    this.#handles[index] = 0 - handle;
    let end = this.#recycledHead + this.#recycledCount;
    if (end >= this.capacity) end -= this.capacity;
    this.#recycled[end] = index;
    this.#recycledCount++;
    this.#size--;
    return value;
  }

  /**
   * Visits the values in slot order, which is neither the order of insertion nor of handles. The
   * visitor may remove any value; what it inserts is visited if its slot is still to come and was
   * in use before.
   */
  forEach(visit: (value: T, handle: Handle) => void): void {
    const slots = this.#values.length;
    for (let index = 0; index < slots; index++) {
      const handle = this.#handles[index] ?? 0;
      if (handle > 0) visit(this.#values[index] as T, handle as Handle);
    }
  }

  /** Removes every value, in slot order; all handles are stale from now on. */
  clear(): void {
    for (let index = 0; index < this.#values.length; index++) {
      this.remove((this.#handles[index] ?? 0) as Handle);
    }
  }

  #takeSlot(): number {
    if (this.#values.length < this.capacity) return this.#values.length;
    if (this.#recycledCount === 0) {
      throw new EclipticError(
        'core/handle-table-full',
        `Table "${this.name}" is full: it holds ${this.capacity} values`,
        {
          subjects: { table: this.name, capacity: this.capacity },
          fix: 'Remove values that are no longer needed, or make the table with a greater capacity.',
        },
      );
    }
    const index = this.#recycled[this.#recycledHead] ?? 0;
    this.#recycledHead++;
    if (this.#recycledHead === this.capacity) this.#recycledHead = 0;
    this.#recycledCount--;
    return index;
  }
}
