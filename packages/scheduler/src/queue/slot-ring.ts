const TAIL = 0;
const HEAD = 1;
const CLOSED = 2;
const HEADER = 4;

/** The memory of a main-thread queue, as it is cloned to a worker. */
export interface SlotRingMemory {
  readonly buffer: ArrayBufferLike;
  readonly capacity: number;
  readonly slotBytes: number;
}

/**
 * Bounded queue of byte slots for many producers and one consumer, over memory that they share.
 *
 * Each slot has a sequence number: equal to a position when it is free for it, one more when its
 * content is published. A producer claims a position, writes, publishes; the consumer takes positions
 * in order, so it sees a slot whole or not at all. Positions wrap around at 2³².
 */
export class SlotRing {
  readonly capacity: number;
  readonly slotBytes: number;
  readonly memory: SlotRingMemory;
  readonly #header: Int32Array;
  readonly #sequences: Int32Array;
  readonly #lengths: Int32Array;
  readonly #bytes: Uint8Array;

  /** Maps `memory`, which {@link SlotRing.allocate} made. */
  constructor(memory: SlotRingMemory) {
    const { buffer, capacity, slotBytes } = memory;
    this.memory = memory;
    this.capacity = capacity;
    this.slotBytes = slotBytes;
    this.#header = new Int32Array(buffer, 0, HEADER);
    this.#sequences = new Int32Array(buffer, HEADER * 4, capacity);
    this.#lengths = new Int32Array(buffer, (HEADER + capacity) * 4, capacity);
    this.#bytes = new Uint8Array(buffer, (HEADER + 2 * capacity) * 4, capacity * slotBytes);
  }

  /**
   * @param capacity - slots, a power of two
   * @param slotBytes - bytes a slot
   * @param shared - whether workers will map it too; needs `SharedArrayBuffer`
   */
  static allocate(capacity: number, slotBytes: number, shared: boolean): SlotRing {
    const byteLength = (HEADER + 2 * capacity) * 4 + capacity * slotBytes;
    const buffer = shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
    const ring = new SlotRing({ buffer, capacity, slotBytes });
    for (let slot = 0; slot < capacity; slot++) ring.#sequences[slot] = slot;
    return ring;
  }

  /** Slots claimed and not yet taken. */
  get pending(): number {
    return (Atomics.load(this.#header, TAIL) - Atomics.load(this.#header, HEAD)) | 0;
  }

  /** Whether producers are turned away. */
  get closed(): boolean {
    return Atomics.load(this.#header, CLOSED) === 1;
  }

  /** Turns producers away from now on. */
  close(): void {
    Atomics.store(this.#header, CLOSED, 1);
  }

  /** Index of the slot of `position`. */
  slotOf(position: number): number {
    return position & (this.capacity - 1);
  }

  /**
   * Producer: takes a slot.
   *
   * @param limit - slots that may be taken at once, at most the capacity
   * @returns its position, or `undefined` when the ring is full or closed
   */
  claim(limit: number = this.capacity): number | undefined {
    if (this.closed) return undefined;
    for (;;) {
      const position = Atomics.load(this.#header, TAIL);
      const taken = (position - Atomics.load(this.#header, HEAD)) | 0;
      if (taken >= limit) return undefined;
      if (Atomics.load(this.#sequences, this.slotOf(position)) !== position) continue;
      const next = (position + 1) | 0;
      if (Atomics.compareExchange(this.#header, TAIL, position, next) === position) return position;
    }
  }

  /**
   * Producer: fills the claimed slot and hands it to the consumer.
   *
   * @param bytes - at most `slotBytes`
   * @returns false when the consumer gave the slot up meanwhile
   */
  publish(position: number, bytes?: Uint8Array): boolean {
    const slot = this.slotOf(position);
    this.#lengths[slot] = bytes === undefined ? 0 : bytes.length;
    if (bytes !== undefined) this.#bytes.set(bytes, slot * this.slotBytes);
    return (
      Atomics.compareExchange(this.#sequences, slot, position, (position + 1) | 0) === position
    );
  }

  /** Consumer: position of the oldest slot. */
  get head(): number {
    return Atomics.load(this.#header, HEAD);
  }

  /** Consumer: position after the newest slot. */
  get tail(): number {
    return Atomics.load(this.#header, TAIL);
  }

  /** Consumer: whether the oldest slot is published. */
  get ready(): boolean {
    const head = this.head;
    return Atomics.load(this.#sequences, this.slotOf(head)) === ((head + 1) | 0);
  }

  /** Consumer: a copy of what is in the oldest slot. */
  read(): Uint8Array {
    const slot = this.slotOf(this.head);
    const start = slot * this.slotBytes;
    return this.#bytes.slice(start, start + (this.#lengths[slot] ?? 0));
  }

  /** Consumer: frees the oldest slot, published or not. */
  release(): void {
    const head = this.head;
    Atomics.store(this.#sequences, this.slotOf(head), (head + this.capacity) | 0);
    Atomics.store(this.#header, HEAD, (head + 1) | 0);
  }
}
