import { INSTANCE_HIDDEN, INSTANCE_MOVING } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import type { VersionedRows } from '../frame-state/row-pool.js';
import type { PoseMemory } from '../hierarchy/pose-memory.js';
import type { InstanceEnd } from '../hierarchy/row-kernel.js';
import { AFFINE_FLOATS, sameRows } from '../math/affine-rows.js';

/** Bits of an instance id that say its slot. */
const SLOT_MASK = 0xf_ffff;

/** One end of all instances. */
class InstanceRows implements InstanceEnd, VersionedRows {
  readonly rows: Float32Array;
  readonly other: Float32Array;
  readonly flags: Uint32Array;
  version = 0;

  constructor(rows: Float32Array, other: Float32Array, flags: Uint32Array) {
    this.rows = rows;
    this.other = other;
    this.flags = flags;
  }
}

/** Where instances are, and whether they move or are hidden: without gaps, packed as in a frame state. */
export class InstanceArrays {
  /** By dense index, as are all others; the first {@link InstanceArrays.count} count. */
  readonly ids: Uint32Array;
  flags: Uint32Array;
  readonly #denseBySlot: Int32Array;
  #previous: InstanceRows;
  #current: InstanceRows;
  #count = 0;

  constructor(capacity: number, memory: PoseMemory) {
    this.ids = new Uint32Array(capacity);
    this.flags = memory.uint32(capacity);
    const previous = memory.float32(capacity * AFFINE_FLOATS);
    const current = memory.float32(capacity * AFFINE_FLOATS);
    this.#previous = new InstanceRows(previous, current, this.flags);
    this.#current = new InstanceRows(current, previous, this.flags);
    this.#denseBySlot = new Int32Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Transforms one fixed step back. */
  get previous(): Float32Array {
    return this.#previous.rows;
  }

  /** Transforms of the last fixed step. */
  get current(): Float32Array {
    return this.#current.rows;
  }

  /** {@link InstanceArrays.previous}, for who changes them at once. */
  changePrevious(): InstanceEnd {
    this.#previous.version++;
    return this.#previous;
  }

  /** {@link InstanceArrays.current}, for who changes them at once. */
  changeCurrent(): InstanceEnd {
    this.#current.version++;
    return this.#current;
  }

  /** Where the instance is, or −1 for a stale id. */
  denseIndex(id: number): number {
    const dense = this.#denseBySlot[id & SLOT_MASK] ?? -1;
    return dense < this.#count && this.ids[dense] === id ? dense : -1;
  }

  /** Adds an instance at the origin, for which there must be room. */
  add(id: number): void {
    const dense = this.#count++;
    this.#denseBySlot[id & SLOT_MASK] = dense;
    this.ids[dense] = id;
    this.flags[dense] = 0;
    for (const end of [this.#previous, this.#current]) {
      const { rows } = end;
      end.version++;
      rows.fill(0, dense * AFFINE_FLOATS, (dense + 1) * AFFINE_FLOATS);
      for (let axis = 0; axis < 3; axis++) rows[dense * AFFINE_FLOATS + axis * 5] = 1;
    }
  }

  /** Removes the instance at a dense index; the last one takes its place. */
  removeAt(dense: number): void {
    const last = --this.#count;
    if (dense === last) return;
    const moved = this.ids[last] ?? 0;
    const from = last * AFFINE_FLOATS;
    const to = dense * AFFINE_FLOATS;
    this.ids[dense] = moved;
    this.flags[dense] = this.flags[last] ?? 0;
    for (const end of [this.#previous, this.#current]) {
      end.version++;
      end.rows.copyWithin(to, from, from + AFFINE_FLOATS);
    }
    this.#denseBySlot[moved & SLOT_MASK] = dense;
  }

  /** Sets both ends of the transform at a dense index, and whether it moves between them. */
  setTransform(
    dense: number,
    previous: Float32Array,
    p: number,
    current: Float32Array,
    c: number,
  ): void {
    const to = dense * AFFINE_FLOATS;
    this.#previous.version++;
    this.#current.version++;
    for (let i = 0; i < AFFINE_FLOATS; i++) {
      this.#previous.rows[to + i] = previous[p + i] as number;
      this.#current.rows[to + i] = current[c + i] as number;
    }
    const flags = this.flags[dense] ?? 0;
    this.flags[dense] = sameRows(this.#previous.rows, to, this.#current.rows, to)
      ? flags & ~INSTANCE_MOVING
      : flags | INSTANCE_MOVING;
  }

  /** Lets the two ends of every instance change places. */
  swapTransforms(): void {
    [this.#previous, this.#current] = [this.#current, this.#previous];
  }

  /** @returns whether that was a change */
  setHidden(dense: number, hidden: boolean): boolean {
    const flags = this.flags[dense] ?? 0;
    const next = hidden ? flags | INSTANCE_HIDDEN : flags & ~INSTANCE_HIDDEN;
    this.flags[dense] = next;
    return next !== flags;
  }

  /** Copies all to arrays of their own: the memory can be given back. */
  leaveMemory(): void {
    const flags = this.flags.slice();
    const previous = this.#previous.rows.slice();
    const current = this.#current.rows.slice();
    this.flags = flags;
    this.#previous = new InstanceRows(previous, current, flags);
    this.#current = new InstanceRows(current, previous, flags);
  }

  writeTo(state: RenderFrameState): void {
    const count = this.#count;
    state.instanceCount = count;
    state.instanceIds.set(this.ids.subarray(0, count));
    state.instanceFlags.set(this.flags.subarray(0, count));
    state.setInstanceRows(this.#previous, this.#current, count);
  }
}
